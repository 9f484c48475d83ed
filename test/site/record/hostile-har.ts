/** A HAR that was made to break out of wherever it is kept or served. */

interface Entry {
  readonly url: string;
  readonly method?: string;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly text?: string;
  /** The size that it claims for its body. */
  readonly size?: number;
  readonly mimeType?: string;
  readonly type?: string;
}

export const LONG = 'v'.repeat(65_536);
export const MANY = 10_000;
const ORIGIN = 'https://evil.test:8443';
export const PAGE = `${ORIGIN}/`;

/** Served again, each as it was recorded, by the path that a browser would ask for. */
export const SERVED: readonly (Entry & { readonly path: string })[] = [
  { url: PAGE, path: '/', text: '<!doctype html>evil', mimeType: 'text/html' },
  { url: `${ORIGIN}/../../../../etc/passwd`, path: '/etc/passwd', text: 'not the password' },
  { url: `${ORIGIN}/a`, path: '/a', text: 'small' },
  { url: `${ORIGIN}/A`, path: '/A', text: 'large' },
  { url: `${ORIGIN}/$host;}{"'\\?a="}';$uri{}`, path: `/$host;%7D%7B%22'/?a=%22}%27;$uri{}`, text: 'quotes' },
  { url: `${ORIGIN}/${'n'.repeat(300)}`, path: `/${'n'.repeat(300)}`, text: 'three hundred' },
  { url: `${ORIGIN}/${'m'.repeat(20_000)}`, path: `/${'m'.repeat(20_000)}`, text: 'twenty thousand' },
  { url: `${ORIGIN}/CON`, path: '/CON', text: 'no file is called so', headers: [['X-Long', LONG]] },
  {
    url: `${ORIGIN}/headers`,
    path: '/headers',
    text: 'h',
    status: 404,
    headers: [
      ['Link', '</a>; rel=preload'],
      ['Link', '</b>; rel=preload'],
      ['X-Conf', '";} location / { root /; } # $host $uri'],
      ['X-Bytes', '\xe4\xf6\xfc'],
    ],
  },
  { url: `${ORIGIN}/moved`, path: '/moved', status: 301, headers: [['Location', '/a?b=$c']] },
  { url: `${ORIGIN}/nothing`, path: '/nothing', status: 204 },
  { url: `${ORIGIN}/br`, path: '/br', text: 'brotli '.repeat(500), headers: [['Content-Encoding', 'br']] },
  { url: `${ORIGIN}/orders`, path: '/orders', text: 'o', headers: [['X-Accel-Redirect', '/etc/passwd']] },
];

/** Left out, with what a line must say of it. */
export const REFUSED: readonly (Entry & { readonly says: RegExp })[] = [
  {
    url: `${ORIGIN}/..%2f..%2f..%2fetc/passwd`,
    text: 'x',
    says: /^GET .*%2fetc\/passwd: no lab can serve such an address$/,
  },
  { url: `${ORIGIN}/%00.html`, text: 'x', says: /%00.html: no lab can serve/ },
  { url: `${ORIGIN}/100%`, text: 'x', says: /100%: no lab can serve/ },
  { url: 'https://evil.test;}server{listen/', text: 'x', says: /evil.test;}server{listen\/: no lab can serve/ },
  { url: 'https://[::1]/', text: 'x', says: /\[::1\]\/: no lab can serve/ },
  { url: `${ORIGIN}/${'u'.repeat(40_000)}`, text: 'x', says: /u: no lab can serve/ },
  { url: `${ORIGIN}/cut`, text: 'only this', size: 1000, says: /cut: cut short: 9 of 1000 bytes are in the HAR/ },
  { url: `${ORIGIN}/bodiless`, size: 1000, says: /bodiless: its body is not in the HAR/ },
  { url: `${ORIGIN}/status`, status: 99, text: 'x', says: /status: no answer has the status 99/ },
  { url: `${ORIGIN}/status`, status: 0, says: /status: it has no answer/ },
  { url: `${ORIGIN}/method`, method: 'GET / HTTP/1.1\r\nX: y', text: 'x', says: /no such request can be served/ },
  { url: 'wss://evil.test/', status: 101, says: /^WebSocket wss:\/\/evil.test\/: .*refused/ },
];

/** Headers that are left out of a response that is served. */
export const REFUSED_HEADERS: readonly (readonly [name: string, value: string, says: RegExp])[] = [
  ['X-Inject', 'a\r\nSet-Cookie: owned=1', /header "X-Inject" of GET .*characters that no header may have/],
  ['X-Null', 'a\0b', /header "X-Null"/],
  ['X Space', 'a', /header "X Space"/],
  ['X-Name\r\nY', 'a', /header "X-Name\\r\\nY"/],
  ['X-Longest', 'w'.repeat(130_000), /header "X-Longest" of .*what servers take/],
];

/** The HAR, with ten thousand objects besides, or as many as are wanted. */
export function makeHostileHar(count = MANY): string {
  const many = Array.from(
    { length: count },
    (_, i): Entry => ({ url: `${ORIGIN}/o/${i}?$i=${i}`, text: `object ${i}` }),
  );
  const injected: Entry = {
    url: `${ORIGIN}/injected`,
    text: 'injected',
    headers: [...REFUSED_HEADERS.map(([name, value]) => [name, value] as const), ['X-Good', 'yes']],
  };
  return JSON.stringify({
    log: {
      creator: { name: 'Somebody\r\n"; }', version: '0' },
      entries: [...SERVED, ...REFUSED, injected, ...many].map(renderEntry),
    },
  });
}

function renderEntry({ url, method = 'GET', status = 200, headers = [], text, size, mimeType }: Entry) {
  const type = ['Content-Type', mimeType ?? 'text/plain'] as const;
  return {
    startedDateTime: '2026-11-21T12:00:00.000Z',
    request: { method, url, httpVersion: 'HTTP/2', headers: [] },
    response: {
      status,
      httpVersion: 'HTTP/2',
      bodySize: -1,
      headers: [type, ...headers].map(([name, value]) => ({ name, value })),
      content: { mimeType: type[1], text, size: size ?? text?.length ?? 0 },
    },
    timings: { wait: 12, connect: -1, ssl: -1 },
  };
}
