import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type Exchange, type Header, headerOf } from '../../../harness/model/recording.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { MANIFEST_SCHEMA } from '../../../harness/site/record/manifest-schema.ts';
import type { ReadRecording } from '../../../harness/site/record/store.ts';
import { certificateNames, findServers, pageUrl } from '../../../harness/site/replay/addresses.ts';
import { secureRecording } from '../../../harness/site/replay/secure-origins.ts';
import { watchProcessorTime } from '../../processor-time.ts';

type Answer = Partial<Exchange> & { readonly url: string; readonly text?: string; readonly type?: string };

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript';

function recordingOf(answers: readonly Answer[], url = answers[0]!.url): ReadRecording {
  const { manifest, bodies } = keepPage(
    {
      url,
      atMs: 1,
      device: 'desktop',
      by: 'a test',
      leftOut: [],
      notes: ['a note'],
      exchanges: answers.map(
        ({ text = '', type = HTML, headers = [], ...rest }, wantedMs): Exchange => ({
          method: 'GET',
          requestHeaders: [],
          status: 200,
          wantedMs,
          kind: 'Other',
          bodyIs: 'encoded',
          headers: [['Content-Type', type], ...headers],
          body: Buffer.from(text, 'latin1'),
          ...rest,
        }),
      ),
    },
    { site: 'a', keepSecrets: true, seed: 7 },
  );
  return { site: { root: '/nowhere', manifest }, bodies, leftOut: [] };
}

/** What each address is answered with: its text, or where it leads. */
function answersOf({ site: { manifest }, bodies }: ReadRecording): Record<string, string> {
  return Object.fromEntries(
    manifest.responses.map(({ url, body, status, headers }) => [
      url,
      headerOf(headers, 'location') ?? (body === undefined ? `${status}` : decoded(bodies.get(body)!, headers)),
    ]),
  );
}

function decoded(body: Buffer, headers: readonly Header[]): string {
  const decode = { gzip: gunzipSync, br: brotliDecompressSync }[headerOf(headers, 'content-encoding') ?? ''];
  return (decode ? decode(body) : body).toString('latin1');
}

