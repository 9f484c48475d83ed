import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UsageError } from '../../harness/model/errors.ts';
import type { RecordedSite } from '../../harness/model/recording.ts';
import { findAnySite, readAgain } from '../../harness/run/sites.ts';
import { watchProcessorTime } from '../processor-time.ts';

let recordings: string;
beforeAll(() => {
  recordings = mkdtempSync(join(tmpdir(), 'photofinish-origins-'));
});
afterAll(() => rmSync(recordings, { recursive: true }));

/** A recording of a page that loads one answer from each of some origins; the manifest itself tells of none, some or all. */
function recordingOf(name: string, origins: number, told: (origin: string, index: number) => object | undefined) {
  mkdirSync(join(recordings, name));
  const all = Array.from({ length: origins }, (_, index) => `https://o${index}.test`);
  const manifest = {
    schema: 1,
    site: name,
    url: `${all[0]}/`,
    recordedAtMs: 1,
    seed: 1,
    device: 'desktop',
    by: 'a test',
    secrets: 'removed',
    origins: all.flatMap((origin, index) => told(origin, index) ?? []),
    responses: all.map((origin) => ({
      method: 'GET',
      url: `${origin}/`,
      requestHeaders: [],
      status: 204,
      headers: [],
      bytes: 0,
      encoded: 'as-received',
      kind: 'Other',
      wantedMs: 0,
    })),
    leftOut: [],
    notes: [],
  };
  writeFileSync(join(recordings, name, 'manifest.json'), JSON.stringify(manifest));
}

const known = (origin: string, address: string) => ({ origin, address, offersH3: true, certificateNames: [] });

test.each<[string, number, (origin: string, index: number) => object | undefined, RegExp]>([
  ['untold', 10_000, () => undefined, /^site "untold" loads from 10000 origins. Expected: up to 500$/],
  ['apart', 10_000, (origin, index) => known(origin, `10.0.${index >> 8}.${index & 255}`), /loads from 10000 origins/],
  ['together', 10_000, (origin) => known(origin, '192.0.2.7'), /loads from 10000 origins/],
  ['beyond', 10_001, (origin) => known(origin, '192.0.2.7'), /is no recording: origins: Too big/],
])('a recording of 10,000 origins (%s) is refused within five seconds, by its limit', (name, count, told, says) => {
  recordingOf(name, count, told);
  const usedMs = watchProcessorTime();
  let refusal: unknown;
  try {
    findAnySite(name, recordings);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(UsageError);
  expect((refusal as Error).message).toMatch(says);
  expect(usedMs()).toBeLessThan(5_000);
});

test('one of 500 is a site', () => {
  recordingOf('most', 500, (origin) => known(origin, '192.0.2.7'));
  expect(findAnySite('most', recordings)).toMatchObject({ manifest: { site: 'most' } });
});

test('a recording is served as it was when it was first read, or not at all; a study may call it otherwise', () => {
  recordingOf('mine', 1, () => undefined);
  const first = findAnySite('mine', recordings) as RecordedSite;
  expect(readAgain(first).site).toEqual(first);
  const { manifest } = first;
  expect(readAgain({ ...first, manifest: { ...manifest, site: 'mine-folder' } }).site.manifest.url).toBe(manifest.url);
  rmSync(join(recordings, 'mine'), { recursive: true });
  recordingOf('mine', 2, () => undefined);
  expect(() => readAgain(first)).toThrow(/^site "mine" was recorded again while it was measured\. Expected: /);
});
