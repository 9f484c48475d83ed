import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { originsAt } from '../../harness/model/arm.ts';
import {
  openlitespeed,
  parseOpenLiteSpeedLog,
  renderOpenLiteSpeed,
  renderVirtualHost,
} from '../../harness/server/openlitespeed.ts';
import { expectGolden } from '../golden/golden.ts';
import { originsOf, SETTINGS } from './settings.ts';

const TEMPLATE = readFileSync(new URL('../../nginx/openlitespeed.conf', import.meta.url), 'utf8');

test('the configuration as a whole, and a virtual host', () => {
  const [host] = originsOf(['h3']);
  expectGolden(
    'openlitespeed.conf',
    `${renderOpenLiteSpeed(TEMPLATE, SETTINGS)}\n${renderVirtualHost(host!, SETTINGS)}`,
  );
});

test.each([
  ['cubic', 1],
  ['bbr', 2],
])('the congestion control %s is number %d', (congestion, number) => {
  expect(openlitespeed.congestions).toContain(congestion);
  expect(renderOpenLiteSpeed(TEMPLATE, { ...SETTINGS, congestion })).toContain(`quicCongestionCtrl ${number}\n`);
});

test('each origin has a listener, and a virtual host in a file of its own', () => {
  const files = openlitespeed.render(SETTINGS);
  const [first] = Object.values(files);
  for (const { protocol, reception, port } of originsAt(0)) {
    expect(files[`conf/${protocol}-${reception}.conf`]).toContain(`h3=":${port}"`);
    expect(first).toContain(`address 10.77.0.21:${port}\n`);
  }
});

// Lines as OpenLiteSpeed 1.9.1 wrote them, over HTTP/3, HTTP/2 (at once, and after a while) and in the clear.
const LINES = `1795286934 4433 41819 200 4296 6172 QUIC GET /few-small/flag-3.png?x=a b HTTP/1.1
1795286893 4432 20317 200 400 15975 TLSv1.3 GET /few-small/flag-1.png HTTP/1.1
1795287042 4432 56956 200 1600 137841 TLSv1.3 GET /lazy-200/flag-191.png HTTP/2
1795286893 4434 20318 200 92 3000000 - POST /uploads HTTP/1.1
`;

test('a line is a request as the server saw it', () => {
  expect(parseOpenLiteSpeedLog(LINES)).toMatchObject([
    {
      timeMs: 1_795_286_934_000,
      port: 4433,
      clientPort: 41_819,
      protocol: 'h3',
      tls: 'QUIC',
      method: 'GET',
      request: '/few-small/flag-3.png?x=a b',
      status: 200,
      bodyBytes: 4296,
      seconds: 0.006172,
      resumed: false,
      earlyData: false,
    },
    { port: 4432, protocol: 'h2' },
    { port: 4432, protocol: 'h2' },
    { port: 4434, protocol: 'h1', tls: '', method: 'POST', seconds: 3 },
  ]);
});

test('HTTP/2 is not taken for HTTP/1.1 where that is asked for', () => {
  expect(parseOpenLiteSpeedLog(LINES.replaceAll(' 4432 ', ' 4431 ')).map(({ protocol }) => protocol)).toEqual([
    ...['h3', 'h1', 'h2', 'h1'],
  ]);
});