/** What holds of any recording: bodies are what they are called, the manifest is one, origins have TLS and a name. */
function expectSound(read: ReadRecording): void {
  const { manifest } = read.site;
  expect(MANIFEST_SCHEMA.parse(manifest)).toEqual(manifest);
  for (const [sha256, body] of read.bodies) expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
  for (const { body, bytes, content, headers } of manifest.responses) {
    expect(body === undefined ? 0 : read.bodies.get(body)!.length).toBe(bytes);
    if (body === undefined || !content) continue;
    const text = Buffer.from(decoded(read.bodies.get(body)!, headers), 'latin1');
    expect(content).toEqual({ bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') });
  }
  const origins = findServers(manifest).flatMap((server) => server.origins);
  expect(origins.filter(({ secure }) => !secure)).toEqual([]);
  expect(origins.filter(({ firstParty }) => firstParty).length).toBeGreaterThan(0);
  expect(certificateNames(manifest).filter((name) => !/\.\w+$/.test(name) || /^[\d.]+$/.test(name))).toEqual([]);
  expect(new Set(manifest.origins.map(({ origin }) => origin)).size).toBe(manifest.origins.length);
  expect(secureRecording(read)).toBe(read);
}

test.each<[string, readonly Answer[]]>([
  ['a page over TLS', [{ url: 'https://a.test/', text: 'http://b.test/' }, { url: 'http://b.test/' }]],
  [
    'one that a redirect leads to',
    [{ url: 'http://a.test/', status: 301, headers: [['Location', 'https://a.test/']] }, { url: 'https://a.test/' }],
  ],
])('%s stays as it is', (_, answers) => {
  const read = recordingOf(answers);
  expect(secureRecording(read)).toBe(read);
});

describe('a page of this machine’s', () => {
  const script = 'fetch("http://127.0.0.1:4000/api?from=" + encodeURIComponent(location.origin));';
  const inline = 'const api = "http:\\/\\/127.0.0.1:4000";\r\n';
  const hash = (text: string, algorithm = 'sha384') =>
    `${algorithm}-${createHash(algorithm).update(text, 'latin1').digest('base64')}`;
  const loader = `load("http://localhost:3000/app.js", "${hash(script).replaceAll('/', '\\/')}");`;
  const page = `<!doctype html><script integrity="${hash(loader, 'sha512')}" src="http://localhost:3000/loader.js"></script>
    <script integrity='${hash('same')}' src=/same.js></script><SCRIPT>${inline}</SCRIPT><img src="//localhost:3000/\xe4.png">`;
  const policy = `script-src localhost:3000 '${hash(inline.replace('\r\n', '\n'), 'sha256')}'`;
  const png = Buffer.from('\x89PNG http://localhost:3000/', 'latin1');
  const read = recordingOf([
    { url: 'http://localhost:3000/', status: 302, headers: [['location', 'http://localhost:3000/home']] },
    {
      url: 'http://localhost:3000/home',
      text: page,
      headers: [['content-security-policy', policy]],
      address: '127.0.0.1',
      protocol: 'h1c',
    },
    {
      url: 'http://localhost:3000/loader.js',
      type: SCRIPT,
      body: gzipSync(loader),
      headers: [['Content-Encoding', 'gzip']],
    },
    { url: 'http://localhost:3000/app.js', type: SCRIPT, text: script },
    { url: 'http://localhost:3000/same.js', type: SCRIPT, text: 'same' },
    { url: 'http://localhost:3000/%E4.png', type: 'image/png', body: png },
    {
      url: 'http://127.0.0.1:4000/api?from=http%3A%2F%2Flocalhost%3A3000',
      type: 'application/json',
      text: '{}',
      requestHeaders: [['Origin', 'http://localhost:3000']],
      headers: [['access-control-allow-origin', 'http://localhost:3000']],
    },
    {
      url: 'http://localhost:3000/broken.js',
      type: SCRIPT,
      text: 'http://localhost:3000',
      headers: [['Content-Encoding', 'gzip, dcb']],
    },
    { url: 'http://localhost:3000/part.js', type: SCRIPT, status: 206, text: 'http://localhost:3000' },
    { url: 'http://localhost:3000/app.bin', type: 'application/octet-stream', text: script },
    { url: 'https://cdn.test/a.css', type: 'text/css', text: 'a{}', certificateNames: ['cdn.test'], protocol: 'h3' },
  ]);
  const secured = secureRecording(read);
  const { manifest } = secured.site;
  const answers = answersOf(secured);
  const LOCAL = 'https://localhost.photofinish.test:3000';
  const API = 'https://127-0-0-1.photofinish.test:4000';

  test('is a recording like any other', () => expectSound(secured));

  test('has a name', () => {
    expect(manifest.url).toBe(`${LOCAL}/`);
    expect(pageUrl(manifest)).toBe(`${LOCAL}/home`);
    expect(manifest.origins).toEqual([
      { origin: LOCAL, protocol: 'h1', offersH3: false, address: '127.0.0.1', certificateNames: [] },
      { origin: API, offersH3: false, certificateNames: [] },
      { origin: 'https://cdn.test', protocol: 'h3', offersH3: false, certificateNames: ['cdn.test'] },
    ]);
  });

  test('is called by it in its texts, and in no other bytes', () => {
    expect(answers[`${LOCAL}/app.js`]).toBe(script.replace('http://127.0.0.1:4000', API));
    expect(answers[`${LOCAL}/home`]).toContain(`<img src="//localhost.photofinish.test:3000/\xe4.png">`);
    expect(answers[`${LOCAL}/%E4.png`]).toBe(png.toString('latin1'));
    expect(answers[`${LOCAL}/app.bin`]).toBe(script);
    expect(answers[`${LOCAL}/part.js`]).toBe('http://localhost:3000');
    expect(
      manifest.responses.filter(({ encoded }) => encoded === 'again').map(({ url }) => new URL(url).pathname),
    ).toEqual(['/home', '/loader.js', '/app.js']);
  });

  test('is called by it in its headers and requests', () => {
    const api = manifest.responses.find(({ url }) => url.startsWith(API))!;
    expect(api.url).toBe(`${API}/api?from=https%3A%2F%2Flocalhost.photofinish.test%3A3000`);
    expect(api.requestHeaders).toEqual([['origin', LOCAL]]);
    expect(headerOf(api.headers, 'access-control-allow-origin')).toBe(LOCAL);
    expect(answers[`${LOCAL}/`]).toBe(`${LOCAL}/home`);
  });

  test('names by its hash what has another, and what names that', () => {
    const [appNow, loaderNow] = [answers[`${LOCAL}/app.js`]!, answers[`${LOCAL}/loader.js`]!];
    expect(loaderNow).toBe(`load("${LOCAL}/app.js", "${hash(appNow)}");`);
    const home = manifest.responses.find(({ url }) => url === `${LOCAL}/home`)!;
    expect(answers[home.url]).toContain(`<script integrity="${hash(loaderNow, 'sha512')}" src="${LOCAL}/loader.js">`);
    expect(answers[home.url]).toContain(`integrity='${hash('same')}'`);
    const inlineNow = inline
      .replace('\r\n', '\n')
      .replace('http:\\/\\/127.0.0.1', 'https:\\/\\/127-0-0-1.photofinish.test');
    expect(answers[home.url]).toContain(inlineNow.trim());
    expect(home.headers.filter(([name]) => name === 'content-security-policy').map(([, value]) => value)).toEqual([
      `script-src localhost.photofinish.test:3000 '${hash(inlineNow, 'sha256')}'`,
      'upgrade-insecure-requests',
    ]);
  });

  test('says what was done', () => {
    expect(manifest.notes).toEqual([
      'a note',
      `served over TLS, without which browsers speak neither HTTP/2 nor HTTP/3: http://localhost:3000 as ${LOCAL}, http://127.0.0.1:4000 as ${API}`,
      expect.stringMatching(/^3 of 7 texts named .*upgrade-insecure-requests/),
      '3 hashes that pages name such texts by (integrity, policies) were made anew',
      'a text could not be read, and may name origins as they were',
    ]);
  });
});

const moved = (url: string, location: string): Answer => ({ url, status: 301, headers: [['location', location]] });

test.each<[string, readonly Answer[], Record<string, string>]>([
  [
    'what came over TLS wins',
    [
      { url: 'http://a.test/', text: 'page' },
      { url: 'http://a.test/x', text: 'clear' },
      { url: 'https://a.test/x', text: 'TLS' },
    ],
    { 'https://a.test/': 'page', 'https://a.test/x': 'TLS' },
  ],
  [
    'a redirect to TLS is none',
    [
      { url: 'http://a.test/' },
      moved('http://a.test/x', 'https://a.test/x#top'),
      { url: 'https://a.test/x', text: 'TLS' },
    ],
    { 'https://a.test/': '200', 'https://a.test/x': 'TLS' },
  ],
  [
    'nor is one from TLS',
    [moved('https://a.test/', 'http://a.test/'), { url: 'http://a.test/', text: 'page' }],
    { 'https://a.test/': 'page' },
  ],
  [
    'two that would lead in a circle do not',
    [
      ...[moved('http://a.test/', 'https://a.test/2'), moved('https://a.test/2', 'http://a.test/3')],
      ...[{ url: 'http://a.test/3', text: 'page' }, moved('https://a.test/3', 'http://a.test/')],
    ],
    { 'https://a.test/': 'https://a.test/2', 'https://a.test/2': 'https://a.test/3', 'https://a.test/3': 'page' },
  ],
  [
    'what comes differently each time comes so',
    [moved('http://a.test/', 'http://a.test/'), { url: 'http://a.test/', text: 'page' }],
    { 'https://a.test/': 'page' },
  ],
  [
    'localhost with TLS has a name, and what it loads without has TLS',
    [
      { url: 'https://localhost:8443/', text: '"http://localhost:3000/"' },
      { url: 'http://localhost:3000/', text: 'x' },
    ],
    {
      'https://localhost.photofinish.test:8443/': '"https://localhost.photofinish.test:3000/"',
      'https://localhost.photofinish.test:3000/': 'x',
    },
  ],
])('%s', (_, answers, expected) => {
  const secured = secureRecording(recordingOf(answers));
  expectSound(secured);
  expect(answersOf(secured)).toEqual(expected);
});

test('of two origins that become one what had TLS is known', () => {
  const secured = secureRecording(
    recordingOf([
      { url: 'http://a.test/', protocol: 'h1c', address: '::1' },
      { url: 'https://a.test/x', protocol: 'h2', address: '::2', certificateNames: ['a.test'] },
    ]),
  );
  expect(secured.site.manifest.origins).toEqual([
    { origin: 'https://a.test', protocol: 'h2', address: '::2', certificateNames: ['a.test'], offersH3: false },
  ]);
});

test('somebody’s recording is made whole, in a time that grows with it alone', () => {
  const chain = Array.from({ length: 3_000 }, (_, i) => [
    moved(`http://a.test/${i}`, `https://a.test/${i + 1}`),
    moved(`https://a.test/${i}`, `http://a.test/${(i + 1) % 3_000}`),
  ]).flat();
  const usedMs = watchProcessorTime();
  const secured = secureRecording(
    recordingOf(
      [
        ...chain,
        {
          url: 'http://a.test/bomb',
          body: gzipSync(Buffer.alloc(200_000_000)),
          headers: [['Content-Encoding', 'gzip']],
        },
        { url: 'http://a.test/scripts', text: '<script>'.repeat(200_000) },
        { url: 'http://a.test/hashes', text: `<script>sha256-${'A'.repeat(43)}=`.repeat(20_000) },
        { url: `http://a.test/?${'u=http://localhost/&'.repeat(1_490)}` },
        {
          url: 'http://localhost/',
          headers: [
            ['X-Long', '"//localhost/'.repeat(9_000)],
            ['X-Good', 'yes'],
          ],
        },
        ...Array.from({ length: 3_000 }, (_, i) => ({ url: `http://${i}.localhost/`, text: `http://${i}.localhost/` })),
      ],
      'http://a.test/0',
    ),
  );
  expect(usedMs()).toBeLessThan(20_000);
  const { manifest } = secured.site;
  expect(MANIFEST_SCHEMA.safeParse(manifest).success).toBe(true);
  expect(manifest.leftOut).toEqual([
    { what: 'header "X-Long" of GET http://localhost/', why: expect.stringMatching(/is what servers take/) },
  ]);
  expect(manifest.responses.find(({ url }) => url === 'https://localhost.photofinish.test/')!.headers).toContainEqual([
    'X-Good',
    'yes',
  ]);
});
