import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/**
 * Which rooms a room may import; `sites` are the recipes at the top level. `setup` runs on any Node before anything is
 * installed, and nobody but it is there yet.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  setup: [],
  model: [],
  stats: [],
  papers: ['model'],
  verdict: ['model', 'stats'],
  study: ['model', 'stats', 'verdict'],
  system: ['model'],
  network: ['model', 'system'],
  server: ['model', 'system'],
  site: ['model', 'system'],
  browser: ['model', 'system'],
  store: ['model', 'system'],
  sites: ['model', 'stats'],
  report: ['model', 'stats', 'verdict', 'papers', 'store'],
  // In a browser: what it takes of the harness must do without Node, or it cannot be bundled.
  reports: ['model', 'stats', 'verdict', 'report'],
};
const ALL = Object.keys(MAY_IMPORT).filter((room) => room !== 'setup');
/** Nobody imports the front end: it is bundled. */
const PROGRAM = ALL.filter((room) => room !== 'reports');
const RUN = {
  run: PROGRAM.filter((room) => room !== 'report'),
  commands: [...PROGRAM, 'run'],
  cli: [...PROGRAM, 'run', 'commands'],
  test: [...ALL, 'setup', 'run', 'commands', 'cli'],
};
/** What stands in `test/` beside the folders that are called as the rooms whose tests they hold. */
const TEST_FOLDERS = ['bare', 'fakes', 'fixtures', 'golden', 'live', 'simulation'];

/** Rooms that compute and nothing else: no package, nothing of Node's. */
const PURE = ['model', 'stats', 'papers', 'verdict'];
/** Rooms that no package is there for. */
const BARE = ['setup'];

/** What only one room of those that a study runs through may import. */
const ONLY: Readonly<Record<string, string>> = { 'node:child_process': 'system', 'node:sqlite': 'store' };

const files = globSync(['harness/**/*.{ts,mjs}', 'sites/**/*.ts', 'reports/{,*/}*.ts', 'test/**/*.{ts,mjs}']);

describe.each(files)('%s', (file) => {
  const room = roomOf(file);
  const imports = [
    ...readFileSync(file, 'utf8').matchAll(/(?:^import .*?|^\} from |^export .*? from |import\()\s*'([^']+)'/gm),
  ].map((match) => match[1]!);

  test('imports only rooms that it may', () => {
    const allowed = { ...MAY_IMPORT, ...RUN }[room];
    expect(allowed).toBeDefined();
    const rooms = imports
      .filter((path) => path.startsWith('.'))
      .map((path) => roomOf(new URL(path, `file:///${file}`).pathname.slice(1)));
    expect(rooms.filter((other) => other !== room && !allowed!.includes(other))).toEqual([]);
  });

  test('imports nothing that belongs to another room', () => {
    const outside = imports.filter((path) => !path.startsWith('.'));
    if (PURE.includes(room)) expect(outside).toEqual([]);
    if (BARE.includes(room)) expect(outside.filter((path) => !path.startsWith('node:'))).toEqual([]);
    if (room === 'setup' || room === 'test') return;
    expect(outside.filter((path) => ONLY[path] !== undefined && ONLY[path] !== room)).toEqual([]);
  });
});

test('the rules see imports at all', () => {
  for (const room of Object.keys({ ...MAY_IMPORT, ...RUN }))
    expect(files.filter((file) => roomOf(file) === room)).not.toEqual([]);
});

test('the tests’ folders are called as the rooms', () => {
  const folders = globSync('test/*/').map((folder) => folder.split('/')[1]!);
  expect(folders.filter((folder) => ![...ALL, ...Object.keys(RUN), 'setup', ...TEST_FOLDERS].includes(folder))).toEqual(
    [],
  );
});

function roomOf(file: string): string {
  const [top, second] = file.split('/');
  return top === 'harness' ? second!.replace(/\.\w+$/, '') : top!;
}
