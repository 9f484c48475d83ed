import { expect, test } from '@jest/globals';
import type { RemoteSite } from '../../../harness/model/remote.ts';
import { describeRemote } from '../../../harness/site/remote/remote-text.ts';

const SITE: RemoteSite = {
  asked: 'http://shop.example/',
  url: 'https://shop.example/',
  atMs: Date.UTC(2026, 0, 2),
  by: 'Chrome/156',
  origins: [
    {
      origin: 'https://shop.example',
      host: 'shop.example',
      port: 443,
      address: '192.0.2.7',
      tcp: 'h2',
      h3: 'answers',
      rttMs: 4.25,
    },
    { origin: 'http://old.example', host: 'old.example', port: 80, address: '192.0.2.8', tcp: 'h1c', h3: 'untold' },
  ],
  objects: [{ url: 'https://shop.example/', required: true }],
  bytes: 90_000,
  trusted: ['c3BraQ=='],
  notes: ['It rained.'],
};

test('what was found is told in full', () => {
  expect(describeRemote(SITE)).toBe(`https://shop.example/, as Chrome/156 found it at 2026-01-02T00:00:00.000Z

Names lead to these addresses for the whole study, and no other name leads anywhere:
  https://shop.example at 192.0.2.7, 4.3 ms away: HTTP/2, answers over HTTP/3
  http://old.example at 192.0.2.8: HTTP/1.1 in the clear, tells of no HTTP/3

What came each time, and must:
  https://shop.example/

Certificates are accepted for these keys, valid or not:
  c3BraQ==

It rained.
`);
});

test('nothing is said of what there is nothing of', () => {
  const text = describeRemote({ ...SITE, trusted: [], notes: [] });
  expect(text).not.toMatch(/Certificates|rained/);
  expect(text.endsWith('  https://shop.example/\n')).toBe(true);
});
