import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bodyFile } from '../../../harness/model/recording.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { readRecording, writeRecording } from '../../../harness/site/record/store.ts';
import { findServable } from '../../../harness/site/replay/servable.ts';

let outer: string;
let cache: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'photofinish-servable-'));
  cache = join(outer, 'cache');
});
afterEach(() => rmSync(outer, { recursive: true }));

function record(url: string, text: string): string {
  const kept = keepPage(
    {
      url,
      atMs: 1,
      device: 'desktop',
      by: 'a test',
      leftOut: [],
      notes: [],
      exchanges: [
        {
          method: 'GET',
          url,
          requestHeaders: [],
          status: 200,
          wantedMs: 0,
          kind: 'Document',
          headers: [['Content-Type', 'text/html']],
          body: Buffer.from(text),
          bodyIs: 'encoded',
        },
      ],
    },
    { site: 'mine', keepSecrets: false, seed: 7 },
  );
  return writeRecording(kept, join(outer, 'recorded')).root;
}

test('what has TLS and a name is served from where it is', () => {
  const root = record('https://a.test/', 'page');
  expect(findServable(readRecording(root), cache).site.root).toBe(root);
  expect(readdirSync(outer)).toEqual(['recorded']);
});

test('what has not is made over once, and is itself on the disk', () => {
  const root = record('http://localhost:3000/', '<a href="http://localhost:3000/x">');
  const first = findServable(readRecording(root), cache);
  expect(first.site.manifest).toMatchObject({ site: 'mine', url: 'https://localhost.photofinish.test:3000/' });
  expect(readRecording(first.site.root)).toEqual(first);
  const { mtimeMs } = statSync(first.site.root);
  expect(findServable(readRecording(root), cache)).toEqual(first);
  expect(statSync(first.site.root).mtimeMs).toBe(mtimeMs);
  const other = findServable(readRecording(record('http://localhost:3000/', 'another')), cache);
  expect(other.site.root).not.toBe(first.site.root);
});

test('what somebody has damaged is made over again', () => {
  const root = record('http://localhost:3000/', '<a href="http://localhost:3000/x">');
  const { site } = findServable(readRecording(root), cache);
  writeFileSync(join(site.root, bodyFile(site.manifest.responses[0]!.body!)), 'damage');
  expect(findServable(readRecording(root), cache).bodies).toEqual(readRecording(site.root).bodies);
  expect(readRecording(site.root).leftOut).toEqual([]);
});
