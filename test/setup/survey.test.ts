import { describe, expect, test } from '@jest/globals';
import { nextStep, shouldRaiseBuffers, toolsOf } from '../../harness/setup/survey.mjs';

const nginx = {
  argv: ['/n'],
  version: '1.30.6',
  openssl: '3.6.5',
  source: 'private' as const,
  packages: [],
  suite: 'sid',
};
const server = { argv: ['/s'], version: '3.2.26', openssl: '3.6.5', packages: [], suite: 'sid' };
const servers = { apache: server, haproxy: server };
const ownServers = { caddy: { missing: 'no caddy' }, openlitespeed: { missing: 'no lsws' } };
const missing = [{ what: 'tc', package: 'iproute2' }];

test.each([
  ['all there', {}, null],
  ['nothing there', { nodeModules: false, missing, nginx: null, servers: null }, 'node_modules'],
  ['programs before nginx, which may need the keys', { missing, nginx: null, servers: null }, 'programs'],
  ['the headless shell', { lacksShell: true, nginx: null }, 'shell'],
  ['nginx', { nginx: null, servers: null }, 'nginx'],
  ['the servers that some studies need', { servers: null }, 'servers'],
  ['which are not tried for twice', { servers: null, untaken: 'no network' }, null],
])('what is next: %s', (_, lacking, expected) => {
  expect(
    nextStep({ nodeModules: true, missing: [], lacksShell: false, nginx, servers, untaken: null, ...lacking }),
  ).toBe(expected);
});

describe('the UDP buffers are raised', () => {
  const limits = { 'net.core.rmem_max': 100, 'net.core.wmem_max': 200 };
  const low = { limits, lowBuffers: { 'net.core.rmem_max': { was: 100, set: 7_864_320 } } };
  const tools = (udpBufferBytes: number) => ({
    ...toolsOf({
      chromium: null,
      shell: null,
      nginx,
      servers,
      untaken: null,
      ownServers,
      netem: 'works',
      uml: null,
      commands: {},
      limits,
    }),
    udpBufferBytes,
  });

  test.each([
    ['by root, always', low, tools(100), true, true],
    ['by others the first time', low, null, false, true],
    ['by others not again while nothing has changed', low, tools(100), false, false],
    ['by others after a reboot', low, tools(7_864_320), false, true],
    ['by nobody where they are large', { limits, lowBuffers: {} }, null, true, false],
  ])('%s', (_, survey, known, isRoot, expected) => {
    expect(shouldRaiseBuffers(survey, known, isRoot)).toBe(expected);
  });
});

describe('the tools', () => {
  const uml = { kernel: '/usr/bin/linux.uml', modules: '/usr/lib/uml/modules/6.1.176' };
  const chromium = { path: '/c', version: '1.2.3.4', mtimeMs: 1, size: 2 };
  const shell = { ...chromium, path: '/s' };
  const survey = {
    chromium,
    shell,
    nginx,
    servers,
    untaken: null,
    ownServers,
    commands: { ip: '/ip' },
    limits: { a: 7, b: 5, c: null },
  };

  test.each([
    ['works', uml, 'kernel'],
    ['works', null, 'kernel'],
    ['absent', uml, 'uml'],
    ['absent', null, 'none'],
    ['unknown', uml, 'uml'],
    ['unknown', null, 'none'],
  ] as const)('netem that %s, with %j, is %s', (netem, kernel, expected) => {
    expect(toolsOf({ ...survey, netem, uml: kernel })).toEqual({
      schema: 2,
      chromium,
      shell,
      nginx,
      servers: { ...servers, ...ownServers },
      netem: expected,
      uml: kernel,
      commands: { ip: '/ip' },
      udpBufferBytes: 5,
    });
  });

  test.each([
    [null, 'not taken from Debian yet; to try again: npm run setup -- --servers'],
    ['no network', 'no network; to try again: npm run setup -- --servers'],
  ])('say why there are no other servers: %j', (untaken, missing) => {
    const tools = toolsOf({ ...survey, servers: null, untaken, netem: 'works', uml: null });
    expect(tools.servers).toEqual({ apache: { missing }, haproxy: { missing }, ...ownServers });
  });
});
