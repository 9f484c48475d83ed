import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../../harness/model/errors.ts';
import { findFolder } from '../../../harness/site/folder/find-folder.ts';
import { readFolder } from '../../../harness/site/folder/read-folder.ts';

let outer: string;
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'photofinish-folder-')));
});
afterEach(() => rmSync(outer, { recursive: true }));

const write = (...paths: readonly string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(outer, path)), { recursive: true });
    writeFileSync(join(outer, path), path);
  }
};

describe('a built site', () => {
  beforeEach(() =>
    write(
      'dist/index.html',
      'dist/blog/index.html',
      'dist/blog/A b.html',
      'dist/a.css',
      'h2/index.html',
      'Ünï code/index.html',
      'loose.html',
      'www/html/index.html',
      'www/html/about.html',
      'docs/projects/shop/index.html',
      'docs/projects/shop/pages/sale.html',
      'public/en/about.html',
      'app/package.json',
      'app/build/index.html',
    ),
  );
  test.each<
    [string, { readonly root: string; readonly page: string; readonly name: string; readonly host: string } | undefined]
  >([
    ['dist', { root: 'dist', page: '/', name: 'dist', host: 'dist.photofinish.test' }],
    ['dist/', { root: 'dist', page: '/', name: 'dist', host: 'dist.photofinish.test' }],
    ['./dist/blog/..', { root: 'dist', page: '/', name: 'dist', host: 'dist.photofinish.test' }],
    ['dist/index.html', { root: 'dist', page: '/', name: 'dist', host: 'dist.photofinish.test' }],
    ['dist/blog/index.html', { root: 'dist', page: '/blog/', name: 'dist-blog', host: 'dist.photofinish.test' }],
    [
      'dist/blog/A b.html',
      { root: 'dist', page: '/blog/A%20b.html', name: 'dist-blog-a-b', host: 'dist.photofinish.test' },
    ],
    ['dist/blog', { root: 'dist/blog', page: '/', name: 'blog', host: 'blog.photofinish.test' }],
    [
      'www/html/about.html',
      { root: 'www/html', page: '/about.html', name: 'html-about', host: 'html.photofinish.test' },
    ],
    [
      'docs/projects/shop/pages/sale.html',
      { root: 'docs/projects/shop', page: '/pages/sale.html', name: 'shop-pages-sale', host: 'shop.photofinish.test' },
    ],
    [
      'public/en/about.html',
      { root: 'public', page: '/en/about.html', name: 'public-en-about', host: 'public.photofinish.test' },
    ],
    ['h2', { root: 'h2', page: '/', name: 'h2', host: 'site-h2.photofinish.test' }],
    ['Ünï code', { root: 'Ünï code', page: '/', name: 'n-code', host: 'n-code.photofinish.test' }],
    ['dist/a.css', undefined],
    ['nowhere', undefined],
    ['few-small', undefined],
    ['', undefined],
  ])('%j', (named, expected) => {
    const found = findFolder(named === '' ? '' : join(outer, named));
    const { path, ...rest } = found ?? {};
    expect(found && { ...rest, root: relative(outer, found.root) }).toEqual(expected);
    // It is found again by what is kept of it.
    expect(path && findFolder(path)).toEqual(found);
  });

  test('what has no page says where one may be', () => {
    expect(() => findFolder(join(outer, 'app'))).toThrow(UsageError);
    expect(() => findFolder(join(outer, 'app'))).toThrow(/has no index.html; the built site may be .*app\/build$/);
    expect(() => findFolder(outer)).toThrow(/the built site may be .*dist$/);
    mkdirSync(join(outer, 'empty'));
    expect(() => findFolder(join(outer, 'empty'))).toThrow(/a path to a page in it will do$/);
  });

  test('a page in no such folder is one of its own', () => {
    expect(findFolder(join(outer, 'loose.html'))).toMatchObject({ root: outer, page: '/loose.html' });
  });
});

test('all files are read but hidden ones, and what links lead to elsewhere', () => {
  write('secret.txt', 'dist/index.html', 'dist/a/b.txt', 'dist/.env', 'dist/.git/config', 'dist/..hidden');
  symlinkSync('../secret.txt', join(outer, 'dist/out.txt'));
  symlinkSync('..', join(outer, 'dist/up'));
  symlinkSync('a', join(outer, 'dist/folder'));
  symlinkSync('a/b.txt', join(outer, 'dist/inside.txt'));
  symlinkSync('.env', join(outer, 'dist/env.txt'));
  symlinkSync('nothing', join(outer, 'dist/nothing.txt'));
  symlinkSync('loop', join(outer, 'dist/loop'));
  const { files, leftOut } = readFolder(join(outer, 'dist'));
  expect([...files.keys()]).toEqual(['a/b.txt', 'index.html', 'inside.txt']);
  expect(leftOut).toEqual(['env.txt', 'folder', 'loop', 'nothing.txt', 'out.txt', 'up']);
});

test.each<[string, boolean, () => void]>([
  ['nothing', true, () => {}],
  ['when it was written', true, () => utimesSync(join(outer, 'a/x'), 1, 1)],
  ['a hidden file', true, () => write('a/.x')],
  ['a byte', false, () => appendFileSync(join(outer, 'a/x'), 'y')],
  ['a file more', false, () => write('a/z')],
  [
    'a name',
    false,
    () => {
      rmSync(join(outer, 'a/y'));
      write('a/z');
      writeFileSync(join(outer, 'a/z'), 'a/y');
    },
  ],
])('its digest is another where another is %s: %p', (_, same, change) => {
  write('a/x', 'a/y');
  const before = readFolder(join(outer, 'a')).digest;
  change();
  expect(readFolder(join(outer, 'a')).digest === before).toBe(same);
});

test('folders in each other end somewhere', () => {
  write(`${'d/'.repeat(70)}x`);
  expect(() => readFolder(outer)).toThrow(/more than 64 folders/);
});
