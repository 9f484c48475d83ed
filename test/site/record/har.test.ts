import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { readHar } from '../../../harness/site/record/har.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';

/** Entries as different browsers write them, each beside a page that is always there. */
const PAGE = {
  startedDateTime: '2026-11-21T12:00:00.000Z',
  request: { method: 'GET', url: 'https://a.test/', httpVersion: 'http/2.0', headers: [] },
  response: {
    status: 200,
    httpVersion: 'http/2.0',
    headers: [{ name: 'Content-Type', value: 'text/html' }],
    content: { size: 2, mimeType: 'text/html', text: 'hi' },
  },
  timings: { wait: 20, connect: 30, ssl: 20 },
};

function entry(response: object, more: object = {}) {
  return {
    startedDateTime: '2026-11-21T12:00:01.000Z',
    request: { method: 'GET', url: 'https://a.test/x', httpVersion: 'HTTP/2', headers: [] },
    response: { status: 200, httpVersion: 'HTTP/2', headers: [], content: {}, ...response },
    ...more,
  };
}

function keep(...entries: readonly object[]) {
  const har = JSON.stringify({ log: { entries: [PAGE, ...entries] } });
  return keepPage(readHar(har, 'a.har'), { site: 'a', keepSecrets: false, seed: 1 });
}

describe('an entry', () => {
  const text = 'a body '.repeat(1000);
  test.each<[string, object, string]>([
    ['of Chromium, binary', entry({ content: { size: 3, text: 'AAEC', encoding: 'base64' } }), '200 3 bytes'],
    ['of Firefox, a redirect', entry({ status: 302, redirectURL: '/y', content: { size: 0 } }), '302 0 bytes'],
    [
      'of WebKit, without a type',
      entry({ content: { size: 2, mimeType: '', text: 'ok' } }, { _resourceType: '' }),
      '200 2 bytes',
    ],
    ['whose body is gone', entry({ content: { size: 5 } }), 'its body is not in the HAR'],
    ['whose body is gone, by its length alone', entry({ content: {}, bodySize: 5 }), 'its body is not in the HAR'],
    ['that has no body', entry({ status: 204, content: { size: 0 } }), '204 0 bytes'],
    ['that is empty', entry({ content: { size: 0 } }), '200 0 bytes'],
    ['of a warm cache, without an answer', entry({ status: 0 }), 'it has no answer: it failed, or came from a cache'],
    ['that failed', entry({ status: 0, _error: 'net::ERR_FAILED' }), 'it failed: net::ERR_FAILED'],
    [
      'of a warm cache, asked again',
      entry({ status: 304, content: { size: 0 } }),
      'nothing had changed; the answer before it will be served',
    ],
    ['of a warm cache, with what it had', entry({ status: 304, content: { size: 2, text: 'ok' } }), '200 2 bytes'],
    [
      'of a WebSocket',
      entry({ status: 101 }, { _resourceType: 'websocket' }),
      'it is no request with an answer; it will be refused',
    ],
    [
      'whose body is cut short',
      entry({ content: { size: 9, text: 'four' } }),
      'cut short: 4 of 9 bytes are in the HAR',
    ],
    ['of a text with a byte order mark', entry({ content: { size: 7, text: 'four' } }), '200 4 bytes'],
    ['of a text that was UTF-16', entry({ content: { size: 10, text: 'four' } }), '200 4 bytes'],
    [
      'in a coding with a dictionary',
      entry({ headers: [{ name: 'content-encoding', value: 'dcb' }], content: { text } }),
      'Photofinish cannot encode it as dcb again',
    ],
    ['without an address', { request: {}, response: {} }, 'it has no request with a method and an address'],
  ])('%s', (_, written, expected) => {
    const { manifest } = keep(written);
    const response = manifest.responses[1];
    expect(response ? `${response.status} ${response.bytes} bytes` : manifest.leftOut[0]!.why).toBe(expected);
    expect(manifest.leftOut).toHaveLength(response ? 0 : 1);
  });

  test.each([1, 9])('that was encoded, as here at level %i, is encoded again, to the length that it had', (level) => {
    const wire = gzipSync(text, { level }).length;
    const headers = [{ name: 'Content-Encoding', value: 'gzip' }];
    const { manifest, bodies } = keep(entry({ headers, bodySize: wire, content: { size: text.length, text } }));
    const response = manifest.responses[1]!;
    expect([response.encoded, response.bytes, bodies.get(response.body!)!.length]).toEqual(['again', wire, wire]);
    expect(response.content!.bytes).toBe(text.length);
  });

  test.each([
    ['h2', 'h2'],
    ['HTTP/2', 'h2'],
    ['http/2.0', 'h2'],
    ['h3', 'h3'],
    ['h3-29', 'h3'],
    ['HTTP/3', 'h3'],
    ['HTTP/1.1', 'h1'],
    ['http/1.1', 'h1'],
    ['unknown', undefined],
    ['', undefined],
  ])('over %j spoke %s', (httpVersion, protocol) => {
    const other = { request: { method: 'GET', url: 'https://b.test/', httpVersion: '', headers: [] } };
    const { manifest } = keep(entry({ httpVersion, content: { size: 0 } }, other));
    expect(manifest.origins.find(({ origin }) => origin === 'https://b.test')!.protocol).toBe(protocol);
  });
});

