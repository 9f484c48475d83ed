import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { recordPage } from '../../../harness/browser/record/record-page.ts';
import { parseRecord, record } from '../../../harness/commands/record.ts';
import { portOf } from '../../../harness/model/arm.ts';
import { DEVICES } from '../../../harness/model/device.ts';
import type { RecordedResponse } from '../../../harness/model/recording.ts';
import { openNamespace } from '../../../harness/network/namespace.ts';
import { makeCertificate } from '../../../harness/server/certificate.ts';
import { type ReadRecording, readRecording } from '../../../harness/site/record/store.ts';
import { findServers } from '../../../harness/site/replay/addresses.ts';
import { openReplay } from '../../../harness/site/replay/open-replay.ts';
import { servedOrigins } from '../../../harness/site/replay/served-recording.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { run, start } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { ADDRESSES, openShop, PAGE, PORT, REQUESTS, SECRET, type Served, THINK_MS } from '../../fakes/shop-site.ts';
import { inPeace } from '../../in-peace.ts';
import { labTest, noLab, PATIENCE_MS } from '../lab.ts';
import { openReplayNginx } from './replay-nginx.ts';

/** The folder of what is recorded once, as a user would; then the tests look at it. */
let folder: string;
let served: readonly Served[];
let printed: string;
let read: ReadRecording;
beforeAll(async () => {
  if (noLab !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-record-'));
  const certificateFor = (name: string, names: readonly string[]) => {
    mkdirSync(`${folder}/${name}`);
    return makeCertificate(`${folder}/${name}`, names);
  };
  const certificates = {
    shop: await certificateFor('shop', ['*.shop.test']),
    fonts: await certificateFor('fonts', ['fonts.type.test']),
  };
  const flags = {
    insecure: true,
    wait: '1',
    resolve: Object.entries(ADDRESSES).map(([host, address]) => `${host}:${PORT}:${address}`),
  };
  // On a busy machine each handshake may take long, and passes for the way: that much less is thought then.
  await inPeace(async () => {
    rmSync(join(folder, 'web-shop'), { recursive: true, force: true });
    await using shop = await openShop(certificates);
    const lines: string[] = [];
    expect(await record(parseRecord(flags, [PAGE, 'web-shop'], folder), (line) => lines.push(line))).toBe(0);
    // Then it was loaded again, for how long its servers think.
    expect(shop.served.length).toBeGreaterThan(REQUESTS + 3);
    served = shop.served.slice(0, REQUESTS);
    printed = lines.join('\n');
    read = readRecording(join(folder, 'web-shop'));
    expectThoughts();
  });
}, 120_000 + PATIENCE_MS);
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** The two answers that take long were thought about for as long. */
function expectThoughts(): void {
  const asked = read.site.manifest.responses.filter(({ url }) => url.includes('/v1/items'));
  const thinks = asked.map(({ thinkMs = 0 }) => thinkMs);
  expect([thinks, thinks.map((ms) => ms > THINK_MS - 10)]).toEqual([thinks, [true, true]]);
}

const EMPTY = createHash('sha256').update('').digest('hex');

/** A line for each answer: what was asked, and what came. */
function lineOf({ method, url, status, sha256 }: Pick<Served, 'method' | 'url' | 'status' | 'sha256'>): string {
  return `${status} ${method} ${url} ${sha256.slice(0, 12)}`;
}

function recordedLine(response: RecordedResponse): string {
  return lineOf({ ...response, sha256: response.body ?? EMPTY });
}

labTest(
  'what was recorded is what was served, byte for byte as it went over the wire',
  async () => {
    const recorded = read.site.manifest.responses.filter(({ url }) => !url.endsWith('/events')).map(recordedLine);
    expect(recorded.toSorted()).toEqual(served.map(lineOf).toSorted());
    const pixel = read.site.manifest.responses.find(({ url }) => url.includes('/pixel.gif'))!;
    expect(pixel.headers).toContainEqual(['x-by', 'K\xf6nig 100%']);
    expect(read.site.manifest.responses.filter(({ encoded }) => encoded !== 'as-received')).toEqual([]);
  },
  5_000,
);

labTest(
  'what it cannot keep it says, and how that is treated',
  async () => {
    expect(read.site.manifest.leftOut).toEqual([
      { what: `WebSocket wss://api.shop.test:${PORT}/socket`, why: expect.stringContaining('refused') },
      { what: `GET https://www.shop.test:${PORT}/events`, why: expect.stringContaining('answered with 204') },
    ]);
    for (const says of [/service workers were bypassed/, /Not kept \(2\)/, /WebSocket wss/])
      expect(printed).toMatch(says);
  },
  5_000,
);

labTest(
  'nobody’s secrets are in it',
  async () => {
    const text = readFileSync(join(folder, 'web-shop', 'manifest.json'), 'utf8');
    expect(text).not.toContain(SECRET);
    const page = read.site.manifest.responses.find(({ url }) => url === PAGE)!;
    const cookies = page.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
    expect(cookies).toEqual([`id=${'x'.repeat(SECRET.length)}; HttpOnly; Secure`, 'theme=xxxx']);
  },
  5_000,
);

labTest(
  'origins are as they were: protocols, addresses, who shares a connection, how long they think',
  async () => {
    const { manifest } = read.site;
    const origins = Object.fromEntries(manifest.origins.map((each) => [new URL(each.origin).hostname, each]));
    for (const [host, address] of Object.entries(ADDRESSES))
      expect(origins[host]).toMatchObject({ address, protocol: host === 'api.shop.test' ? 'h1' : 'h2' });
    const servers = findServers(manifest).map((server) => server.origins.map(({ host }) => host).toSorted());
    expect(servers.toSorted()).toEqual(
      [['api.shop.test'], ['cdn.shop.test', 'www.shop.test'], ['fonts.type.test']].toSorted(),
    );
    expectThoughts();
  },
  5_000,
);

labTest(
  'replayed by nginx, the page asks for what it asked for, and nothing is missing',
  async () => {
    const { manifest, root } = read.site;
    await using replay = await openReplay(undefined, {
      root,
      port: 4462,
      notes: `${folder}/notes`,
      thinks: true,
    });
    const origins = servedOrigins(manifest, { protocol: 'h2', visit: 'cold', allOrigins: false, firstPort: 12_000 });
    mkdirSync(`${folder}/nginx`);
    await using _ = await openReplayNginx({ folder: `${folder}/nginx`, manifest, origins, backend: replay.address });
    const again = await recordPage({
      url: manifest.url,
      chromium: readTools().chromium.path,
      folder: `${SCRATCH}/again`,
      device: DEVICES.desktop,
      seed: manifest.seed,
      insecure: true,
      waitMs: 1000,
      signal: new AbortController().signal,
      resolved: origins.map(({ host, url, port }) => ({ host, port: portOf(url), address: `127.0.0.1:${port}` })),
    });
    const notes = replay.takeNotes();
    expect(notes.filter(({ answer, url }) => answer === 'none' && !url.endsWith('/socket'))).toEqual([]);
    // Times differ; what was drawn at random does not, and so is found exactly.
    const near = notes.filter(({ answer }) => answer === 'near').map(({ url }) => url.replace(/\d{13}/, 'TIME'));
    expect(near.toSorted()).toEqual([
      `https://api.shop.test:${PORT}/v1/items?ts=TIME`,
      ...[1, 2, 3, 4, 5].map((i) => `https://www.shop.test:${PORT}/late/${i}.js?v=TIME`),
    ]);
    const lines = again.exchanges.map(({ method, url, status, body }) =>
      lineOf({ method, url, status, sha256: createHash('sha256').update(body).digest('hex') }).replace(
        /\d{13}/,
        'TIME',
      ),
    );
    const wanted = manifest.responses.map((each) => recordedLine(each).replace(/\d{13}/, 'TIME'));
    expect(lines.toSorted()).toEqual(wanted.toSorted());
  },
  90_000,
);

const NEIGHBOUR = '10.9.9.9';

labTest(
  'a page on loopback gets nothing of its neighbours into a recording, in whichever way it asks',
  async () => {
    const namespace = 'neighbours';
    await using _ = await openNamespace(namespace);
    for (const words of [
      ['link', 'set', 'lo', 'up'] as const,
      ['addr', 'add', `${NEIGHBOUR}/32`, 'dev', 'lo'] as const,
    ])
      await run(['ip', '-n', namespace, ...words]);
    const script = fileURLToPath(new URL('./serve-neighbour.ts', import.meta.url));
    await using server = start([process.execPath, script, NEIGHBOUR], { namespace });
    await Promise.race([once(server.stdout, 'data'), server.ended]);
    const { exchanges, leftOut } = await recordPage({
      url: 'http://localhost/',
      chromium: readTools().chromium.path,
      folder: `${SCRATCH}/neighbours`,
      device: DEVICES.desktop,
      seed: 1,
      insecure: false,
      waitMs: 500,
      signal: new AbortController().signal,
      resolved: [],
      namespace,
    });
    expect(exchanges.map(({ url }) => url).toSorted()).toEqual(['http://localhost/', 'http://localhost/worker.js']);
    expect(leftOut.map(({ what, why }) => `${what}: ${/private address/.exec(why)?.[0]}`).toSorted()).toEqual(
      ['frame', 'opaque', 'picture.png', 'refused', 'worked'].map(
        (each) => `GET http://${NEIGHBOUR}/${each}: private address`,
      ),
    );
  },
  60_000,
);
