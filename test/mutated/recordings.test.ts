import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { joinExchanges } from '../../harness/browser/record/exchanges.ts';
import { readNetLog } from '../../harness/browser/record/net-log.ts';
import { parseRecord, record } from '../../harness/commands/record.ts';
import { EnvironmentError } from '../../harness/model/errors.ts';
import type { RecordedManifest } from '../../harness/model/recording.ts';
import { renderRecording } from '../../harness/report/recording-text.ts';
import { factsOf } from '../../harness/run/sites.ts';
import { readHar } from '../../harness/site/record/har.ts';
import { keepPage } from '../../harness/site/record/keep-page.ts';
import { MANIFEST_SCHEMA } from '../../harness/site/record/manifest-schema.ts';
import { readRecording } from '../../harness/site/record/store.ts';
import { createReplay } from '../../harness/site/replay/replay.ts';
import { findServable } from '../../harness/site/replay/servable.ts';
import { servedOrigins } from '../../harness/site/replay/served-recording.ts';
import { makeHostileHar } from '../site/record/hostile-har.ts';
import { mutateJson, mutateText } from './mutate.ts';
import { refusals } from './refusals.ts';

/** A small HAR, so that a thousand are soon read: without what is long, and what takes its time to be compressed again. */
function makeSmallHar(): string {
  const har = JSON.parse(makeHostileHar(5)) as { log: { entries: unknown[] } };
  const isSmall = (entry: unknown) => JSON.stringify(entry).length < 1_000 && !JSON.stringify(entry).includes('"br"');
  return JSON.stringify({ log: { ...har.log, entries: har.log.entries.filter(isSmall) } });
}

let outer: string;
const below = (...names: string[]) => join(outer, ...names);
beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'photofinish-mutated-'));
});
afterAll(() => rmSync(outer, { recursive: true }));

const quiet = () => {};

/** One HAR in this many is recorded by the command: its files take most of the time. */
const RECORDED_EACH = 20;

test('of 1,000 mutated HARs each is recorded or refused', async () => {
  const har = makeSmallHar();
  const [file, folder] = [below('my.har'), below('recorded')];
  let number = 0;
  await refusals((random) => {
    const mutated = mutateJson(har, random);
    number += 1;
    if (number % RECORDED_EACH !== 0) {
      const { manifest } = keepPage(readHar(mutated, file), { site: 'evil', keepSecrets: false, seed: 1 });
      return MANIFEST_SCHEMA.parse(manifest);
    }
    writeFileSync(file, mutated);
    return record(parseRecord({ replace: true }, [file, 'evil'], folder), quiet);
  });
  expect(readdirSync(outer).toSorted()).toEqual(['my.har', 'recorded']);
  expect(readdirSync(folder)).toEqual(['evil']);
});

test('a HAR longer than any text can be is refused before it is read', () => {
  const file = below('long.har');
  writeFileSync(file, '');
  truncateSync(file, 600_000_000);
  expect(() => parseRecord({}, [file, 'long'], below('recorded'))).toThrow(
    /has 600000000 bytes. Expected: a HAR of up/,
  );
  rmSync(file);
});

/** All that is done with a recording before a browser sees it. */
function useRecording(root: string, cache: string) {
  const { site } = readRecording(root);
  const { manifest } = findServable(readRecording(root), cache).site;
  factsOf(site);
  renderRecording(site.manifest, { root, secretKeys: [] });
  for (const protocol of ['h1', 'h2', 'h3'] as const)
    servedOrigins(manifest as RecordedManifest, { protocol, visit: 'cold', allOrigins: true, firstPort: 12_000 });
  createReplay(readRecording(root), { thinks: true, tell: quiet }).server.close();
}

test('of 1,000 mutated manifests each is a recording or refused', async () => {
  const file = below('my.har');
  writeFileSync(file, makeSmallHar());
  await record(parseRecord({ replace: true }, [file, 'evil'], below('recorded')), quiet);
  const [root, cache] = [below('recorded', 'evil'), below('cache')];
  const manifest = readFileSync(join(root, 'manifest.json'), 'utf8');
  await refusals((random) => {
    writeFileSync(join(root, 'manifest.json'), mutateJson(manifest, random));
    useRecording(root, cache);
  });
  expect(readdirSync(below('recorded'))).toEqual(['evil']);
  expect(readdirSync(root).toSorted()).toEqual(['bodies', 'manifest.json']);
});

/** A browser's network log of one request. */
function makeNetLog(): string {
  const types = [
    ...['URL_REQUEST_START_JOB', 'HTTP_TRANSACTION_SEND_REQUEST_HEADERS', 'HTTP_TRANSACTION_READ_RESPONSE_HEADERS'],
    ...['URL_REQUEST_JOB_BYTES_READ', 'FAILED', 'REQUEST_ALIVE', 'TCP_CONNECT_ATTEMPT', 'SOCKET_BYTES_RECEIVED'],
  ];
  const logEventTypes = Object.fromEntries(types.map((name, index) => [name, index]));
  const event = (name: string, phase: number, params: object = {}) =>
    JSON.stringify({ type: logEventTypes[name], phase, time: `${100 + phase}`, source: { id: 7 }, params });
  return [
    `{"constants":${JSON.stringify({ logEventTypes, netError: { ERR_FAILED: -2 } })},`,
    '"events": [',
    `${event('TCP_CONNECT_ATTEMPT', 1, { address: '192.0.2.7:443' })},`,
    `${event('TCP_CONNECT_ATTEMPT', 2)},`,
    `${event('URL_REQUEST_START_JOB', 1, { method: 'GET', url: 'https://a.test/', initiator: 'https://a.test' })},`,
    `${event('HTTP_TRANSACTION_SEND_REQUEST_HEADERS', 0, { headers: ['accept: */*'] })},`,
    `${event('HTTP_TRANSACTION_READ_RESPONSE_HEADERS', 0, { headers: ['HTTP/1.1 200 OK', 'a: b'] })},`,
    `${event('URL_REQUEST_JOB_BYTES_READ', 0, { bytes: 'aGVsbG8=', byte_count: 5 })},`,
    `${event('SOCKET_BYTES_RECEIVED', 0, { byte_count: 5 })},`,
    `${event('FAILED', 0, { net_error: -2 })},`,
    event('REQUEST_ALIVE', 2),
    ']}',
  ].join('\n');
}

test('of 1,000 mutated event logs of a browser each is read or refused', async () => {
  const [file, log] = [below('net-log.json'), makeNetLog()];
  writeFileSync(file, log);
  expect((await readNetLog(file)).hops).toMatchObject([
    { url: 'https://a.test/', status: 200, error: 'net::ERR_FAILED' },
  ]);
  const lines = log.split('\n');
  await refusals(async (random) => {
    const mutated = lines.map((line) => {
      if (random() > 0.2) return line;
      const [, start, json, end] = /^(\{"constants":)?(.*?)(,?)$/.exec(line)!;
      return json!.startsWith('{') ? `${start ?? ''}${mutateJson(json!, random)}${end}` : mutateText(line, random);
    });
    writeFileSync(file, mutated.join('\n'));
    const { hops, handshakes } = await readNetLog(file);
    const { exchanges } = joinExchanges({ hops, handshakes }, [], 0);
    keepPage(
      { url: 'https://a.test/', atMs: 1, device: 'desktop', by: 'a test', leftOut: [], notes: [], exchanges },
      { site: 'evil', keepSecrets: false, seed: 1 },
    );
  }, EnvironmentError);
});
