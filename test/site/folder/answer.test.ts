import { expect, test } from '@jest/globals';
import { answerStatic, typeOf } from '../../../harness/site/folder/answer.ts';
import type { FolderFile } from '../../../harness/site/folder/read-folder.ts';

const files = (paths: readonly string[]) =>
  new Map(
    paths.map((path): [string, FolderFile] => [
      path,
      { path, bytes: /big|index/.test(path) ? 5_000 : 10, sha256: 'f'.repeat(64) },
    ]),
  );

const SITE = files([
  ...[
    'index.html',
    '404.html',
    'about.html',
    'blog/index.html',
    'blog/post.html',
    'a b/\xfc.txt',
    'small.css',
    'big.css',
  ],
  ...['big.js', 'big.js.br', 'big.js.gz', 'gz.js', 'gz.js.gz', 'big.png', 'main.8f2c3d1e.css', 'index-DiwrgTda.js'],
  ...['chunk-7GX2K4QZ.js', 'jquery-3.7.1.min.js', 'bootstrap.bundle.js'],
]);
const get = (target: string, more: object = {}) =>
  answerStatic({ files: SITE }, { method: 'GET', target, acceptEncoding: 'gzip, deflate, br, zstd', ...more });

test.each<[string, number, string | undefined]>([
  ['/', 200, 'index.html'],
  ['/?q=/../', 200, 'index.html'],
  ['/index.html', 200, 'index.html'],
  ['/blog/', 200, 'blog/index.html'],
  ['/about', 200, 'about.html'],
  ['/blog/post', 200, 'blog/post.html'],
  ['/a%20b/%C3%BC.txt', 200, 'a b/\xfc.txt'],
  ['/./blog/../about.html', 200, 'about.html'],
  ['/../../about.html', 200, 'about.html'],
  ['/%2e%2e/about.html', 200, 'about.html'],
  ['/about/', 404, '404.html'],
  ['/nothing', 404, '404.html'],
  ['/..%2fabout.html', 400, undefined],
  ['/blog%2fpost.html', 400, undefined],
  ['/%00', 400, undefined],
  ['/%', 400, undefined],
  ['/%ff', 400, undefined],
  ['about.html', 400, undefined],
  ['*', 400, undefined],
  ['//about.html', 404, '404.html'],
  ['/toString', 404, '404.html'],
])('%s: %d %s', (target, status, path) => {
  const answer = get(target);
  expect(answer.status).toBe(status);
  expect(answer.file?.path).toBe(path);
});

test('a folder without its slash leads to it, with its query', () => {
  expect(get('/blog?a=b')).toMatchObject({ status: 301, headers: { location: '/blog/?a=b' } });
});

test('where there is no 404.html a line says so', () => {
  expect(answerStatic({ files: new Map() }, { method: 'GET', target: '/' })).toMatchObject({
    status: 404,
    text: 'not found\n',
  });
});

test('nothing is changed by whatever else is asked', () => {
  expect(get('/', { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(get('/', { method: 'HEAD' }).status).toBe(200);
});

test.each<[string, string | undefined, string, string | undefined, string | undefined]>([
  ['/big.js', 'gzip, br', 'big.js.br', 'br', undefined],
  ['/big.js', 'gzip', 'big.js.gz', 'gzip', undefined],
  ['/big.js', 'br;q=0, gzip;q=0.5', 'big.js.gz', 'gzip', undefined],
  ['/big.js', undefined, 'big.js', undefined, undefined],
  ['/gz.js', 'gzip, br', 'gz.js.gz', 'gzip', undefined],
  ['/big.css', 'gzip, br', 'big.css', 'br', 'br'],
  ['/big.css', 'gzip', 'big.css', 'gzip', 'gzip'],
  ['/small.css', 'gzip, br', 'small.css', undefined, undefined],
  ['/big.png', 'gzip, br', 'big.png', undefined, undefined],
])('%s for %s is %s in %s', (target, acceptEncoding, path, coding, compress) => {
  const { file, headers, compress: done } = get(target, { acceptEncoding });
  expect([file?.path, headers['content-encoding'], done]).toEqual([path, coding, compress]);
});

test.each<[string, string]>([
  ['/', 'public, max-age=0, must-revalidate'],
  ['/main.8f2c3d1e.css', 'public, max-age=31536000, immutable'],
  ['/index-DiwrgTda.js', 'public, max-age=31536000, immutable'],
  ['/chunk-7GX2K4QZ.js', 'public, max-age=31536000, immutable'],
  ['/jquery-3.7.1.min.js', 'public, max-age=0, must-revalidate'],
  ['/bootstrap.bundle.js', 'public, max-age=0, must-revalidate'],
])('%s is kept: %s', (target, expected) => {
  const { headers } = get(target);
  expect(headers['cache-control']).toBe(expected);
  expect(get(target, { ifNoneMatch: `"x", W/${headers.etag}` })).toMatchObject({ status: 304 });
  expect(get(target, { ifNoneMatch: headers.etag, acceptEncoding: '' }).status).toBe(
    headers['content-encoding'] ? 200 : 304,
  );
});

test.each([
  ['a.html', 'text/html; charset=utf-8'],
  ['a.JS', 'text/javascript; charset=utf-8'],
  ['a.webmanifest', 'application/manifest+json'],
  ['a.woff2', 'font/woff2'],
  ['a.b.c', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['LICENSE', 'application/octet-stream'],
])('%s is %s', (path, type) => {
  expect(typeOf(path).type).toBe(type);
});
