import { expect, test } from '@jest/globals';
import { titleOfLink } from '../../harness/model/link-title.ts';

test.each([
  ['4g', '4g'],
  ['rate=50mbit,rtt=218ms,loss=2%', '50 Mbit/s, 218 ms, 2 % loss'],
  ['rate=1.5mbit,rtt=18ms,loss=0%', '1.5 Mbit/s, 18 ms, 0 % loss'],
  ['rate=500kbit,rtt=0.5ms,loss=0.25%', '500 kbit/s, 0.5 ms, 0.25 % loss'],
  ['rate=4950kbit,rtt=30ms,loss=0.148%', '4.95 Mbit/s, 30 ms, 0.148 % loss'],
  ['rate=1gbit,rtt=2ms,loss=0%', '1 Gbit/s, 2 ms, 0 % loss'],
  ['rate=50mbit/10mbit,rtt=18ms,loss=0%', 'rate=50mbit/10mbit,rtt=18ms,loss=0%'],
  ['rate=50mbit,rtt=18ms,loss=0%,jitter=5ms', 'rate=50mbit,rtt=18ms,loss=0%,jitter=5ms'],
])('%s is called %s', (name, title) => {
  expect(titleOfLink(name)).toBe(title);
});
