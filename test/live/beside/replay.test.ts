import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { renderRecordingFlags } from '../../../harness/browser/flags.ts';
import { startBrowser } from '../../../harness/browser/launch.ts';
import { chromiumAt } from '../../../harness/browser/program.ts';
import type { Header } from '../../../harness/model/recording.ts';
import { readHar } from '../../../harness/site/record/har.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { writeRecording } from '../../../harness/site/record/store.ts';
import { openReplay, type RunningReplay } from '../../../harness/site/replay/open-replay.ts';
import { servedOrigins } from '../../../harness/site/replay/served-recording.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { LONG, MANY, makeHostileHar, SERVED } from '../../site/record/hostile-har.ts';
import { labTest, noLab } from '../lab.ts';
import { openReplayNginx } from './replay-nginx.ts';

/*
 * A recording that was made to break out of its server, served by nginx as a lab would serve it, on loopback: the same
 * origin three times, by each protocol on a port of its own.
 */

const PORTS = { h1: 12_001, h2: 12_002, h3: 12_003 } as const;
const THINK_MS = 12;

let undo: AsyncDisposableStack;
let replay: RunningReplay;
let configuration: string;
let spki: string;
let startMs: number;
beforeAll(async () => {
  if (noLab !== undefined) return;
  undo = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-replay-'));
  undo.defer(() => rmSync(folder, { recursive: true }));
  const seen = readHar(makeHostileHar(), 'evil.har');
  // One answer was quicker than all others: the way, which the others' thought is counted from.
  const exchanges = seen.exchanges.map((each, index) => ({ ...each, waitMs: index === 0 ? 1 : 1 + THINK_MS }));
  const { manifest, root } = writeRecording(
    keepPage({ ...seen, exchanges }, { site: 'evil', keepSecrets: false, seed: 1 }),
    folder,
  );
  replay = undo.use(await openReplay(undefined, { root, port: 4461, notes: `${folder}/notes`, thinks: true }));
  const origins = Object.entries(PORTS).flatMap(([name, firstPort]) => {
    const protocol = name as keyof typeof PORTS;
    return servedOrigins(manifest, { protocol, visit: 'cold', allOrigins: false, firstPort });
  });
  // A name as long as one may be, among others at the same port.
  const long = `${`${'a'.repeat(60)}.`.repeat(4)}test`;
  origins.push({ ...origins[0]!, host: long, url: `https://${long}:8443` });
  const beganMs = performance.now();
  const nginx = undo.use(await openReplayNginx({ folder, manifest, origins, backend: replay.address }));
  ({ configuration, spki } = nginx);
  startMs = performance.now() - beganMs;
}, 60_000);
afterAll(async () => {
  await undo?.disposeAsync();
});

interface Answer {
  readonly status: number;
  /** The headers in the order in which they came. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly waitMs: number;
}

type Client = (path: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Answer>;

/** Asks as a browser would ask for the origin, over HTTP/1.1. */
const askH1: Client = (path, headers = {}, method = 'GET') =>
  new Promise((resolve, reject) => {
    const beganMs = performance.now();
    const request = https.request(
      {
        host: '127.0.0.1',
        port: PORTS.h1,
        path,
        method,
        rejectUnauthorized: false,
        maxHeaderSize: 1_000_000,
        servername: 'evil.test',
        headers: { host: 'evil.test:8443', ...headers },
      },
      (response) => {
        const waitMs = performance.now() - beganMs;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const raw = response.rawHeaders;
          const pairs = raw.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!]] : []));
          resolve({ status: response.statusCode!, headers: pairs, body: Buffer.concat(chunks), waitMs });
        });
      },
    );
    request.on('error', reject);
    request.end();
  });

const askH2: Client = async (path, headers = {}, method = 'GET') => {
  const session = http2.connect(`https://evil.test:${PORTS.h2}`, {
    rejectUnauthorized: false,
    settings: { maxHeaderListSize: 1_000_000 },
    maxHeaderListPairs: 1000,
    lookup: (_, options, answer) =>
      options.all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4),
  });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      session.on('error', reject);
      session.once('connect', () => {
        const beganMs = performance.now();
        const stream = session.request({
          ':path': path,
          ':method': method,
          ':authority': 'evil.test:8443',
          ...headers,
        });
        const chunks: Buffer[] = [];
        let head: Pick<Answer, 'status' | 'headers' | 'waitMs'>;
        stream.on('response', (got, _, raw: readonly string[]) => {
          const pairs = raw.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []));
          const own = pairs.filter(([name]) => !name.startsWith(':'));
          head = { status: got[':status']!, headers: own, waitMs: performance.now() - beganMs };
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => resolve({ ...head, body: Buffer.concat(chunks) }));
        stream.on('error', reject);
      });
    });
  } finally {
    session.close();
  }
};

