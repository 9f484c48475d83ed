import { expect, test } from '@jest/globals';
import type { Origin, Protocol } from '../../harness/model/arm.ts';
import { renderHello, renderReplayServers } from '../../harness/server/replay-nginx.ts';
import { expectGolden } from '../golden/golden.ts';

const origin = (url: string, port: number, protocol: Protocol): Origin => ({
  protocol,
  reception: 'first',
  host: new URL(url).hostname,
  port,
  url,
});

const host = { namespace: 'lab1-server1', address: '10.77.0.21', device: 'eth0' };

test('origins of a recording, as nginx has them', () => {
  const origins = [
    origin('https://www.a.test', 12_000, 'h3'),
    origin('https://cdn.a.test', 12_000, 'h3'),
    origin('https://b.test:8443', 12_001, 'h1'),
    origin('http://c.test', 12_002, 'h1c'),
    { ...origin('https://d.test', 12_003, 'h3'), reception: 'discovering' as const },
  ];
  const text = renderReplayServers({ host, folder: '/run/replay', origins, backend: '127.0.0.1:3000' });
  expectGolden('nginx-replay.conf', `${text}\n`);
  // A socket's options can be said once only.
  expect(text.match(/reuseport/g)).toHaveLength(2);
  const headers = [...text.matchAll(/add_header (...-Svc '.*?') always/g)].map((match) =>
    match[1]!.replace(/:\d+/, ''),
  );
  expect(new Set(headers.map(({ length }) => length)).size).toBe(1);
});

test('a visitor who is to be known afterwards asks each other origin that can be asked, by both kinds of connection', () => {
  const [own, cdn, other] = ['https://www.a.test', 'https://cdn.a.test', 'https://b.test:8443'];
  const hello = renderHello({
    origins: [...[own!, cdn!, other!].map((url) => origin(url, 12_000, 'h3')), origin('http://c.test', 12_001, 'h1c')],
  });
  const asked = [...hello.matchAll(/<img src="(.*?)\/photofinish\/hello\?(with|without)" alt=""(.*?)>/g)];
  expect(asked.map(([, url, how, more]) => [url, how, more!.includes('crossorigin')])).toEqual(
    [cdn, other].flatMap((url) => [
      [url, 'with', false],
      [url, 'without', true],
    ]),
  );
});

const GOOD = origin('https://a.test', 12_000, 'h2');

test.each([
  ['a name that ends the line', { ...GOOD, host: 'a.test; } server { listen 1' }],
  ['a name with a variable', { ...GOOD, host: '$host' }],
  ['an empty name', { ...GOOD, host: '' }],
  ['a port that is none', { ...GOOD, port: Number.NaN }],
  ['an address with more than an origin', { ...GOOD, url: 'https://a.test/; return 200' }],
])('%s is not written', (_, bad) => {
  const render = () => renderReplayServers({ host, folder: '/run/replay', origins: [bad], backend: '127.0.0.1:1' });
  expect(render).toThrow(/nothing that nginx can be told/);
});
