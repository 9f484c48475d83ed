import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/**
 * Which rooms a room may import, or which of a room's files; `sites` are the recipes at the top level. `setup` runs on any
 * Node before anything is installed, and nothing but it is there yet.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  setup: [],
  model: [],
  stats: [],
  measurement: ['model', 'stats'],
  calibration: ['model', 'stats'],
  comparison: ['model', 'stats'],
  tree: ['model', 'stats', 'comparison'],
  advice: ['model', 'stats', 'comparison'],
  gate: ['model', 'stats', 'comparison', 'advice/traffic'],
  // What a paper printed is known before anything is measured.
  'replication/papers': ['model'],
  // How it draws what is typical is how decisions do.
  replication: [
    'model',
    'stats',
    'measurement/floor',
    ...['records', 'rules', 'sampling', 'typical'].map((each) => `comparison/${each}`),
    'tree',
  ],
  findings: ['model', 'stats', 'measurement', 'comparison', 'tree', 'advice', 'replication', 'study/time-left'],
  study: ['model', 'stats', 'comparison'],
  // Setup writes as root before anything else does.
  system: ['model', 'setup/sudoer'],
  network: ['model', 'system'],
  server: ['model', 'system'],
  site: ['model', 'system'],
  browser: ['model', 'system'],
  store: ['model', 'system'],
  sites: ['model', 'stats'],
  // It renders what others found: from judging it takes how loads make up blocks, and words.
  report: [
    ...['model', 'stats', 'store', 'findings', 'measurement', 'comparison/records', 'replication/wording'],
    'system/write-whole',
  ],
  // In a browser: what it takes of the harness must do without Node, or it cannot be bundled.
  reports: ['model', 'comparison', 'advice', 'findings', 'replication/wording', 'report'],
};
const ALL = Object.keys(MAY_IMPORT).filter((room) => room !== 'setup');
/** Nothing imports the front end: it is bundled. */
const PROGRAM = ALL.filter((room) => room !== 'reports');
/** What is made of measurements once there are any. */
const AFTERWARDS = ['tree', 'advice', 'gate', 'replication/papers', 'replication', 'findings', 'report'];
const RUN = {
  run: PROGRAM.filter((room) => !AFTERWARDS.includes(room)),
  workers: [...PROGRAM.filter((room) => !AFTERWARDS.includes(room)), 'run'],
  commands: [...PROGRAM, 'run', 'workers', 'bench'],
  // It measures what the commands do.
  bench: [...PROGRAM, 'run', 'workers', 'commands'],
  // From setup, only the words that are said before and after it.
  cli: ['model', 'system', 'commands', 'setup/welcome'],
  test: [...ALL, 'setup', 'run', 'workers', 'commands', 'bench', 'cli'],
};
/** What stands in `test/` beside the folders that are named like the rooms whose tests they hold. */
const TEST_FOLDERS = ['bare', 'fakes', 'fixtures', 'golden', 'live', 'mutated', 'simulation', 'soak'];

/** Rooms that compute and nothing else: no package, nothing of Node's. */
const PURE = [
  ...['model', 'stats', 'measurement', 'calibration', 'comparison', 'tree', 'advice', 'gate'],
  ...['replication/papers', 'replication', 'findings'],
];
/** Rooms that run before any package is installed. */
const BARE = ['setup'];

/** What only one room of those that a study runs through may import. */
const ONLY: Readonly<Record<string, string>> = {
  'node:child_process': 'system',
  'node:sqlite': 'store',
  bullmq: 'workers',
  ioredis: 'workers',
};

const files = globSync(['harness/**/*.{ts,mjs}', 'sites/**/*.ts', 'reports/{,*/}*.ts', 'test/**/*.{ts,mjs}']);

/**
 * The spread of an object literal inside another, with a condition or without: the type checker looks for fields that do not belong
 * in neither. A field that may be absent is plain: `name: isKnown ? name : undefined`.
 */
const INLINE_SPREAD = /\.\.\.(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?(?:&&|[^?]\?)\s*)?\{/g;

describe.each(files)('%s', (file) => {
  const room = roomOf(file);
  const code = readFileSync(file, 'utf8');
  const imports = [...code.matchAll(/(?:^import .*?|^\} from |^export .*? from |import\()\s*'([^']+)'/gm)].map(
    (match) => match[1]!,
  );

  test('spreads no object literal inside another', () => {
    expect(code.match(INLINE_SPREAD) ?? []).toEqual([]);
  });

  test('imports only rooms that it may', () => {
    const allowed = { ...MAY_IMPORT, ...RUN }[room];
    expect(allowed).toBeDefined();
    const own = imports
      .filter((path) => path.startsWith('.'))
      .map((path) => new URL(path, `file:///${file}`).pathname.slice(1));
    const isAllowed = (path: string) => allowed!.some((each) => `${inHouse(path)}/`.startsWith(`${each}/`));
    expect(own.filter((path) => roomOf(path) !== room && !isAllowed(path))).toEqual([]);
  });

  test('imports nothing that belongs to another room', () => {
    const outside = imports.filter((path) => !path.startsWith('.'));
    if (PURE.includes(room)) expect(outside).toEqual([]);
    if (BARE.includes(room)) expect(outside.filter((path) => !path.startsWith('node:'))).toEqual([]);
    if (room === 'setup' || room === 'test') return;
    expect(outside.filter((path) => ONLY[path] !== undefined && ONLY[path] !== room)).toEqual([]);
  });
});

test('the path of a file is read from its address with what is encoded there: a space, or a letter beyond ASCII', () => {
  const others = [...files, 'jest.config.mjs', ...globSync('.ci/*.mjs')];
  expect(others.filter((file) => /import\.meta\.url\)\.pathname/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('BullMQ and the client of Redis are loaded in one place, once somebody asks for workers', () => {
  const loads = (file: string) =>
    /^import \{[^}]*\} from '(bullmq|ioredis)'|import\('(bullmq|ioredis)'\)/m.test(readFileSync(file, 'utf8'));
  const loading = files.filter((file) => file.startsWith('harness/') && loads(file));
  expect(loading).toEqual(['harness/workers/redis.ts']);
  expect(readFileSync('harness/workers/redis.ts', 'utf8')).not.toMatch(/^import \{[^}]*\} from '(bullmq|ioredis)'/m);
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

/** The innermost room that a file is in. */
function roomOf(file: string): string {
  const path = inHouse(file);
  const nested = Object.keys(MAY_IMPORT).find((room) => room.includes('/') && path.startsWith(`${room}/`));
  return nested ?? path.split('/')[0]!;
}

/** Where a file is, seen from the house that the rooms are in, without its ending: `comparison/records`. */
function inHouse(file: string): string {
  return file.replace(/^harness\//, '').replace(/\.\w+$/, '');
}
