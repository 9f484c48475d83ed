import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetchPrivately, openRepository } from '../../harness/setup/private-packages.mjs';

const TOOLS = ['apt-get', 'dpkg-deb', 'gpg'];
const missing = TOOLS.filter((tool) => !['/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${tool}`)));
const debian = missing.length === 0 ? describe : describe.skip;
if (missing.length > 0) console.warn(`a tampered repository cannot be tried here: no ${missing.join(', ')}`);

const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];
let root: string;
let home: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'photofinish-repository-'));
  home = join(root, 'gnupg');
  mkdirSync(home, { mode: 0o700 });
});
afterAll(() => {
  execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' });
  rmSync(root, { recursive: true });
});

const gpg = (...words: string[]) =>
  execFileSync(
    'gpg',
    ['--homedir', home, '--batch', '--yes', '--pinentry-mode', 'loopback', '--passphrase', '', ...words],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Mirror {
  readonly folder: string;
  readonly deb: string;
  readonly packages: string;
  readonly release: string;
}

/** A repository of one package, signed by a key of its own. */
function makeMirror(name: string): Mirror {
  const folder = join(root, name);
  const [tree, pool, dists] = [join(folder, 'tree'), join(folder, 'pool'), join(folder, 'dists/sid')];
  for (const each of [`${tree}/DEBIAN`, `${tree}/usr/sbin`, pool, `${dists}/main/binary-${ARCHITECTURE}`])
    mkdirSync(each, { recursive: true });
  const control = `Package: small\nVersion: 1.0\nArchitecture: ${ARCHITECTURE}\nMaintainer: A <a@example.test>\nDescription: small\n`;
  writeFileSync(`${tree}/DEBIAN/control`, control);
  writeFileSync(`${tree}/usr/sbin/small`, 'the program that was signed\n');
  const deb = `${pool}/small.deb`;
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, deb], { stdio: 'ignore' });
  const bytes = readFileSync(deb);
  const packages = `${dists}/main/binary-${ARCHITECTURE}/Packages`;
  const index = `${control}Filename: pool/small.deb\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n\n`;
  writeFileSync(packages, index);
  const [date, until] = [0, 86_400_000].map((more) => new Date(Date.now() + more).toUTCString());
  const file = ` ${sha256(Buffer.from(index))} ${index.length} main/binary-${ARCHITECTURE}/Packages\n`;
  writeFileSync(
    `${dists}/Release`,
    `Origin: Test\nSuite: sid\nCodename: sid\nDate: ${date}\nValid-Until: ${until}\nArchitectures: ${ARCHITECTURE}\nComponents: main\nSHA256:\n${file}`,
  );
  gpg('--clearsign', '--output', `${dists}/InRelease`, `${dists}/Release`);
  return { folder, deb, packages, release: `${dists}/InRelease` };
}

/** Takes the package from a mirror as setup takes nginx; the mirror is copied from, as if it were far. */
async function take({ folder }: Mirror): Promise<string> {
  const log = join(folder, 'log');
  const lock = openSync(join(folder, 'lock'), 'w');
  const state = join(folder, 'state');
  mkdirSync(state, { recursive: true });
  writeFileSync(log, '');
  try {
    const keyring = join(root, 'keys.gpg');
    const repository = openRepository({ state, mirror: `copy:${folder}`, keyring, arch: process.arch, log, lock });
    const target = join(folder, 'taken');
    const step = { update: () => {} } as never;
    await fetchPrivately({ repository, packages: ['small'], target, judge: () => [], step });
    return readFileSync(join(target, 'usr/sbin/small'), 'utf8');
  } finally {
    closeSync(lock);
  }
}

/** Flips the lowest bit of one byte. */
function flip(file: string, find: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(find);
  expect(at).toBeGreaterThan(-1);
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(file, bytes);
}

debian('a repository', () => {
  beforeAll(() => {
    gpg('--quick-generate-key', 'Test <test@example.test>', 'ed25519', 'sign', 'never');
    writeFileSync(join(root, 'keys.gpg'), gpg('--export'));
  });

  test('that is as it was signed is taken from', async () => {
    expect(await take(makeMirror('intact'))).toBe('the program that was signed\n');
  });

  test.each<[string, (mirror: Mirror) => void, RegExp]>([
    ['a byte of a package is another', ({ deb }) => flip(deb, 'the program'), /Hash Sum mismatch/i],
    ['a byte of its list is another', ({ packages }) => flip(packages, 'Version: 1.0'), /Hash Sum mismatch/i],
    [
      'a byte of what is signed is another',
      ({ release }) => flip(release, 'Origin: Test'),
      /not signed|invalid|BADSIG/i,
    ],
    [
      'its list is not signed',
      ({ release }) => rmSync(release),
      /not signed|no Release file|does not have a Release|signature/i,
    ],
    [
      'its list is signed by somebody else',
      ({ release }) => {
        gpg('--quick-generate-key', 'Other <other@example.test>', 'ed25519', 'sign', 'never');
        const plain = release.replace('InRelease', 'Release');
        gpg('--local-user', 'other@example.test', '--clearsign', '--output', release, plain);
      },
      /NO_PUBKEY|not signed|couldn't be verified|Missing key/i,
    ],
  ])('is refused where %s, and nothing of it is unpacked', async (what, tamper, says) => {
    const mirror = makeMirror(what.replaceAll(' ', '-'));
    tamper(mirror);
    await expect(take(mirror)).rejects.toThrow(says);
    expect(existsSync(join(mirror.folder, 'taken'))).toBe(false);
  });
});
