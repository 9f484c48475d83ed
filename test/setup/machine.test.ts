import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findChromium, findShell, parseChromiumVersion } from '../../harness/setup/chromium.mjs';
import { findCommands, searchFolders } from '../../harness/setup/commands.mjs';
import { parseOsRelease } from '../../harness/setup/machine.mjs';
import { findUserModeKernel, judgeProbe, probeNetem } from '../../harness/setup/netem.mjs';

const folder = mkdtempSync(join(tmpdir(), 'photofinish-machine-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ['ID=debian\nVERSION_CODENAME=bookworm\nVERSION_ID="12"', { id: 'debian', codename: 'bookworm' }],
  ['VERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble', { id: 'ubuntu', codename: 'noble' }],
  ['ID="opensuse-leap"', { id: 'opensuse-leap', codename: null }],
  ['ID=debian\nVERSION_CODENAME=', { id: 'debian', codename: null }],
  ['', { id: 'unknown', codename: null }],
])('/etc/os-release: %j', (text, expected) => {
  expect(parseOsRelease(text)).toEqual(expected);
});

describe('programs', () => {
  test('are looked for in the system folders too, and never below node_modules', () => {
    const folders = searchFolders('/home/me/p/node_modules/.bin:/opt/bin::relative:/usr/bin');
    expect(folders.slice(0, 2)).toEqual(['/opt/bin', '/usr/bin']);
    expect(folders).toContain('/usr/sbin');
    expect(folders.filter((one) => one.includes('node_modules') || !one.startsWith('/'))).toEqual([]);
    expect(new Set(folders).size).toBe(folders.length);
  });

  test('are files that can be run', () => {
    const path = program('runs', 'true');
    writeFileSync(join(folder, 'text'), '');
    mkdirSync(join(folder, 'folder'));
    expect(findCommands(['runs', 'text', 'folder', 'missing'], ['/nowhere', folder])).toEqual({ runs: path });
  });
});

const machine = {
  platform: 'linux',
  arch: 'x64',
  isRoot: false,
  distribution: { id: 'debian', codename: null },
  aptGet: null,
};

describe('netem', () => {
  test.each([
    [true, '', 'works'],
    [false, 'Error: Specified qdisc kind is unknown.\n', 'absent'],
    [false, 'RTNETLINK answers: No such file or directory\n', 'absent'],
    [false, 'unshare: unshare failed: Operation not permitted\n', 'unknown'],
    [false, 'RTNETLINK answers: Operation not permitted\n', 'unknown'],
  ])('ok %j, saying %j: %s', (ok, stderr, expected) => {
    expect(judgeProbe({ ok, stderr })).toBe(expected);
  });

  test('is not tried without the programs for it', () => {
    expect(probeNetem({ tc: '/sbin/tc' }, { ...machine, env: {}, folders: [] })).toBe('unknown');
  });

  test('is lent by the newest user-mode kernel', () => {
    const modules = join(folder, 'modules');
    mkdirSync(join(modules, '6.1.9'), { recursive: true });
    mkdirSync(join(modules, '6.1.176'));
    const commands = { 'linux.uml': '/usr/bin/linux.uml' };
    expect(findUserModeKernel(commands, modules)).toEqual({
      kernel: '/usr/bin/linux.uml',
      modules: join(modules, '6.1.176'),
    });
    expect(findUserModeKernel({}, modules)).toBeNull();
    expect(findUserModeKernel(commands, join(folder, 'nowhere'))).toBeNull();
  });
});

describe('chromium', () => {
  test.each([
    ['Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)', '156.0.8078.79'],
    ['Google Chrome 141.0.7390.54 ', '141.0.7390.54'],
    ['Google Chrome for Testing 141.0.7390.54', '141.0.7390.54'],
    ['Command requires the chromium snap to be installed.', null],
  ])('%j is %j', (text, version) => {
    expect(parseChromiumVersion(text)).toBe(version);
  });

  test('is the first on the PATH that tells its version, which is asked for once', () => {
    program('chromium', 'echo needs the chromium snap; exit 1');
    const path = program('google-chrome', 'echo Google Chrome 141.0.0.1');
    const search = { ...machine, env: {}, folders: [folder] };
    const found = findChromium(search, null);
    expect(found).toMatchObject({ path, version: '141.0.0.1' });

    const known = { ...found!, version: 'as known' };
    expect(findChromium(search, known)?.version).toBe('as known');
    utimesSync(path, 1, 1);
    expect(findChromium(search, known)?.version).toBe('141.0.0.1');
  });

  test('has a headless shell where there is one of its own version, and no other browser is asked for', () => {
    const chromium = { path: '/c', version: '156.0.0.1', mtimeMs: 1, size: 2 };
    const search = { ...machine, env: {}, folders: [folder] };
    expect(findShell(search, chromium, null)).toBeNull();
    const path = program('chromium-headless-shell', 'echo Chromium 156.0.0.1');
    expect(findShell(search, chromium, null)).toMatchObject({ path, version: '156.0.0.1' });
    expect(findShell(search, { ...chromium, version: '155.0.0.9' }, null)).toBeNull();
    expect(findShell(search, null, null)).toBeNull();
    expect(findShell({ ...search, env: { PHOTOFINISH_CHROMIUM: '/c' } }, chromium, null)).toBeNull();
  });

  test('is the one that is asked for, or an error', () => {
    const path = program('mine', 'echo Chromium 99.0.0.1');
    const search = { ...machine, folders: [] };
    expect(findChromium({ ...search, env: { PHOTOFINISH_CHROMIUM: path } }, null)?.path).toBe(path);
    expect(() => findChromium({ ...search, env: { PHOTOFINISH_CHROMIUM: '/nowhere' } }, null)).toThrow(
      /PHOTOFINISH_CHROMIUM is \/nowhere/,
    );
    expect(findChromium({ ...search, env: {} }, null)).toBeNull();
  });
});
