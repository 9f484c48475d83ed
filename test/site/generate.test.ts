import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Recipe, requiredObjects } from '../../harness/model/site.ts';
import { generateSite } from '../../harness/site/generate.ts';
import { RECIPES } from '../../sites/recipes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-sites-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each(['few-small', 'five-400', 'app', 'upload-txt-200kb'])(
  'the manifest of %s tells what is on the disk',
  (site) => {
    const { manifest, root } = generateSite(site, RECIPES[site]!, 5, folder);
    expect(manifest).toMatchObject({ site, seed: 5, document: `/${site}/index.html` });
    const files = [...manifest.objects, ...(manifest.upload ? [manifest.upload] : [])];
    for (const { path, bytes, sha256 } of files) {
      const body = readFileSync(join(root, path));
      expect([bytes, sha256]).toEqual([body.length, createHash('sha256').update(body).digest('hex')]);
    }
    expect(readdirSync(join(root, site)).length).toBe(files.length);
    expect(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'))).toEqual(manifest);
  },
);

function recipe(version: number, onCall: () => void): Recipe {
  return {
    describes: '',
    version,
    *files() {
      onCall();
      yield { name: 'index.html', type: 'text/html', body: Buffer.from(`version ${version}`) };
      yield { name: 'late.json', type: 'application/json', body: Buffer.from('{}'), arrives: 'after-load' };
      yield { name: 'deep/far.png', type: 'image/png', body: Buffer.from(''), arrives: 'on-scroll' };
    },
  };
}

test('a site is made once for each version and seed', () => {
  let calls = 0;
  const make = (version: number, seed: number) =>
    generateSite(
      'tiny',
      recipe(version, () => calls++),
      seed,
      folder,
    );
  const first = make(1, 1);
  expect(make(1, 1)).toEqual(first);
  expect(calls).toBe(1);
  expect(new Set([first.root, make(2, 1).root, make(1, 2).root]).size).toBe(3);
  expect(calls).toBe(3);
});

test('the manifest says what arrives when, and a load must bring what does not wait for a scroll', () => {
  const { manifest } = generateSite(
    'tiny',
    recipe(1, () => {}),
    1,
    folder,
  );
  expect(manifest.objects.map(({ path, arrives }) => [path, arrives])).toEqual([
    ['/tiny/index.html', undefined],
    ['/tiny/late.json', 'after-load'],
    ['/tiny/deep/far.png', 'on-scroll'],
  ]);
  expect(requiredObjects(manifest).map((object) => object.path)).toEqual(['/tiny/index.html', '/tiny/late.json']);
});

test('a recipe that fails leaves nothing that looks like a site', () => {
  const failing: Recipe = {
    describes: '',
    version: 1,
    *files() {
      yield { name: 'index.html', type: 'text/html', body: Buffer.from('') };
      throw new Error('half-way');
    },
  };
  expect(() => generateSite('broken', failing, 1, folder)).toThrow('half-way');
  expect(readdirSync(folder)).toEqual([]);
});

test('labs that make the same site at the same time leave each other alone', () => {
  const twice: Recipe = {
    describes: '',
    version: 1,
    *files() {
      yield { name: 'index.html', type: 'text/html', body: Buffer.from('') };
      const mine = readdirSync(folder);
      other = generateSite('shared', { ...twice, files: onlyIndex }, 1, folder);
      expect(readdirSync(folder).sort()).toEqual(['shared-1-1', ...mine]);
    },
  };
  let other: unknown;
  function* onlyIndex() {
    yield { name: 'index.html', type: 'text/html', body: Buffer.from('') };
    expect(readdirSync(folder)).toHaveLength(2);
  }
  expect(generateSite('shared', twice, 1, folder)).toEqual(other);
  expect(readdirSync(folder)).toEqual(['shared-1-1']);
});
