import { expect, test } from '@jest/globals';
import { addressSpaceOf, withoutPrivate } from '../../../harness/browser/record/address-space.ts';
import type { Exchange } from '../../../harness/model/recording.ts';

test.each([
  ['loopback', ['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::ffff:127.0.0.1']],
  ['private', ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.1.1', 'fd00::1', 'fe80::1']],
  ['private', ['::ffff:10.0.0.1']],
  ['public', ['172.32.0.1', '192.0.2.7', '8.8.8.8', '2001:db8::1', '11.0.0.1']],
] as const)('%s: %j', (space, addresses) => {
  for (const address of addresses) expect(addressSpaceOf(address)).toBe(space);
});

const from = (address: string | undefined, url = `https://${address}.test/`) =>
  ({ method: 'GET', url, address }) as Exchange;

test.each([
  ['192.0.2.1', ['192.0.2.1', '192.0.2.9']],
  ['192.168.1.5', ['192.168.1.5', '192.0.2.1', '192.0.2.9', '10.0.0.1']],
  ['127.0.0.1', ['127.0.0.1', '192.0.2.1', '192.0.2.9', '127.0.0.2']],
])('a page at %s is recorded with what came from %j', (page, kept) => {
  const others = ['192.0.2.1', '192.0.2.9', '10.0.0.1', '127.0.0.2', undefined].filter((each) => each !== page);
  const sorted = withoutPrivate([page, ...others].map((address) => from(address)));
  expect(sorted.exchanges.map(({ address }) => address)).toEqual(kept);
  expect(sorted.leftOut).toHaveLength(1 + others.length - kept.length);
  for (const { what, why } of sorted.leftOut)
    expect(why).toMatch(what.includes('undefined') ? /did not say/ : /private address/);
});
