import { describe, expect, test } from '@jest/globals';
import type { RecordedManifest } from '../../../harness/model/recording.ts';
import { nameOrigins } from '../../../harness/site/replay/name-origins.ts';
import { renameInHeader, renameInPage, renameOrigins } from '../../../harness/site/replay/rename-origins.ts';
import { watchProcessorTime } from '../../processor-time.ts';

const namesFor = (...origins: readonly string[]) =>
  nameOrigins({
    responses: [],
    origins: origins.map((origin) => ({ origin, offersH3: false, certificateNames: [] })),
  } as unknown as RecordedManifest);

test.each<[string, string]>([
  ['http://example.com', 'https://example.com'],
  ['http://example.com:8080', 'https://example.com:8080'],
  ['https://example.com:8443', 'https://example.com:8443'],
  ['http://localhost', 'https://localhost.photofinish.test'],
  ['http://localhost:3000', 'https://localhost.photofinish.test:3000'],
  ['https://localhost:3001', 'https://localhost.photofinish.test:3001'],
  ['http://app.localhost:5173', 'https://app.localhost.photofinish.test:5173'],
  ['http://192.168.1.7:8000', 'https://192-168-1-7.photofinish.test:8000'],
  ['http://localhost.example.com', 'https://localhost.example.com'],
  ['http://a.test:443', 'https://a.test'],
])('%s is %s', (origin, expected) => {
  expect(namesFor(origin).origins.get(origin)).toBe(expected);
});

test('no two hosts become one, though somebody knows the rule', () => {
  const { hosts } = namesFor('http://127.0.0.1', 'https://127-0-0-1.photofinish.test', 'http://127-0-0-1.localhost');
  expect(hosts.size).toBe(2);
  expect(new Set([...hosts.values(), '127-0-0-1.photofinish.test']).size).toBe(3);
  const long = Array.from({ length: 5_000 }, (_, i) => `http://${i}.${'l'.repeat(225)}.localhost`);
  expect(new Set(namesFor(...long).hosts.values()).size).toBe(5_000);
});

const names = namesFor(
  'http://localhost:3000',
  'https://localhost:3001',
  'http://127.0.0.1:8000',
  'http://a.test',
  'http://b.test:8080',
  'https://b.test',
  'http://www.w3.org',
);
const LOCAL = 'localhost.photofinish.test';

describe.each<[string, readonly (readonly [string, string])[]]>([
  [
    'what has another name or scheme is called by it',
    [
      ['<a href="http://localhost:3000/x">', `<a href="https://${LOCAL}:3000/x">`],
      ["fetch('http://a.test/')", "fetch('https://a.test/')"],
      ['http://a.test', 'https://a.test'],
      ['http://a.test:80/', 'https://a.test/'],
      ['http://b.test:8080?q', 'https://b.test:8080?q'],
      ['HTTP://LocalHost:3000/', `HTTPS://${LOCAL}:3000/`],
      ['https://localhost:3001/', `https://${LOCAL}:3001/`],
      ['url(http://127.0.0.1:8000/a.png)', 'url(https://127-0-0-1.photofinish.test:8000/a.png)'],
      ['see http://a.test.', 'see https://a.test.'],
      ['new WebSocket("ws://localhost:24678/hmr")', `new WebSocket("wss://${LOCAL}:24678/hmr")`],
      ["'ws://b.test:8080'", "'wss://b.test:8080'"],
      ["'http://localhost:' + port", `'https://${LOCAL}:' + port`],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as scripts have it
      ['`http://localhost:${port}/`', `\`https://${LOCAL}:\${port}/\``],
    ],
  ],
  [
    'however it is written',
    [
      [String.raw`"http:\/\/localhost:3000\/x"`, String.raw`"https:\/\/localhost.photofinish.test:3000\/x"`],
      [String.raw`\"http:\\\/\\\/a.test\\\/\"`, String.raw`\"https:\\\/\\\/a.test\\\/\"`],
      [
        String.raw`"http:\u002F\u002Flocalhost:3000\u002F"`,
        String.raw`"https:\u002F\u002Flocalhost.photofinish.test:3000\u002F"`,
      ],
      [String.raw`"http\x3a\x2f\x2fa.test\x2f"`, String.raw`"https\x3a\x2f\x2fa.test\x2f"`],
      ['?u=http%3A%2F%2Flocalhost%3A3000%2Fx', `?u=https%3A%2F%2F${LOCAL}%3A3000%2Fx`],
      ['?u=http%3a%2f%2fa.test&v=1', '?u=https%3a%2f%2fa.test&v=1'],
      ['?next=%2F%3Fu%3Dhttp%253A%252F%252Fa.test%252F', '?next=%2F%3Fu%3Dhttps%253A%252F%252Fa.test%252F'],
      ['href="http:&#x2F;&#x2F;a.test&#x2F;"', 'href="https:&#x2F;&#x2F;a.test&#x2F;"'],
      [`<script src="//localhost:3000/a.js">`, `<script src="//${LOCAL}:3000/a.js">`],
      [`<script src=//localhost:3000/a.js>`, `<script src=//${LOCAL}:3000/a.js>`],
      [String.raw`"\/\/localhost:3000\/"`, String.raw`"\/\/localhost.photofinish.test:3000\/"`],
      ['srcset="//localhost:3000/1 1x, //localhost:3000/2 2x"', `srcset="//${LOCAL}:3000/1 1x, //${LOCAL}:3000/2 2x"`],
      ['src="//a.test:80/"', 'src="//a.test/"'],
    ],
  ],
  [
    'what only looks like it stays',
    [
      ...['http://a.test.evil.com/', 'http://a.testing/', 'http://xa.test/', 'http://a.test-b/', 'http://a.test_/'],
      ...[
        'http://localhost.evil.com:3000',
        'http://c.test/',
        'http://a.test:8080/',
        'http://b.test/',
        'https://a.test/',
      ],
      ...['//a.test/', '//b.test:8080/', 'ftp://localhost/', 'x//localhost/', 'http:/localhost/', 'localhost:3000'],
      ...['http://a.test@evil.com/', '// localhost:3000', 'http://', 'http://a.test:8080', 'https://b.test/'],
      ...[
        'xmlns="http://www.w3.org/2000/svg"',
        '"http://www.w3.org/1999/xhtml"',
        String.raw`"http:\/\/www.w3.org\/2000\/svg"`,
      ],
    ].map((text) => [text, text] as const),
  ],
])('%s', (_, cases) => {
  test.each(cases)('%s', (text, expected) => {
    expect(renameOrigins(text, names)).toBe(expected);
    expect(renameOrigins(expected, names)).toBe(expected);
  });
});

