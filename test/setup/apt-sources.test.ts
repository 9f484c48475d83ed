import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseListFile, parseSourcesFile, pickMirror, readAptSources } from '../../harness/setup/apt-sources.mjs';

const mirror = 'http://mirror.example/debian';
const bookworm = { id: 'debian', codename: 'bookworm' };

describe('a one-line file', () => {
  test.each([
    [`deb ${mirror} bookworm main contrib`, [{ uri: mirror, suite: 'bookworm', components: ['main', 'contrib'] }]],
    [
      `  deb\t[arch=amd64 signed-by=/k.gpg]\t${mirror} sid main # ours`,
      [{ uri: mirror, suite: 'sid', components: ['main'] }],
    ],
    [`deb [ trusted=yes ] ${mirror} ./`, [{ uri: mirror, suite: './', components: [] }]],
    [`deb-src ${mirror} bookworm main`, []],
    [`# deb ${mirror} bookworm main`, []],
    ['', []],
    ['debian is nice', []],
  ])('%j', (text, expected) => {
    expect(parseListFile(text)).toEqual(expected);
  });
});

describe('a deb822 file', () => {
  test('gives a source for each address and suite, and joins lines that go on', () => {
    const text = [
      '# A comment',
      'Types: deb deb-src',
      `URIs: ${mirror}`,
      '  http://second.example/debian',
      'Suites: bookworm',
      '# in between',
      '\tbookworm-updates',
      'Components: main contrib',
      'Signed-By:',
      ' -----BEGIN PGP PUBLIC KEY BLOCK-----',
      ' .',
      ' URIs: nothing',
      '',
      'types: deb',
      'uris: http://third.example/debian',
      'suites: sid',
      'components: main',
    ].join('\n');
    expect(parseSourcesFile(text).map(({ uri, suite }) => `${uri} ${suite}`)).toEqual([
      `${mirror} bookworm`,
      `${mirror} bookworm-updates`,
      'http://second.example/debian bookworm',
      'http://second.example/debian bookworm-updates',
      'http://third.example/debian sid',
    ]);
  });

  test.each(['no', 'No', 'false', '0', 'off'])('Enabled: %s disables', (value) => {
    const text = `Types: deb\nURIs: ${mirror}\nSuites: sid\nComponents: main\n`;
    expect(parseSourcesFile(`${text}Enabled: ${value}\n`)).toEqual([]);
    expect(parseSourcesFile(`${text}Enabled: yes\n`)).toHaveLength(1);
  });

  test('leaves out sources of source packages', () => {
    expect(parseSourcesFile(`Types: deb-src\nURIs: ${mirror}\nSuites: sid\nComponents: main\n`)).toEqual([]);
  });
});

describe('the mirror', () => {
  const source = (uri: string, suite = 'bookworm', components = ['main']) => ({ uri, suite, components });

  test.each([
    ['the suite of the machine', [source(mirror)], mirror],
    ['its updates', [source(mirror, 'bookworm-updates')], mirror],
    ['a suite by its other name', [source(mirror, 'stable')], mirror],
    [
      'a list of mirrors',
      [source('mirror+file:/etc/apt/mirrors/debian.list')],
      'mirror+file:/etc/apt/mirrors/debian.list',
    ],
    ['not security, by suite', [source('http://mirror.example/debian-sec', 'bookworm-security')], null],
    ['not security, by address', [source('http://mirror.example/debian-security', 'bookworm')], null],
    ['not a CD', [source('cdrom:[Debian 12]/'), source('file:/srv/debian'), source('copy:/srv/debian')], null],
    [
      'not a third party',
      [source('http://vendor.example', 'nodistro'), source('http://vendor.example', 'bookworm-pgdg')],
      null,
    ],
    ['not a third party under the same suite', [source('http://vendor.example', 'bookworm', ['stable'])], null],
    [
      'the first that fits',
      [source('cdrom:x'), source('http://a.example'), source('http://b.example')],
      'http://a.example',
    ],
    ['none', [], null],
  ])('%s', (_, sources, expected) => {
    expect(pickMirror(sources, bookworm)).toBe(expected);
  });

  test('is no Debian mirror on another distribution', () => {
    expect(pickMirror([source(mirror, 'noble')], { id: 'ubuntu', codename: 'noble' })).toBeNull();
  });

  test('is found on unstable, which has no codename', () => {
    expect(pickMirror([source(mirror, 'sid')], { id: 'debian', codename: null })).toBe(mirror);
  });
});

describe('the files of a machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-apt-'));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('are both kinds, and no others', () => {
    const parts = join(folder, 'sources.list.d');
    mkdirSync(parts);
    writeFileSync(join(folder, 'sources.list'), 'deb http://a.example bookworm main\n');
    writeFileSync(join(parts, 'b.list'), 'deb http://b.example bookworm main\n');
    writeFileSync(join(parts, 'c.sources'), 'Types: deb\nURIs: http://c.example\nSuites: bookworm\nComponents: main\n');
    writeFileSync(join(parts, 'd.list.disabled'), 'deb http://d.example bookworm main\n');
    expect(readAptSources(folder).map(({ uri }) => uri)).toEqual([
      'http://a.example',
      'http://b.example',
      'http://c.example',
    ]);
    expect(readAptSources(join(folder, 'nowhere'))).toEqual([]);
  });
});
