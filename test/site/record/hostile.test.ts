import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readHar } from '../../../harness/site/record/har.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { type ReadRecording, readRecording, writeRecording } from '../../../harness/site/record/store.ts';
import { LONG, MANY, makeHostileHar, PAGE, REFUSED, REFUSED_HEADERS, SERVED } from './hostile-har.ts';

let outer: string;
let read: ReadRecording;
let lines: readonly string[];
beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'photofinish-hostile-'));
  const kept = keepPage(readHar(makeHostileHar(), 'evil.har'), { site: 'evil', keepSecrets: false, seed: 1 });
  writeRecording(kept, join(outer, 'recorded'));
  read = readRecording(join(outer, 'recorded', 'evil'));
  lines = read.site.manifest.leftOut.map(({ what, why }) => `${what}: ${why}`);
});
afterAll(() => rmSync(outer, { recursive: true }));

test('no file is anywhere but where its digest says', () => {
  const files = globSync('**/*', { cwd: outer, withFileTypes: false }).filter((path) =>
    statSync(join(outer, path)).isFile(),
  );
  expect(files.length).toBeGreaterThan(MANY);
  const others = files.filter((path) => !/^recorded\/evil\/bodies\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/.test(path));
  expect(others).toEqual(['recorded/evil/manifest.json']);
  expect(globSync('.*', { cwd: join(outer, 'recorded') })).toEqual([]);
});

test('the page is found, and everything that can be served is there', () => {
  const { manifest } = read.site;
  expect(manifest.url).toBe(PAGE);
  expect(read.leftOut).toEqual([]);
  expect(manifest.responses).toHaveLength(SERVED.length + 1 + MANY);
  const paths = manifest.responses.slice(0, SERVED.length).map(({ url }) => url.replace('https://evil.test:8443', ''));
  expect(paths).toEqual(SERVED.map(({ path }) => path));
  expect(manifest.responses.find(({ url }) => url.endsWith('/CON'))!.headers).toContainEqual(['X-Long', LONG]);
});

test.each(REFUSED.map((each) => [each.says, each] as const))('a line says %s', (says) => {
  expect(lines.filter((line) => says.test(line))).toHaveLength(1);
});

test.each(REFUSED_HEADERS)('header %j is left out alone', (name, _, says) => {
  expect(lines.filter((line) => says.test(line))).toHaveLength(1);
  const { headers } = read.site.manifest.responses.find(({ url }) => url.endsWith('/injected'))!;
  expect(headers.map(([each]) => each)).toEqual(['Content-Type', 'X-Good']);
  expect(headers.some(([each]) => each === name)).toBe(false);
});

test('nothing else is left out, and no line breaks', () => {
  expect(lines).toHaveLength(REFUSED.length + REFUSED_HEADERS.length);
  expect([...lines, read.site.manifest.by].filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
});
