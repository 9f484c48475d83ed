import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { seededRandom } from '../../harness/stats/random.ts';
import { renderFont } from '../../sites/font.ts';
import { renderFlag } from '../../sites/png.ts';

/*
 * A shop like many others, on a web of its own: four origins at three addresses, and a server that does not know what
 * records it. It writes down all that it serves.
 *
 *     www.shop.test, cdn.shop.test    one address, one certificate, HTTP/2
 *     fonts.type.test                 HTTP/2
 *     api.shop.test                   HTTP/1.1, thinks for 80 ms, the shop's certificate
 */

export const PORT = 8443;
export const ADDRESSES = {
  'www.shop.test': '127.0.0.12',
  'cdn.shop.test': '127.0.0.12',
  'fonts.type.test': '127.0.0.13',
  'api.shop.test': '127.0.0.14',
} as const;
/** Where the shop is when there is a link between it and its visitors (RFC 5737). */
export const FAR_ADDRESSES: Readonly<Record<Host, string>> = {
  'www.shop.test': '198.51.100.12',
  'cdn.shop.test': '198.51.100.12',
  'fonts.type.test': '198.51.100.13',
  'api.shop.test': '198.51.100.14',
};
export const PAGE = `https://www.shop.test:${PORT}/`;
export const THINK_MS = 80;
export const SECRET = 'hunter2-and-nobody-else';
/** What the page loads, all in all, what its frame, its worker and its service worker load included. */
export const REQUESTS = 80;

type Host = keyof typeof ADDRESSES;

/** One answer as it was sent. */
export interface Served {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** The digest of the body as it went over the wire. */
  readonly sha256: string;
  readonly bytes: number;
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: Buffer | string;
  readonly coding?: 'gzip' | 'br' | 'zstd';
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly thinkMs?: number;
  /** Sends on and never ends. */
  readonly endless?: boolean;
}

const CODINGS = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync };
const CDN = `https://cdn.shop.test:${PORT}`;
const API = `https://api.shop.test:${PORT}`;
const FONTS = `https://fonts.type.test:${PORT}`;
const ANY = { 'access-control-allow-origin': '*' };

const count = <T>(number: number, make: (index: number) => T) => Array.from({ length: number }, (_, i) => make(i + 1));

const HTML = `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css"><link rel="stylesheet" href="${FONTS}/face.css">
<script src="/app.js" defer></script>
${count(8, (i) => `<script src="${CDN}/lib/${i}.js" defer></script>`).join('\n')}
</head><body><h1>Shop</h1>
${count(23, (i) => `<img src="/img/${i}.png" alt="">`).join('\n')}
<img src="/old.png" alt=""><img src="/missing.png" alt="">
<iframe src="${CDN}/frame.html"></iframe>
<div style="height: 9000px"></div>
${count(18, (i) => `<img loading="lazy" width="20" height="20" src="${CDN}/lazy/${i}.png" alt="">`).join('\n')}
</body></html>`;

const APP = `
const get = (url, options) => fetch(url, options).then((r) => r.text()).catch(() => {});
get('${API}/v1/items?ts=' + Date.now());
get('${API}/v1/items?page=2&_=' + Math.random());
get('${API}/v1/track', { method: 'POST', body: JSON.stringify({ id: crypto.randomUUID(), at: Date.now() }) });
get('${API}/v1/settings', { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json', authorization: 'Bearer ${SECRET}' } });
get('/part.bin', { headers: { range: 'bytes=100-299' } });
get('/head', { method: 'HEAD' });
for (let i = 0; i < 3; i += 1) get('/api/poll').then(() => {});
new Image().src = '${API}/pixel.gif?cb=' + Math.random() + '&session=${SECRET}'.slice(0, 0);
new Worker('/worker.js');
navigator.serviceWorker.register('/sw.js');
new EventSource('/events');
new WebSocket('wss://api.shop.test:${PORT}/socket');
for (let i = 1; i <= 5; i += 1) { const s = document.createElement('script'); s.src = '/late/' + i + '.js?v=' + Date.now(); document.body.append(s); }
`;

let polls = 0;

/** Bodies that were made once are kept: a shop's server has better things to do, too. */
const made = new Map<string, Buffer>();

function makeOnce(name: string, make: () => Buffer): Buffer {
  const found = made.get(name) ?? make();
  made.set(name, found);
  return found;
}

