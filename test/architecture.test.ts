import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Which rooms a room may import; `sites` are the recipes at the top level. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  stats: [],
  verdict: ['model', 'stats'],
  study: ['model', 'stats', 'verdict'],
  system: ['model'],
  network: ['model', 'system'],
  server: ['model', 'system'],
  site: ['model', 'system'],
  browser: ['model', 'system'],
  store: ['model', 'system'],
  sites: ['model', 'stats'],
  report: ['model', 'stats', 'verdict', 'store'],
};
const ALL = [...Object.keys(MAY_IMPORT)];
const RUN = {
  run: ALL.filter((room) => room !== 'report'),
  commands: [...ALL, 'run'],
  cli: [...ALL, 'run', 'commands'],
};

/** Rooms that compute and nothing else: no package, nothing of Node's. */
const PURE = ['model', 'stats', 'verdict'];

/** What only one room may import. */
const ONLY: Readonly<Record<string, string>> = { 'node:child_process': 'system', 'node:sqlite': 'store' };

const files = globSync(['harness/**/*.ts', 'sites/**/*.ts']);

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
    expect(imports.filter((path) => ONLY[path] !== undefined && ONLY[path] !== room)).toEqual([]);
    if (PURE.includes(room)) expect(imports.filter((path) => !path.startsWith('.'))).toEqual([]);
  });
});

test('the rules see imports at all', () => {
  expect(files.length).toBeGreaterThan(20);
});

function roomOf(file: string): string {
  const [top, second] = file.split('/');
  if (top === 'sites') return 'sites';
  return second === 'cli.ts' ? 'cli' : second!;
}
