import { expect, test } from '@jest/globals';
import { fullTitleOfLink, titleOfLink, wordsForLink } from '../../harness/model/link-title.ts';
import { NAMED_LINKS } from '../../harness/study/named-links.ts';

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

test('a name that does not say what the link is has words beside it; a specification has none', () => {
  expect(fullTitleOfLink('satellite-leo')).toBe('satellite-leo (low-orbit satellite)');
  expect(fullTitleOfLink('fibre')).toBe('fibre');
  expect(fullTitleOfLink('rate=1gbit,rtt=2ms,loss=0%')).toBe('1 Gbit/s, 2 ms, 0 % loss');
  const worded = Object.keys(NAMED_LINKS).filter((name) => wordsForLink(name) !== undefined);
  expect(worded).toEqual(expect.arrayContaining(['satellite-leo', 'satellite-geo', 'wifi-lossy', '4g', '3g-slow']));
});
