import { randomInt } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { RECIPES } from '../../sites/recipes.ts';
import { REMOTE, REMOTE_ABILITIES } from '../model/remote.ts';
import { RECORDINGS } from '../run/sites.ts';
import { ADAPTERS, findAdapter } from '../server/adapters.ts';
import { findFolder } from '../site/folder/find-folder.ts';
import { listRecordings } from '../site/record/store.ts';
import type { LinkSources } from '../study/link.ts';
import type { StudySources } from '../study/sources.ts';
import { PROJECT } from '../system/tools.ts';

/** The studies that come with the project, the default first. */
export const PRESETS = [
  ...[
    'today',
    'today-full',
    'switch-on',
    'first-light',
    'kramer2015',
    'dncs2020',
    'valle2023',
    'goncalves2015',
    'goncalves2015-50',
    'oliveira2020',
  ],
  'oliveira2020-pairs',
] as const;

const MOST_TEXT_BYTES = 50_000_000;

/** The text of a plain file: a study may name a pipe, which never ends, or a device, and a file of any length. */
function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('no plain file');
    if (stat.size > MOST_TEXT_BYTES) throw new Error(`${stat.size} bytes. Expected: up to ${MOST_TEXT_BYTES}`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Traces, studies and mixes are read from the disk. */
export const LINK_SOURCES: LinkSources = { readText: readPlainFile };

/** What a study's text may refer to, on this machine. */
export function studySources(): StudySources {
  return {
    sites: [...Object.keys(RECIPES), ...listRecordings(RECORDINGS)],
    findFolder(written) {
      const built = findFolder(written);
      return built && { name: built.name, path: built.path };
    },
    servers: [...ADAPTERS.map(({ name }) => name), REMOTE] as unknown as [string, ...string[]],
    abilitiesOf: (name) => (name === REMOTE ? REMOTE_ABILITIES : findAdapter(name)),
    presets: PRESETS,
    readPreset: (name) => readFileSync(`${PROJECT}harness/study/presets/${name}.yaml`, 'utf8'),
    ...LINK_SOURCES,
    drawSeed: () => randomInt(1, 1_000_000),
  };
}