test.each<[string, string]>([
  [
    '<meta http-equiv="Content-Security-Policy" content="script-src localhost:3000 http://a.test"><p>localhost:3000',
    `<meta http-equiv="Content-Security-Policy" content="script-src ${LOCAL}:3000 https://a.test"><p>localhost:3000`,
  ],
  ['<meta name="author" content="localhost:3000">', '<meta name="author" content="localhost:3000">'],
])('in a page: %s', (page, expected) => {
  expect(renameInPage(page, names)).toBe(expected);
});

test('an icon of the namespaces’ host is an address', () => {
  expect(renameOrigins('http://www.w3.org/Icons/valid-xhtml10', names)).toBe('https://www.w3.org/Icons/valid-xhtml10');
});

test.each<[string, string, string]>([
  ['Location', 'http://localhost:3000/x', `https://${LOCAL}:3000/x`],
  ['Access-Control-Allow-Origin', 'http://a.test', 'https://a.test'],
  [
    'Link',
    '<http://a.test/a.css>; rel=preload, <//localhost:3000/b.js>; rel=preload',
    `<https://a.test/a.css>; rel=preload, <//${LOCAL}:3000/b.js>; rel=preload`,
  ],
  ['Refresh', '0; url=http://a.test/', '0; url=https://a.test/'],
  [
    'Content-Security-Policy',
    "default-src 'self' localhost:3000 *.localhost 127.0.0.1:* http://localhost:* ws: a.test; img-src localhost",
    `default-src 'self' ${LOCAL}:3000 *.${LOCAL} 127-0-0-1.photofinish.test:* https://${LOCAL}:* ws: a.test; img-src ${LOCAL}`,
  ],
  ['Set-Cookie', 'id=xx; Domain=localhost; Path=/', `id=xx; Domain=${LOCAL}; Path=/`],
  ['Set-Cookie', 'id=localhost; domain=a.test', 'id=localhost; domain=a.test'],
  ['X-Host', 'localhost:3000', 'localhost:3000'],
])('%s: %s', (name, value, expected) => {
  expect(renameInHeader([name, value], names)).toEqual([name, expected]);
});

test.each<[string, string]>([
  ['slashes', '/'],
  ['backslashes', '\\'],
  ['schemes', 'http://'],
  ['escapes', 'http%25'],
  ['hosts without an end', 'http://a-'],
  ['dots', 'http://a.........'],
  ['letters', 'http:\\\\\\\\//a'],
  ['ports', '"//localhost:1'],
  ['separators', '";('],
  ['tags', '<meta '],
  ['policies', '<meta content-security-policy '],
])('three million %s take no time', (_, part) => {
  const text = part.repeat(3_000_000 / part.length);
  const usedMs = watchProcessorTime();
  for (const hostile of [text, `http://${text}`, `"//a${text}`]) renameInPage(hostile, names);
  renameInHeader(['Content-Security-Policy', text.slice(0, 100_000)], names);
  renameInHeader(['Set-Cookie', text.slice(0, 100_000)], names);
  expect(usedMs()).toBeLessThan(5_000);
});