describe.each([
  ['h1', askH1],
  ['h2', askH2],
] as const)('over %s', (_, ask) => {
  for (const { path, text = '', status = 200, headers = [] } of SERVED)
    labTest(
      `${path.slice(0, 40)} is served as it was recorded`,
      async () => {
        const answer = await ask(path);
        expect(answer.status).toBe(status);
        const encoded = headers.some(([name]) => name === 'Content-Encoding');
        expect((encoded ? brotliDecompressSync(answer.body) : answer.body).toString()).toBe(status === 204 ? '' : text);
        const wanted = headers
          .map(([name, value]): Header => [name.toLowerCase(), value])
          .filter(([name]) => !name.startsWith('x-accel'));
        const names = new Set(wanted.map(([name]) => name));
        expect(answer.headers.filter(([name]) => names.has(name))).toEqual(wanted);
        const own = [
          'server',
          'date',
          'content-type',
          'content-length',
          'connection',
          'not-svc',
          'timing-allow-origin',
          ...names,
        ];
        expect(answer.headers.map(([name]) => name).filter((name) => !own.includes(name))).toEqual([]);
      },
      20_000,
    );

  labTest(
    'any of ten thousand is found, and its think time is taken',
    async () => {
      for (const at of [0, 4711, MANY - 1]) {
        const answer = await ask(`/o/${at}?$i=${at}`);
        expect([answer.status, answer.body.toString()]).toEqual([200, `object ${at}`]);
        expect(answer.waitMs).toBeGreaterThan(THINK_MS - 1);
      }
    },
    20_000,
  );

  labTest(
    'a part, a validator, a HEAD and what was not recorded are answered as they should be',
    async () => {
      replay.takeNotes();
      const part = await ask('/a', { range: 'bytes=1-2' });
      expect([part.status, part.body.toString()]).toEqual([206, 'ma']);
      expect(part.headers).toContainEqual(['content-range', 'bytes 1-2/5']);
      expect((await ask('/a', {}, 'HEAD')).headers).toContainEqual(['content-length', '5']);
      expect((await ask('/a?_=1700000000')).body.toString()).toBe('small');
      const none = await ask('/unknown?really');
      expect([none.status, none.body.length]).toEqual([404, 0]);
      expect(replay.takeNotes()).toEqual([
        {
          method: 'GET',
          url: 'https://evil.test:8443/a?_=1700000000',
          answer: 'near',
          recorded: 'https://evil.test:8443/a',
        },
        { method: 'GET', url: 'https://evil.test:8443/unknown?really', answer: 'none' },
      ]);
    },
    20_000,
  );
});

labTest(
  'a browser that is made to speak HTTP/3 is served the same',
  async () => {
    const flags = renderRecordingFlags({
      profile: `${SCRATCH}/replay-h3`,
      logsContents: true,
      netLog: '/dev/null',
      insecure: false,
      resolved: [{ host: 'evil.test', port: 8443, address: `127.0.0.1:${PORTS.h3}` }],
    });
    const forced = ['--origin-to-force-quic-on=evil.test:8443', `--ignore-certificate-errors-spki-list=${spki}`];
    const browser = await startBrowser({
      program: chromiumAt(readTools().chromium.path),
      flags: [...flags, ...forced],
      folder: `${SCRATCH}/replay-h3`,
    });
    try {
      const page = await browser.newPage();
      await page.goto('https://evil.test:8443/');
      const ask = (path: string) =>
        page.evaluate(async (url) => {
          const response = await fetch(url);
          return { status: response.status, text: await response.text(), headers: [...response.headers] };
        }, path);
      for (const { path, text = '', status = 200, headers = [] } of SERVED) {
        if (status === 301) continue; // The page would follow it.
        const answer = await ask(path);
        expect([path, answer.status, answer.text]).toEqual([path, status, text]);
        const joined = Map.groupBy(
          headers.filter(([name]) => !/^x-accel/i.test(name)),
          ([name]) => name.toLowerCase(),
        );
        for (const [name, each] of joined)
          expect(answer.headers).toContainEqual([name, each.map(([, value]) => value).join(', ')]);
      }
      const spoke = () =>
        performance.getEntriesByType('resource').map((each) => (each as PerformanceResourceTiming).nextHopProtocol);
      expect(new Set(await page.evaluate(spoke))).toEqual(new Set(['h3']));
    } finally {
      await browser.close();
    }
  },
  60_000,
);

labTest(
  'nothing of the recording is in the configuration, which is read at once',
  async () => {
    expect(configuration.length).toBeLessThan(20_000);
    expect(configuration).not.toMatch(/etc\/passwd|X-Conf|\/o\/\d/);
    expect(configuration).not.toContain(LONG.slice(0, 100));
    expect(startMs).toBeLessThan(5_000);
  },
  5_000,
);
