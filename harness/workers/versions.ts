import type { WorkerMachine } from './messages.ts';

/** The versions that loads depend on: a machine with others measures something else. Processor and kernel may vary. */
function versionsOf({ photofinish, chromium, servers, link }: WorkerMachine): Readonly<Record<string, string>> {
  return { Photofinish: photofinish, Chromium: chromium, ...servers, 'the link': link };
}

/** In what a machine differs from the first of its study; empty where their loads may stand side by side. */
export function versionDifferences(first: WorkerMachine, other: WorkerMachine): readonly string[] {
  const [known, own] = [versionsOf(first), versionsOf(other)];
  return Object.keys({ ...known, ...own })
    .filter((name) => known[name] !== own[name])
    .map(
      (name) =>
        `${name} is ${own[name] ?? 'absent'} on ${other.worker}, and ${known[name] ?? 'absent'} on ${first.worker}`,
    );
}
