import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GeneratedSite, requiredObjects, type SiteObject } from '../../harness/model/site.ts';
import { RECIPES } from '../../sites/recipes.ts';
import { toldSize } from '../../sites/told-size.ts';
import { readJpeg, readPng } from './formats.ts';

const SEED = 1;

/** Requests and bytes that every load takes, and the objects that wait for a visitor to scroll. */
const EXPECTED: readonly (readonly [site: string, requests: number, bytes: number, waiting: number])[] = [
  ['few-small', 6, 21_865, 0],
  ['few-large', 6, 655_760, 0],
  ['many-small', 51, 217_612, 0],
  ['many-large', 51, 6_556_562, 0],
  ['flags-254', 255, 420_391, 0],
  ['game-of-thrones', 39, 3_000_000, 0],
  ['global-master', 19, 1_000_000, 0],
  ['eforlad-travel', 56, 2_000_000, 0],
  ['article', 49, 1_440_360, 8],
  ['shop', 54, 2_046_568, 12],
  ['app', 71, 1_756_800, 0],
  ['gallery', 58, 3_496_552, 30],
  ['single-2mb', 2, 2_000_906, 0],
  ['single-32mb', 2, 32_000_906, 0],
  ['five-400', 6, 2_300, 0],
  ['lazy-200', 201, 334_543, 0],
  ['upload-txt-200kb', 1, 1_535, 0],
  ['upload-jpg-3mb', 1, 1_535, 0],
  ['upload-mp4-3mb', 1, 1_535, 0],
  ['upload-txt-3mb', 1, 1_535, 0],
  ['upload-jpg-5mb', 1, 1_535, 0],
  ['upload-mp4-5mb', 1, 1_535, 0],
  ['upload-txt-5mb', 1, 1_535, 0],
  ['upload-jpg-8mb', 1, 1_535, 0],
  ['upload-mp4-8mb', 1, 1_535, 0],
  ['upload-txt-8mb', 1, 1_535, 0],
];

/**
 * The digest of each site with seed 1. A change to what a recipe makes must raise its version and write the digest that
 * the test shows here; on a machine where nothing was changed a different digest is a defect.
 */
const DIGESTS = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as Record<string, string>;

const MAKE_SITES = fileURLToPath(new URL('make-sites.ts', import.meta.url));

let folder: string;
const sites = new Map<string, GeneratedSite>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-sites-'));
  const said = execFileSync(process.execPath, [MAKE_SITES, folder, String(SEED)], { encoding: 'utf8' });
  for (const site of JSON.parse(said) as GeneratedSite[]) sites.set(site.manifest.site, site);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('every site is expected, and every expected site is there', () => {
  expect(Object.keys(RECIPES).sort()).toEqual(EXPECTED.map(([site]) => site).sort());
  expect(Object.keys(DIGESTS).sort()).toEqual(Object.keys(RECIPES).sort());
});

describe.each(EXPECTED)('%s', (site, requests, bytes, waiting) => {
  const manifest = () => sites.get(site)!.manifest;
  const nameOf = ({ path }: SiteObject) => path.slice(`/${site}/`.length);
  const read = ({ path }: SiteObject) => readFileSync(join(sites.get(site)!.root, path));
  const readText = (object: SiteObject) => read(object).toString('latin1');

  test('has the requests and bytes that it says', () => {
    const required = requiredObjects(manifest());
    expect(required.length).toBe(requests);
    expect(required.reduce((sum, object) => sum + object.bytes, 0)).toBe(bytes);
    expect(manifest().objects.length - required.length).toBe(waiting);
    const told = toldSize(RECIPES[site]!);
    expect(told.objects).toBe(requests);
    expect(Math.abs(told.bytes - bytes)).toBeLessThan(0.03 * bytes + 450);
    expect(told.uploadBytes).toBe(manifest().upload?.bytes);
  });

  test('is the same on every machine', () => {
    const digest = createHash('sha256');
    const { objects, upload } = manifest();
    for (const { path, sha256, arrives, thinkMs } of [...objects, ...(upload ? [upload] : [])])
      digest.update(`${path} ${sha256} ${arrives}${thinkMs === undefined ? '' : ` ${thinkMs} ms`}\n`);
    expect(`version ${RECIPES[site]!.version}: ${digest.digest('hex')}`).toBe(DIGESTS[site]);
  });

  test('begins with its page, which is valid in itself', () => {
    expect(manifest().objects[0]).toMatchObject({ path: `/${site}/index.html`, type: 'text/html' });
    const page = readText(manifest().objects[0]!);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">\n<meta charset="utf-8">/);
    expect(page).toContain('<link rel="icon" href="data:,">');
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test('has every file that it refers to, each under one name', () => {
    const names = manifest().objects.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    const texts = manifest()
      .objects.filter((object) => /css|javascript|html/.test(object.type))
      .map(readText);
    const referred = texts.flatMap((text) =>
      [...text.matchAll(/ (?:src|href)="([\w.-]+)"|url\(([^)]+)\)|(?:from|import) '\.\/([^']+)'/g)].map((match) => {
        return match.slice(1).find((name) => name !== undefined)!;
      }),
    );
    expect(referred.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('has pictures that decode', () => {
    const widths = manifest().objects.flatMap((object) => {
      if (object.type === 'image/png') return [readPng(read(object)).width];
      return object.type === 'image/jpeg' ? [readJpeg(read(object)).width] : [];
    });
    expect(widths.filter((width) => width < 16)).toEqual([]);
  });

  test('has no text but ASCII, so that characters are bytes', () => {
    for (const object of manifest().objects)
      if (/text|json/.test(object.type)) expect(readText(object)).toMatch(/^[ -~\n]*$/);
  });
});

test.each(['article', 'shop', 'gallery'])('what is lazy on %s is near the fold or below 11,000 pixels', (name) => {
  const { manifest, root } = sites.get(name)!;
  const page = readFileSync(join(root, manifest.document), 'latin1');
  const lazy = [...page.matchAll(/src="([^"]+)"[^>]* loading="lazy"/g)].map((match) => `/${name}/${match[1]}`);
  const special = manifest.objects.filter((object) => object.arrives);
  expect(special.map((object) => object.path)).toEqual(lazy);
  const [near, far] = page.split('style="height:11000px"');
  for (const { path, arrives } of special)
    expect((arrives === 'on-scroll' ? far : near)!).toContain(`src="${path.split('/').at(-1)}"`);
});

test.each(['few-small', 'five-400'])('another seed makes %s of other files that are as large', (site) => {
  const [one, two] = [1, 2].map((seed) => [...RECIPES[site]!.files(seed)].slice(1));
  expect(two!.map(({ name, body }) => [name, body.length])).toEqual(one!.map(({ name, body }) => [name, body.length]));
  for (const [index, file] of two!.entries()) expect(file.body.equals(one![index]!.body)).toBe(false);
});
