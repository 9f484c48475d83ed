import { describe, expect, test } from '@jest/globals';
import { findDebianServers, unfitHaproxy, upstreamVersion } from '../../harness/setup/debian-servers.mjs';

// Part of what `haproxy -vv` says in sid.
const sid = `HAProxy version 3.2.26-1 2026/10/14
Status: long-term supported branch - will stop receiving fixes around Q2 2030.
Feature list : -51DEGREES +ACCEPT4 +OPENSSL -OPENSSL_AWSLC +PROMEX -PTHREAD_EMULATION +QUIC -QUIC_OPENSSL_COMPAT +RT +SLZ
`;

describe('an HAProxy is', () => {
  test.each([
    ['fit', sid, []],
    ['older', sid.replace('3.2.26-1', '2.6.12-1+deb12u4'), ['has HAProxy 2.6.12, older than 3.2']],
    ['without QUIC', sid.replace('+QUIC ', '-QUIC '), ['has an HAProxy without QUIC']],
    [
      'by the detour',
      sid.replace('-QUIC_OPENSSL_COMPAT', '+QUIC_OPENSSL_COMPAT'),
      ["has an HAProxy that does without OpenSSL's QUIC"],
    ],
    ['none', 'error while loading shared libraries', ['has an HAProxy that does not run']],
  ])('%s', (_, text, reasons) => {
    expect(unfitHaproxy(text)).toEqual(reasons);
  });
});

test.each([
  ['3.2.26-1', '3.2.26'],
  ['2.4.69-1+b2', '2.4.69'],
  ['1:1.3.dfsg+really1.3.2-4', '1.3.dfsg'],
])('the version %s is %s', (version, upstream) => {
  expect(upstreamVersion(version)).toBe(upstream);
});

test('there are none in a folder that was not finished', () => {
  expect(findDebianServers('/nowhere', 'x64')).toBeNull();
});
