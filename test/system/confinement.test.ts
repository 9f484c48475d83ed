import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeHeld, isHeldWell } from '../../harness/model/held.ts';
import { browserEnvironment, lendToBrowser, tryConfinements } from '../../harness/system/confinement.ts';

const OWN = { prefix: [], asRoot: false, keepsRights: false, sandboxed: true };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-lend-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a browser of another user is lent each file as a copy of its own', () => {
  const files = ['one.txt', 'two.txt'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, file);
  const lend = (file: string) => lendToBrowser(file, folder, { ...OWN, uid: 1 });
  const lent = files.map(lend);
  expect(lent.map((path) => readFileSync(path, 'utf8'))).toEqual(files);
  expect(files.map(lend)).toEqual(lent);
  expect(lent.some((path) => files.includes(path))).toBe(false);
});

test('one that is this user reads the file itself', () => {
  expect(lendToBrowser('/a/file', folder, OWN)).toBe('/a/file');
});

/** What a machine refuses, by a word in the arguments, and how browsers are then held, for root and for others. */
test.each([
  [
    'root',
    [],
    { uid: 65_117, asRoot: false, keepsRights: false, sandboxed: true },
    'as a user without any rights, and',
  ],
  ['root', ['unshare'], { uid: 65_117, asRoot: false, keepsRights: false, sandboxed: false }, 'without its sandbox'],
  ['root', ['--reuid'], { asRoot: true, keepsRights: false, sandboxed: false }, 'as root, without its capabilities'],
  ['root', ['setpriv'], { asRoot: true, keepsRights: true, sandboxed: false }, 'as root, with all that root may do'],
  ['root', ['prlimit'], { asRoot: true, keepsRights: true, sandboxed: false }, 'as root, with all that root may do'],
  ['other', [], { asRoot: false, keepsRights: false, sandboxed: true }, 'as a user without any rights, and'],
  ['other', ['setpriv'], { asRoot: false, keepsRights: true, sandboxed: true }, 'with the rights of the user'],
  ['other', ['prlimit'], { asRoot: false, keepsRights: true, sandboxed: true }, 'with the rights of the user'],
])('%s, where the machine refuses %j', async (user, refused, held, says) => {
  const tried = async (argv: readonly string[]) => !argv.some((word) => refused.some((each) => word.startsWith(each)));
  const { prefix, ...found } = await tryConfinements('/usr/bin/chromium', user === 'root', tried);
  expect(found).toEqual(held);
  expect(describeHeld(found)).toContain(`${says}`);
  expect(isHeldWell(found)).toBe(refused.length === 0);
  const keeps = { '--no-new-privs': !held.keepsRights, '--bounding-set=-all': !held.keepsRights };
  for (const [word, isThere] of Object.entries(keeps)) expect([word, prefix.includes(word)]).toEqual([word, isThere]);
  expect(prefix.some((word) => word.startsWith('--data='))).toBe(!refused.includes('prlimit'));
});

test('what a study from before says of a browser of root’s is that it had all rights', () => {
  expect(describeHeld({ asRoot: true, sandboxed: false })).toContain('with all that root may do');
  expect(describeHeld({ asRoot: false, sandboxed: true })).toContain('without any rights');
});

test('a browser is told nothing of what its caller knows', () => {
  process.env.CI_TOKEN = 'secret';
  try {
    expect(
      Object.keys(browserEnvironment(OWN)).filter(
        (name) => !/^(PATH|HOME|TMPDIR|TZ|USER|LOGNAME|LANG|NODE_COMPILE_CACHE)$/.test(name),
      ),
    ).toEqual([]);
  } finally {
    delete process.env.CI_TOKEN;
  }
});