function answer(host: Host, method: string, path: string, headers: Http2ServerRequest['headers']): Answer {
  const [, folder = '', name = ''] = path.split('?')[0]!.split('/');
  const png = (bytes: number): Answer => ({
    type: 'image/png',
    body: makeOnce(path, () => renderFlag(seededRandom(Number.parseInt(name, 10), folder), bytes)),
  });
  if (host === 'fonts.type.test') {
    if (folder === 'face.css')
      return {
        type: 'text/css',
        coding: 'br',
        headers: ANY,
        body: "@font-face { font-family: Own; src: url('/sans.woff2') } h1 { font-family: Own }",
      };
    return {
      type: 'font/woff2',
      body: makeOnce(path, () => renderFont({ weight: 400 })),
      headers: { ...ANY, 'cache-control': 'max-age=9' },
    };
  }
  if (host === 'api.shop.test') {
    const cors = { 'access-control-allow-origin': `https://www.shop.test:${PORT}` };
    const allow = {
      ...cors,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': '*, authorization',
    };
    if (method === 'OPTIONS') return { status: 204, headers: allow };
    if (name === 'track') return { status: 204, headers: cors };
    if (folder === 'pixel.gif')
      return {
        type: 'image/gif',
        body: Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64'),
        // A byte that is no UTF-8.
        headers: { 'x-by': 'K\xf6nig 100%' },
      };
    return { type: 'application/json', body: `{"path":"${path}"}`, coding: 'gzip', headers: cors, thinkMs: THINK_MS };
  }
  if (folder === 'img') return png(12_000);
  if (folder === 'lazy') return { ...png(900), headers: { 'cache-control': 'max-age=600' } };
  if (folder === 'lib')
    return { type: 'text/javascript', body: `/* ${'lib '.repeat(900)} */ void ${name[0]}`, coding: 'zstd' };
  if (folder === 'late') return { type: 'text/javascript', body: `void '${path}'` };
  switch (path) {
    case '/':
      return {
        type: 'text/html',
        body: HTML,
        coding: 'gzip',
        headers: {
          'set-cookie': [`id=${SECRET}; HttpOnly; Secure`, 'theme=dark'],
          'strict-transport-security': 'max-age=60',
        },
      };
    case '/style.css':
      return { type: 'text/css', body: 'img { width: 20px; height: 20px }'.repeat(40), coding: 'br' };
    case '/app.js':
      return { type: 'text/javascript', body: APP, coding: 'br', headers: { etag: '"app"' } };
    case '/old.png':
      return { status: 302, headers: { location: '/older.png' } };
    case '/older.png':
      return { status: 301, headers: { location: '/img/99.png' } };
    case '/frame.html':
      return {
        type: 'text/html',
        body: '<!doctype html>frame<script>fetch("/frame.json?r=" + Math.random())</script>',
      };
    case '/frame.json':
      return { type: 'application/json', body: '{}' };
    case '/worker.js':
      return { type: 'text/javascript', body: "fetch('/worker.json?r=' + Math.random())" };
    case '/worker.json':
      return { type: 'application/json', body: '[1]' };
    case '/sw.js':
      return {
        type: 'text/javascript',
        body: "addEventListener('install', (e) => e.waitUntil(fetch('/offline.html'))); addEventListener('fetch', (e) => e.respondWith(new Response('from the worker')))",
      };
    case '/offline.html':
      return { type: 'text/html', body: '<!doctype html>offline' };
    case '/head':
      return { type: 'text/plain', body: 'twelve bytes' };
    case '/api/poll':
      polls += 1;
      return { type: 'text/plain', body: `poll ${polls}`, headers: { 'cache-control': 'no-store' } };
    case '/events':
      return { type: 'text/event-stream', body: 'data: 1\n\n', endless: true };
    case '/part.bin':
      return headers.range === 'bytes=100-299'
        ? {
            status: 206,
            type: 'application/octet-stream',
            body: Buffer.alloc(200, 7),
            headers: { 'content-range': 'bytes 100-299/1000' },
          }
        : { type: 'application/octet-stream', body: Buffer.alloc(1000, 7) };
    default:
      if (path.startsWith('/frame.json')) return { type: 'application/json', body: '{"frame":true}' };
      if (path.startsWith('/worker.json')) return { type: 'application/json', body: '{"worker":true}' };
      return { status: 404, type: 'text/html', body: 'no such thing' };
  }
}

export interface ShopCertificates {
  /** The certificate for the shop's own names; the fonts' is below. */
  readonly shop: { readonly certificate: string; readonly key: string };
  readonly fonts: { readonly certificate: string; readonly key: string };
}

/** Opens the shop, on its addresses of loopback if none are said. */
export async function openShop(certificates: ShopCertificates, at: Readonly<Record<Host, string>> = ADDRESSES) {
  const served: Served[] = [];
  polls = 0;
  const addresses = [...new Set(Object.values(at))];
  const servers = await Promise.all(
    addresses.map(async (address) => {
      const { certificate, key } = address === at['fonts.type.test'] ? certificates.fonts : certificates.shop;
      const options = { cert: readFileSync(certificate), key: readFileSync(key), allowHTTP1: true };
      const server = address === at['api.shop.test'] ? createServer(options) : createSecureServer(options);
      server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) =>
        respond(request, response, served),
      );
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(PORT, address, resolve);
      });
      return server;
    }),
  );
  const sessions = new Set<{ destroy(): void }>();
  for (const server of servers) {
    server.on('session', (session) => sessions.add(session));
    server.on('secureConnection', (socket) => sessions.add(socket));
  }
  return {
    served: served as readonly Served[],
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function respond(request: Http2ServerRequest, response: Http2ServerResponse, served: Served[]): void {
  const authority = request.authority ?? request.headers.host ?? '';
  const host = authority.replace(/:\d+$/, '') as Host;
  const { method, url: path } = request;
  request.resume();
  if (path === '/socket') {
    response.socket.destroy(); // It has none.
    return;
  }
  const {
    status = 200,
    type,
    body = '',
    coding,
    headers = {},
    thinkMs = 0,
    endless,
  } = answer(host, method, path, request.headers);
  const plain = Buffer.from(body as string);
  const bytes = coding ? makeOnce(`${coding} ${plain.toString('latin1')}`, () => CODINGS[coding](plain)) : plain;
  setTimeout(() => {
    if (type !== undefined) response.setHeader('content-type', type);
    if (coding) response.setHeader('content-encoding', coding);
    response.writeHead(status, {
      ...headers,
    });
    if (endless) {
      response.write(bytes);
      return;
    }
    const sent = method === 'HEAD' || status === 204 ? Buffer.alloc(0) : bytes;
    response.end(sent);
    const sha256 = createHash('sha256').update(sent).digest('hex');
    served.push({ method, url: `https://${authority}${path}`, status, sha256, bytes: sent.length });
  }, thinkMs);
}
