import { describe, expect, test } from '@jest/globals';
import {
  explainCommand,
  explainWithoutApt,
  missingPrograms,
  packagesOf,
  perhapsMissing,
  programNames,
} from '../../harness/setup/programs.mjs';

const everything = {
  commands: Object.fromEntries(programNames.map((name) => [name, `/usr/sbin/${name}`])),
  chromium: true,
  fonts: true,
  netem: 'works' as const,
  uml: true,
  nginx: true,
  keyring: true,
  apt: true,
  arch: 'x64',
};
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(everything.commands).filter(([name]) => !names.includes(name)));

describe('what is missing', () => {
  test.each([
    ['nothing', {}, []],
    [
      'the browser and its fonts',
      { chromium: false, fonts: false },
      ['chromium', 'chromium-headless-shell', 'fonts-liberation'],
    ],
    ['two programs of one package', { commands: without('ip', 'tc') }, ['iproute2']],
    [
      'programs',
      { commands: without('nft', 'ethtool', 'tcpdump', 'openssl', 'chrt') },
      ['nftables', 'ethtool', 'tcpdump', 'openssl', 'util-linux'],
    ],
    ['netem', { netem: 'absent' as const, uml: false }, ['user-mode-linux']],
    ['no user-mode kernel where netem works', { uml: false, commands: without('linux.uml') }, []],
    ['no user-mode kernel where netem could not be tried', { netem: 'unknown' as const, uml: false }, []],
    ['no user-mode kernel where there is none', { netem: 'absent' as const, uml: false, arch: 'arm64' }, []],
    ['keys, to take nginx', { nginx: false, keyring: false }, ['debian-archive-keyring']],
    ['no keys where nginx is there', { keyring: false }, []],
    ['nginx, where it cannot be taken', { nginx: false, apt: false, keyring: false }, ['nginx']],
  ])('%s', (_, lack, packages) => {
    expect(packagesOf(missingPrograms({ ...everything, ...lack }))).toEqual(packages);
  });

  test('may be more where netem cannot be tried yet', () => {
    const bare = { commands: without('tc', 'linux.uml'), uml: false, arch: 'x64' };
    expect(packagesOf(perhapsMissing(bare))).toEqual(['user-mode-linux']);
    expect(perhapsMissing({ ...bare, arch: 'arm64' })).toEqual([]);
    expect(perhapsMissing(everything)).toEqual([]);
  });
});

describe('without root', () => {
  const missing = [
    { what: 'ip', package: 'iproute2' },
    { what: 'tc', package: 'iproute2' },
    { what: 'nft', package: 'nftables' },
  ];

  test('one command is named, with exactly what is missing', () => {
    expect(explainCommand(missing, [], { listsLack: false, hasSudo: true })).toBe(
      `missing: ip, tc, nft. Run this once, and then again what you ran:

  sudo apt-get install --no-install-recommends iproute2 nftables`,
    );
  });

  test('lists are brought up to date first where they must be', () => {
    expect(explainCommand(missing, [], { listsLack: true, hasSudo: true })).toContain(
      '\n  sudo apt-get update && sudo apt-get install ',
    );
  });

  test('there may be no sudo', () => {
    const text = explainCommand(missing, [], { listsLack: true, hasSudo: false });
    expect(text).toContain('Run this once as root');
    expect(text).toContain('\n  apt-get update && apt-get install ');
  });

  test('what may be missing too is taken along, and said why', () => {
    const text = explainCommand(missing, [{ what: 'a kernel', package: 'user-mode-linux' }], {
      listsLack: false,
      hasSudo: true,
    });
    expect(text).toContain(' iproute2 nftables user-mode-linux\n');
    expect(text).toContain('(user-mode-linux: for kernels without netem');
  });
});

test('without apt everything is named', () => {
  const text = explainWithoutApt([
    { what: 'tc', package: 'iproute2' },
    { what: 'ethtool', package: 'ethtool' },
  ]);
  expect(text).toContain("missing: tc (Debian's package iproute2), ethtool. There is no apt-get here");
});
