import { inWords } from '../model/wording.ts';
import type { Summary } from './summary.ts';

/** Above this number servers are counted, and not named. */
const NAMED_SERVERS = 3;

/** Which browser loaded the pages from which servers: `by Chromium 156 from nginx 1.30.6`; the browser only where it is known. */
export function madeBy({ version, conditions }: Pick<Summary, 'version' | 'conditions'>): string {
  const { chromium, servers } = version;
  const versions = new Map(Object.entries(Object(servers)));
  // An arm may have a server of its own, which is among those whose versions are known.
  const names = [...new Set([...conditions.map(({ server }) => server), ...versions.keys()])];
  const titles = names.map((name) => [name.slice(0, 40), numberOf(versions.get(name))].filter(Boolean).join(' '));
  const from = names.length > NAMED_SERVERS ? `${names.length} servers` : inWords(titles, 'and');
  const major = numberOf(chromium)?.split('.')[0];
  return `${major === undefined ? '' : `by Chromium ${major} `}from ${from}`;
}

/** The number of a version without what follows it: libraries, or what kind of program it is. */
function numberOf(version: unknown): string | undefined {
  return /^[\d.]+/.exec(`${version}`)?.[0];
}