describe('a text', () => {
  const typeOf = (type: string, text: string, encoding?: string) => {
    const headers = [{ name: 'Content-Type', value: type }];
    const size = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8').length;
    const { manifest, bodies } = keep(entry({ headers, content: { size, text, encoding } }));
    const { headers: kept, body } = manifest.responses[1]!;
    return [kept[0]![1], bodies.get(body!)!.toString('utf8')];
  };
  test.each([
    ['text/html; charset=gbk', 'text/html; charset=utf-8'],
    ['text/html;charset="Shift_JIS"; x=1', 'text/html; x=1; charset=utf-8'],
    ['text/css', 'text/css; charset=utf-8'],
    ['application/javascript; charset=ISO-8859-1', 'application/javascript; charset=utf-8'],
    ['application/json', 'application/json'],
  ])('of %s is UTF-8 now, and says so', (type, now) => {
    expect(typeOf(type, '网页')).toEqual([now, '网页']);
  });
  test('of ASCII alone is what it was', () => {
    expect(typeOf('text/html; charset=gbk', 'plain')).toEqual(['text/html; charset=gbk', 'plain']);
  });
  test('and what is kept as bytes, too', () => {
    const bytes = Buffer.from('网页').toString('base64');
    expect(typeOf('text/html; charset=gbk', bytes, 'base64')).toEqual(['text/html; charset=gbk', '网页']);
  });
});

test('cookies that were joined in one line are several, whatever dates say', () => {
  const value = 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, sid=SECRET; HttpOnly,b=TOO';
  const { manifest } = keep(entry({ headers: [{ name: 'Set-Cookie', value }], content: { size: 0 } }));
  expect(manifest.responses[1]!.headers).toEqual([
    ['Set-Cookie', 'a=x; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
    ['Set-Cookie', 'sid=xxxxxx; HttpOnly'],
    ['Set-Cookie', 'b=xxx'],
  ]);
});

test('a header that came several times is several, secrets are gone, and the way is no thought', () => {
  const request = {
    method: 'GET',
    url: 'https://a.test/x',
    headers: [
      { name: 'Cookie', value: 'id=1' },
      { name: 'Accept', value: '*/*' },
    ],
  };
  const headers = [
    { name: 'set-cookie', value: 'id=secret; Secure\nb=2' },
    { name: ':status', value: '200' },
  ];
  const { manifest } = keep(
    entry({ headers, content: { size: 0 } }, { request, timings: { wait: 110, connect: -1, ssl: -1 } }),
  );
  const [page, response] = manifest.responses;
  expect(response!.headers).toEqual([
    ['set-cookie', 'id=xxxxxx; Secure'],
    ['set-cookie', 'b=x'],
  ]);
  expect(response!.requestHeaders).toEqual([['accept', '*/*']]);
  // 30 ms to connect, of which TLS took 20: ten for a round trip.
  expect([page!.thinkMs, response!.thinkMs]).toEqual([10, 100]);
});

test.each([
  ['no JSON', '{', /a.har is no HAR: .*JSON/],
  ['no log', '{"log":{}}', /a.har is no HAR: it has no log with entries/],
  ['no page', '{"log":{"entries":[]}}', /a.har has no page/],
])('%s is said', (_, json, message) => {
  expect(() => readHar(json, 'a.har')).toThrow(message);
});
