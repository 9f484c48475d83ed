import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { apache, parseApacheLog, renderApache } from '../../harness/server/apache.ts';
import { expectGolden } from '../golden/golden.ts';
import { originsOf, SETTINGS } from './settings.ts';

const TEMPLATE = readFileSync(new URL('../../nginx/apache.conf', import.meta.url), 'utf8');
const ORIGINS = originsOf(apache.protocols).filter(({ reception }) => reception !== 'discovering');
const CONFIGURATION = renderApache(TEMPLATE, { ...SETTINGS, origins: ORIGINS });

test('the configuration as a whole', () => {
  expectGolden('apache.conf', CONFIGURATION);
});

describe('an origin', () => {
  const hosts = new Map(
    CONFIGURATION.split(/^Listen 10\.77\.0\.21:/m)
      .slice(1)
      .map((text) => [Number(text.slice(0, 4)), text]),
  );

  test.each(ORIGINS.map(({ protocol, reception, port }) => [`${protocol}-${reception}`, port]))(
    '%s is there',
    (_, port) => {
      expect(hosts.get(Number(port))).toBeDefined();
    },
  );

  test('sends as many bytes of headers as nginx', () => {
    const headers = [...hosts.values()].map((text) => /^ {2}Header set (Not-Svc ".*")$/m.exec(text)![1]!);
    for (const header of headers)
      expect(JSON.parse(header.slice('Not-Svc '.length))).toMatch(/^h3=":\d{4}"; ma=86400$/);
  });

  test('gives tickets to those who come back, and to nobody else', () => {
    for (const { protocol, reception, port } of ORIGINS)
      expect(hosts.get(port)!.includes('SSLSessionTickets on')).toBe(reception === 'returning' && protocol !== 'h1c');
  });
});

test('files that it thinks about are looked up in a file of their own', () => {
  const files = apache.render({ ...SETTINGS, origins: ORIGINS });
  expect(Object.keys(files)).toEqual(['apache.conf', 'thinking.map', 'hello.html']);
  expect(files['thinking.map']).toBe('/thoughtful/a.png thinks\n');
});

test('it is told of its modules, which lie beside it', () => {
  const command = apache.command(['/lab/ld.so', '/lab/usr/sbin/apache2'], '/run/folder');
  expect(command).toContain('LoadModule http2_module /lab/usr/lib/apache2/modules/mod_http2.so');
  expect(command.slice(-2)).toEqual(['-f', '/run/folder/apache.conf']);
});

// Lines as Apache 2.4.69 wrote them.
const LINES = `{"timeMs":1795282757161,"port":4442,"clientPort":51954,"protocol":"HTTP/2.0","tls":"TLSv1.3","resumed":"Resumed","method":"GET","request":"/few-small/index.html","status":304,"bodyBytes":0,"microseconds":7311}
{"timeMs":1795282757200,"port":4434,"clientPort":51960,"protocol":"HTTP/1.1","tls":"-","resumed":"-","method":"GET","request":"/few-small/flag-1.png?x=1","status":200,"bodyBytes":400,"microseconds":250}
`;

test('a line is a request as the server saw it', () => {
  expect(parseApacheLog(LINES)).toMatchObject([
    {
      timeMs: 1_795_282_757_161,
      port: 4442,
      clientPort: 51_954,
      protocol: 'h2',
      tls: 'TLSv1.3',
      resumed: true,
      earlyData: false,
      method: 'GET',
      request: '/few-small/index.html',
      status: 304,
      bodyBytes: 0,
      seconds: 0.007311,
    },
    { protocol: 'h1', tls: '', resumed: false, request: '/few-small/flag-1.png?x=1', bodyBytes: 400 },
  ]);
});
