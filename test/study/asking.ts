import { PROTOCOLS, VISITS } from '../../harness/model/arm.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { type StudyFlags, studyFromFlags } from '../../harness/study/flags.ts';
import type { AskedStudy } from '../../harness/study/resolve.ts';
import type { StudySources } from '../../harness/study/sources.ts';

/** Sources with little in them: these files, one preset, and always the same seed drawn. */
export function sourcesWith(files: Readonly<Record<string, string>> = {}): StudySources {
  return {
    findFolder: (written) => (written === './dist' ? { name: 'dist', path: '/home/dist' } : undefined),
    sites: ['shop', 'app', 'many-small'],
    servers: ['nginx', 'other'],
    abilitiesOf: (server) =>
      server === 'nginx'
        ? { protocols: PROTOCOLS, visits: VISITS, congestions: [] }
        : { protocols: ['h1', 'h2', 'h3'], visits: ['cold', 'resumed', 'repeat'], congestions: ['cubic', 'bbr'] },
    presets: ['today'],
    readPreset: () => TODAY,
    readText: (path) => {
      if (Object.hasOwn(files, path)) return files[path]!;
      throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    },
    drawSeed: () => 4711,
  };
}

const TODAY = `
describes: what there is today
sites: [shop, app]
links: [4g, cable]
blocks: 40
budget: 5
quick: {sites: [app], budget: 1}
`;

/** What a file asks for, and options beside it. */
export function askFile(text: string, flags: StudyFlags = {}): AskedStudy {
  return studyFromFlags({ study: 'my.yaml', ...flags }, sourcesWith({ 'my.yaml': text }));
}

/** Names in place of whole links. */
export function gridsOf({ study }: AskedStudy) {
  return study.grids.map((grid) => ({ ...grid, links: grid.links.map(({ name }) => name) }));
}

/** What a UsageError says; anything else is thrown on. */
export function whatIsSaidOf(ask: () => unknown): string {
  try {
    return JSON.stringify(ask());
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
