import { chmodSync, chownSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { FIGURES } from '../../harness/store/figures.ts';
import { MIGRATIONS, migrate } from '../../harness/store/schema.ts';
import { explain } from '../../harness/store/sqlite-error.ts';
import { openStore, openStoreIfBegun, openStoreToRead } from '../../harness/store/store.ts';
import { expectGolden } from '../golden/golden.ts';
import { blockOf, MACHINE, okLoad, temporaryFolder } from './studies.ts';

const FIRST_VERSION = new URL('../golden/schema-1.sql', import.meta.url);

/** The path of a store that is not there yet, in a folder of its own. */
function newPath() {
  const folder = temporaryFolder();
  return { path: join(folder.path, 'study.sqlite'), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

function schemaOf(path: string): string {
  using database = new DatabaseSync(path);
  const tables = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return [
    ...tables.map(({ sql }) => `${sql};\n`),
    ...['application_id', 'user_version'].map(
      (name) => `PRAGMA ${name} = ${database.prepare(`PRAGMA ${name}`).get()![name]};\n`,
    ),
  ].join('');
}

test('the first version is what it was', () => {
  using at = newPath();
  using database = new DatabaseSync(at.path);
  migrate(database, MIGRATIONS.slice(0, 1));
  expectGolden('schema-1.sql', schemaOf(at.path));
});

describe('an older store', () => {
  const MORE = [...MIGRATIONS, `ALTER TABLE session ADD COLUMN place TEXT DEFAULT 'here'`];

  const STUDY = JSON.stringify({ stopping: { kind: 'exactly', blocks: 3 }, arms: [{ name: 'h2' }] });

  /** A store of the first version, by nothing but SQL. */
  function oldStore() {
    const at = newPath();
    using database = new DatabaseSync(at.path);
    database.exec(readFileSync(FIRST_VERSION, 'utf8'));
    database.exec(`INSERT INTO session VALUES (1, 1000, 1000, '{"cores":2}', '[]')`);
    return at;
  }

  test('of the first version goes on', () => {
    using at = oldStore();
    using store = openStore(at.path);
    expect(store.sessions()).toEqual([{ number: 1, beganMs: 1000, lastMs: 1000, machine: { cores: 2 }, notes: [] }]);
    store.addBlock(1, blockOf(1, [okLoad('c', 0, 'h1')]));
    expect(store.measurements()).toEqual([okLoad('c', 0, 'h1')]);
  });

  test.each([
    ['to write', openStore],
    ['to read', openStoreToRead],
  ])('is brought up to date when it is opened %s', (_, open) => {
    using at = oldStore();
    using store = open(at.path, MORE);
    expect(store.sessions()[0]).toMatchObject({ number: 1, place: 'here' });
  });

  test.each([
    [0o500, 0o400],
    [0o500, 0o600],
    [0o700, 0o400],
  ])('says so where it may not be written (%i, %i)', (folder, file) => {
    using at = oldStore();
    const [owner, other] = [process.geteuid!(), 65_534];
    // Root may write anywhere.
    if (owner === 0) for (const path of [dirname(at.path), at.path]) chownSync(path, other, other);
    chmodSync(at.path, file);
    chmodSync(dirname(at.path), folder);
    try {
      if (owner === 0) process.seteuid!(other);
      expect(() => openStoreToRead(at.path, MORE)).toThrow(
        /^the study in .* is of an earlier version, and this user may not write .* Expected: a copy of the folder/,
      );
    } finally {
      process.seteuid!(owner);
      chmodSync(dirname(at.path), 0o700);
    }
  });

  test('says nothing of the overhead of what brought no payload, which was 0 before', () => {
    using at = oldStore();
    const first = FIGURES.filter(([, { since = 1 }]) => since === 1).map(([name]) => name);
    const trial = (position: number, payloadBytes: number) => {
      const values = first.map((name) => (name === 'payloadBytes' ? payloadBytes : 0));
      return `INSERT INTO trial (serial, position, arm, evidence, status, ${first.join(', ')})
              VALUES (1, ${position}, 'h${position}', '[]', 'ok', ${values.join(', ')});`;
    };
    using database = new DatabaseSync(at.path);
    database.exec(`INSERT INTO block VALUES (1, 1, 'c', 0, '["h0","h1"]', 1000); ${trial(0, 0)} ${trial(1, 500)}`);
    database.exec(`INSERT INTO study VALUES (1, '${STUDY}', '${STUDY}', NULL)`);
    using store = openStore(at.path);
    expect(store.measurements().map((each) => each.status === 'ok' && each.overheadPercent)).toEqual([undefined, 0]);
    // Its loads were watched.
    expect([store.readStudy()?.study.har, store.readStudy()?.plan.har]).toEqual(['full', 'full']);
  });

  test('has the evenness of a crowd where it had the fairness of a pair', () => {
    using at = oldStore();
    const first = FIGURES.filter(([, { since = 1 }]) => since === 1).map(([name]) => name);
    const trial = (position: number, values: Readonly<Record<string, number>>) =>
      `INSERT INTO trial (serial, position, arm, evidence, status, ${first.join(', ')})
       VALUES (1, ${position}, 'h${position}', '[]', 'ok', ${first.map((name) => values[name] ?? (name === 'tabs' ? 'NULL' : 0)).join(', ')});`;
    using database = new DatabaseSync(at.path);
    database.exec(
      `INSERT INTO block VALUES (1, 1, 'c', 0, '["h0","h1"]', 1000); ${trial(0, { tabs: 50, fairness: 0.7 })} ${trial(1, { fairness: 0.9 })}`,
    );
    using store = openStore(at.path);
    const figures = store.measurements().map((each) => each.status === 'ok' && [each.fairness, each.evenness]);
    expect(figures).toEqual([
      [undefined, 0.7],
      [0.9, undefined],
    ]);
  });

  test('without loads watches none', () => {
    using at = oldStore();
    using database = new DatabaseSync(at.path);
    database.exec(`INSERT INTO study VALUES (1, '${STUDY}', '${STUDY}', NULL)`);
    using store = openStore(at.path);
    expect([store.readStudy()?.study.har, store.readStudy()?.plan.har]).toEqual([undefined, undefined]);
  });

  test('stays what it was where a migration fails', () => {
    using at = oldStore();
    const before = schemaOf(at.path);
    expect(() => openStore(at.path, [...MORE, 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1)'])).toThrow(
      /nowhere/,
    );
    const after = schemaOf(at.path);
    expect(after).toContain('place TEXT');
    expect(after).not.toContain('half');
    expect(after).toContain(`user_version = ${MORE.length};`);
    expect(before).toContain('user_version = 1;');
  });
});

describe('is refused, and left as it is', () => {
  test.each([
    ['to write', openStore],
    ['to read', openStoreToRead],
  ])('a newer store, opened %s', (_, open) => {
    using at = newPath();
    using store = openStore(at.path, [...MIGRATIONS, 'CREATE TABLE news (x)']);
    store.beginSession(MACHINE, 1, []);
    const own = MIGRATIONS.length;
    const message = new RegExp(
      `^${at.path} was written by a later Photofinish: .* version ${own + 1}, this one knows ${own}$`,
    );
    expect(() => open(at.path)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
    );
    expect(schemaOf(at.path)).toContain(`user_version = ${own + 1};`);
  });

  test.each([
    ['to write', openStore],
    ['to read', openStoreToRead],
  ])("another program's database, opened %s", (_, open) => {
    using at = newPath();
    using database = new DatabaseSync(at.path);
    database.exec('CREATE TABLE session (x); PRAGMA user_version = 1');
    const before = readFileSync(at.path);
    expect(() => open(at.path)).toThrow(/^.* is no study's store$/);
    expect(readFileSync(at.path)).toEqual(before);
  });
});

describe('what SQLite finds wrong is said in words', () => {
  /** A store with a block in it. */
  function writtenStore() {
    const at = newPath();
    using store = openStore(at.path);
    store.addBlock(store.beginSession(MACHINE, 1, []), blockOf(1, [okLoad('c', 0, 'h1')]));
    return at;
  }
  const said = (name: string, message: RegExp) =>
    expect.objectContaining({ name, message: expect.stringMatching(message) });

  test.each([
    ['cut off', (path: string) => truncateSync(path, 20_000)],
    ['without one of its tables', (path: string) => exec(path, 'PRAGMA foreign_keys = OFF; DROP TABLE trial')],
  ])('a store %s is damaged', (_, damage) => {
    using at = writtenStore();
    damage(at.path);
    const reading = () => {
      using store = openStoreToRead(at.path);
      store.measurements();
    };
    const going = () => {
      using store = openStoreToRead(at.path);
      for (const _trial of store.trials());
    };
    for (const work of [reading, going, () => openStore(at.path)[Symbol.dispose]()])
      expect(work).toThrow(said('UsageError', new RegExp(`^${at.path} is damaged \\(.*\\). Expected: an intact copy`)));
  });

  test('a folder where the store should be cannot be opened', () => {
    using at = newPath();
    mkdirSync(at.path);
    for (const open of [openStore, openStoreToRead])
      expect(() => open(at.path)).toThrow(
        said('EnvironmentError', /cannot be opened, read or written: unable to open/),
      );
  });

  test('a full disk is the machine’s fault, a mistake in a statement is none', () => {
    const failing = (errcode: number, message: string) => () =>
      explain('/s', () => {
        throw Object.assign(new Error(message), { errcode });
      });
    expect(failing(13, 'database or disk is full')).toThrow(said('EnvironmentError', /^no room for \/s \(database or/));
    expect(failing(1, 'near "SELEKT": syntax error')).toThrow(said('Error', /^near/));
  });
});

test('a store that nobody has come to write to is none to read, and may be begun', () => {
  using at = newPath();
  expect(openStoreIfBegun(at.path)).toBeUndefined();
  exec(at.path, 'PRAGMA journal_mode = WAL');
  expect(openStoreIfBegun(at.path)).toBeUndefined();
  expect(() => openStoreToRead(at.path)).toThrow(/nothing was written yet/);
});

function exec(path: string, sql: string): void {
  using database = new DatabaseSync(path);
  database.exec(sql);
}
