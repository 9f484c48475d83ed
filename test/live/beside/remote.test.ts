import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { launchBrowser } from '../../../harness/browser/launch.ts';
import { findProgram } from '../../../harness/browser/program.ts';
import { openFirstVisitor } from '../../../harness/browser/visit.ts';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { Protocol } from '../../../harness/model/arm.ts';
import type { Capture, HostCounts } from '../../../harness/model/capture.ts';
import { DEVICES } from '../../../harness/model/device.ts';
import { awaitedUrls } from '../../../harness/model/page.ts';
import {
  type RemoteSite,
  remoteBrowser,
  remotePage,
  type ServerPlace,
  serverPlacesOf,
} from '../../../harness/model/remote.ts';
import { connectTimeMs } from '../../../harness/network/connect-time.ts';
import { type Counters, openCounters } from '../../../harness/network/counters.ts';
import type { Network } from '../../../harness/network/network.ts';
import { openUplink, type Uplink } from '../../../harness/network/uplink.ts';
import { openLabNetwork } from '../../../harness/run/lab-network.ts';
import { reconnoitre } from '../../../harness/run/reconnaissance.ts';
import { type EnclosureKind, enclosedAs, SCRATCH } from '../../../harness/system/enclosure.ts';
import { inNamespace, run, start, succeeds } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest, noLab } from '../lab.ts';
import { OUTSIDE, type Outside, openOutside, PICTURE_BYTES } from './outside.ts';

const kind: EnclosureKind | undefined = enclosedAs();
const refusal = noLab ?? (kind === 'user' ? 'a way out of the lab needs root' : undefined);
const remoteTest = (name: string, body: () => Promise<void>, timeoutMs: number) =>
  labTest(name, body, timeoutMs, refusal);

const place = (address: string, port = 443) => ({ address, port });
const expectAtOnce = (address: string, namespace: string) =>
  inPeace(async () => expect(await connectTimeMs(place(address), 2_000, namespace)).toBeLessThan(50));
const NAMES = Object.entries(OUTSIDE)
  .filter(([name]) => name !== 'machine')
  .map(([name, address]) => ({ host: `${name}.example`, port: 443, address }));

/** What a bare machine has no programs for. */
const FETCH = fileURLToPath(new URL('./fetch-timed.ts', import.meta.url));
const PING = fileURLToPath(new URL('./ping.pl', import.meta.url));

let outside: Outside;
beforeAll(async () => {
  if (refusal === undefined) outside = await openOutside();
}, 30_000);
afterAll(async () => outside?.[Symbol.asyncDispose]());

/** What a page at one of the names is found to be. */
function find(url: string): Promise<RemoteSite> {
  return reconnoitre({
    url,
    chromium: readTools().chromium.path,
    folder: `${SCRATCH}/looks`,
    device: DEVICES.desktop,
    insecure: true,
    resolved: NAMES,
    signal: new AbortController().signal,
  });
}

describe('over an uplink', () => {
  let network: Network;
  let uplink: Uplink;
  let near: Counters;
  let beyond: Counters;
  beforeAll(async () => {
    if (refusal !== undefined) return;
    network = await openLabNetwork();
    uplink = await openUplink(
      network,
      [OUTSIDE.shop, OUTSIDE.pictures, OUTSIDE.mute].map((each) => place(each)),
    );
    [near, beyond] = [await openCounters(network.clients[0]!), await openCounters(network.servers[0]!)];
  }, 60_000);
  afterAll(async () => {
    await near?.[Symbol.asyncDispose]();
    await beyond?.[Symbol.asyncDispose]();
    await uplink?.[Symbol.asyncDispose]();
    await network?.[Symbol.asyncDispose]();
  });

  remoteTest(
    'what a client fetches from outside takes the link’s time, once each way, and both ends count it as it is',
    async () => {
      await network.setLink(linkOf('rate=2mbit,rtt=80ms'));
      await inPeace(async () => {
        const withoutLink = (await connectTimeMs(place(OUTSIDE.shop), 5_000))!;
        await Promise.all([near.zero(), beyond.zero()]);
        const said = await run([process.execPath, FETCH, 'https://shop.example/picture.svg', OUTSIDE.shop], {
          namespace: network.clients[0]!.namespace,
        });
        const { connectMs, firstByteMs, totalMs, bytes } = JSON.parse(said);
        expect(bytes).toBe(PICTURE_BYTES);
        expect(connectMs).toBeGreaterThan(79);
        expect(connectMs).toBeLessThan(80 + withoutLink + 20);
        // Connection, handshake and request are a round trip each; the rest comes at the link's rate.
        expect(firstByteMs).toBeGreaterThan(3 * 79);
        expect(totalMs).toBeGreaterThan(3 * 79 + (8 * PICTURE_BYTES) / 2_000 - 80);
        expect(totalMs).toBeLessThan(900);

        await new Promise((resolve) => setTimeout(resolve, 500));
        const [here, there] = [await near.read(), await beyond.read()];
        expect(here.flows).toHaveLength(1);
        const [flow] = here.flows;
        expect(flow).toMatchObject({ transport: 'tcp', otherPort: 443, address: OUTSIDE.shop, opened: true });
        expect(mirrored(there)).toEqual([{ ...flow!, opened: false }]);
        expect(there.sent).toEqual(here.received);
        expect(there.received).toEqual(here.sent);
        // Single packets on the wire, as any card's would be.
        expect(flow!.received.packets).toBeGreaterThan(PICTURE_BYTES / 1448);
        expect(flow!.received.bytes).toBe(here.received.bytes);
        const none = { packets: 0, bytes: 0 };
        expect(there).toMatchObject({ others: { sent: none, received: none }, retries: 0 });
      });
    },
    60_000,
  );

  remoteTest(
    'nothing else gets through: no other port, no other address, no ping',
    async () => {
      await network.setLink(linkOf('rate=unlimited'));
      const { namespace } = network.clients[0]!;
      const ping = (from?: string) => succeeds(inNamespace(from, ['perl', PING, OUTSIDE.shop]));
      await expectAtOnce(OUTSIDE.shop, namespace);
      expect(await connectTimeMs(place(OUTSIDE.shop, 80), 1_000, namespace)).toBeUndefined();
      expect(await connectTimeMs(place(OUTSIDE.machine), 1_000, namespace)).toBeUndefined();
      expect([await ping(), await ping(namespace)]).toEqual([true, false]);
    },
    30_000,
  );

  remoteTest(
    'two of them do not meet, and each is gone with all of its own once it is closed',
    async () => {
      let device: string;
      {
        await using other = await openLabNetwork();
        await using second = await openUplink(other, [place(OUTSIDE.mute)]);
        device = second.device;
        expect(device).not.toBe(uplink.device);
        expect(await leftOf(device)).toEqual(['interface', 'rules']);
        await expectAtOnce(OUTSIDE.mute, other.clients[0]!.namespace);
        await expectAtOnce(OUTSIDE.shop, network.clients[0]!.namespace);
      }
      expect(await leftOf(device)).toEqual([]);
      expect(await leftOf(uplink.device)).toEqual(['interface', 'rules']);
    },
    60_000,
  );

  remoteTest(
    'a page is found as it is, and each arm loads it over the link with every proof that the wire has',
    async () => {
      const site = await find('https://shop.example/');
      expect(site.origins).toEqual([
        expect.objectContaining({ origin: 'https://shop.example', address: OUTSIDE.shop, tcp: 'h2', h3: 'answers' }),
        expect.objectContaining({ origin: 'https://pictures.example', address: OUTSIDE.pictures, h3: 'untold' }),
        expect.objectContaining({ origin: 'https://mute.example', address: OUTSIDE.mute, h3: 'silent' }),
      ]);
      expect(site.objects.map(({ url }) => url)).toEqual([
        'https://shop.example/',
        'https://shop.example/picture.svg',
        'https://pictures.example/picture.svg',
        'https://mute.example/picture.svg',
        'https://mute.example/picture.svg?again',
      ]);
      expect(site.trusted).toEqual([outside.certificate.spki]);
      expect(serverPlacesOf([site])).toHaveLength(3);
      await network.setLink(linkOf('rate=10mbit,rtt=40ms'));
      for (const protocol of ['h1', 'h2', 'h3'] as const) {
        let capture: Capture | undefined;
        const measured = await inPeace(async () => {
          const figures = await figuresOf(async () => {
            capture = await loadOnce(site, protocol);
            return measurementOf({ condition: 'c', block: 0, arm: protocol }, capture);
          });
          const transports = capture!.wire!.client.flows.map(({ address, transport }) => `${address} ${transport}`);
          expect([...new Set(transports)].toSorted()).toEqual([
            `${OUTSIDE.shop} ${protocol === 'h3' ? 'udp' : 'tcp'}`,
            `${OUTSIDE.pictures} tcp`,
            `${OUTSIDE.mute} tcp`,
            // A browser that speaks it tries what it is told of, if it is told in time.
            ...(protocol === 'h3' ? [`${OUTSIDE.mute} udp`] : []),
          ]);
          return figures;
        });
        expect([protocol, measured.requests]).toEqual([protocol, 6]);
        // Three round trips for the page and its first object, two with QUIC's; five pictures at the link's rate.
        expect(measured.pltMs).toBeGreaterThan((protocol === 'h3' ? 2 : 3) * 40 + (5 * 8 * PICTURE_BYTES) / 10_000);
        expect(measured.payloadBytes).toBeGreaterThan(5 * PICTURE_BYTES);
        expect(measured.payloadBytes).toBeLessThan(5 * PICTURE_BYTES + 2_000);
      }
    },
    120_000,
  );

  remoteTest(
    'a page is held to what comes to itself, not to its frame or worker, and its sockets are no fallback',
    async () => {
      const site = await find('https://shop.example/framed.html');
      expect(site.origins.map(({ host }) => host)).toEqual(['shop.example', 'pictures.example']);
      expect(site.objects.map(({ url }) => url)).toEqual(['https://shop.example/framed.html']);
      await network.setLink(linkOf('rate=10mbit,rtt=40ms'));
      for (const protocol of ['h2', 'h3'] as const)
        await inPeace(async () => {
          const measured = measurementOf({ condition: 'c', block: 0, arm: protocol }, await loadOnce(site, protocol));
          expect(measured).toMatchObject({ arm: protocol, status: 'ok' });
        });
    },
    120_000,
  );

  /** A page load without a lab, by a browser of its own. */
  async function loadOnce(site: RemoteSite, protocol: Protocol): Promise<Capture> {
    const page = remotePage(site, protocol, 'cold');
    await using launched = await launchBrowser({
      ...remoteBrowser(site, protocol, 'cold'),
      program: findProgram('tcp', readTools()),
      host: network.clients[0]!,
      profile: `${SCRATCH}/${protocol}`,
      keeps: { keyLog: false, netLog: false },
    });
    await using visitor = await openFirstVisitor(launched, DEVICES.desktop);
    await Promise.all([near.zero(), beyond.zero()]);
    const { capture: browser, host } = await visitor.load({
      url: page.url,
      timeoutMs: 20_000,
      awaited: awaitedUrls(page),
      signal: new AbortController().signal,
      watched: true,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const [nearCounts, beyondCounts] = [await near.read(), await beyond.read()];
    return {
      page,
      browser,
      host,
      server: [],
      launch: 1,
      wallMs: 0,
      wire: { client: nearCounts, server: beyondCounts },
    };
  }
});

remoteTest(
  'a server that tells of HTTP/3 and does not speak it, and one that does not tell, have no h3 arm',
  async () => {
    const mute = await find('https://mute.example/');
    expect(mute.origins[0]).toMatchObject({ tcp: 'h2', h3: 'silent' });
    expect(() => remotePage(mute, 'h3', 'cold')).toThrow(/mute\.example tells of HTTP\/3, but did not answer over it/);
    const pictures = await find('https://pictures.example/');
    expect(pictures.origins[0]).toMatchObject({ tcp: 'h2', h3: 'untold' });
    expect(() => remotePage(pictures, 'h3', 'cold')).toThrow(/pictures\.example does not offer HTTP\/3/);
    expect(remotePage(pictures, 'h2', 'cold').origins[0].protocol).toBe('h2');
  },
  120_000,
);

remoteTest(
  'through routers too, for every client',
  async () => {
    await using network = await openLabNetwork('dumbbell');
    await using _ = await openUplink(network, [place(OUTSIDE.shop)]);
    await network.setLink(linkOf('rtt=60ms'));
    for (const { namespace } of network.clients)
      await inPeace(async () => {
        const ms = await connectTimeMs(place(OUTSIDE.shop), 5_000, namespace);
        expect(ms).toBeGreaterThan(59);
        expect(ms).toBeLessThan(90);
      });
  },
  60_000,
);

remoteTest(
  'what stands in the way is named, with what would change it, and nothing is left of the attempt',
  async () => {
    await using network = await openLabNetwork();
    const before = await allOwn();
    const refusals: readonly (readonly [address: string, says: RegExp])[] = [
      ['127.0.0.1', /a loopback address; have the server listen at another one/],
      [network.clients[0]!.address, /it is one of the lab's own/],
      ['203.0.113.99', /nothing answers at 203\.0\.113\.99:443, over a link or without/],
    ];
    for (const [address, says] of refusals) await expect(openUplink(network, [place(address)])).rejects.toThrow(says);

    const forwarding = (value: 0 | 1) =>
      writeFileSync(`/proc/sys/net/ipv4/conf/${outside.device}/forwarding`, `${value}`);
    forwarding(0);
    const off = openUplink(network, [place(OUTSIDE.shop)]);
    await expect(off).rejects.toThrow(`sysctl -w net.ipv4.conf.${outside.device}.forwarding=1`);
    {
      // What listens on this machine itself is not passed on.
      await using server = await listen(OUTSIDE.machine);
      await using _ = await openUplink(network, [server]);
      await inPeace(async () => {
        expect(await connectTimeMs(server, 5_000, network.clients[0]!.namespace)).toBeLessThan(100);
      });
    }
    forwarding(1);

    {
      await using _ = await closeForwarding(outside.device);
      const walled = openUplink(network, [place(OUTSIDE.shop)]);
      await expect(walled).rejects.toThrow(/answers this machine, but a firewall here drops forwarded packets/);
    }
    expect(await allOwn()).toEqual(before);
  },
  120_000,
);

interface Summary {
  readonly conditions: readonly {
    readonly id: string;
    readonly arms: Readonly<Record<string, ArmSummary>>;
  }[];
}

interface ArmSummary {
  readonly ok: number;
  readonly failed: number;
  readonly requests: number;
  readonly connections: number;
  readonly h3SharePercent?: number;
}

interface Measured {
  readonly summary: Summary;
  readonly reportBytes: number;
  /** What the program printed. */
  readonly said: string;
}

/** What a study of the page outside came to, as the program measures it for any user. */
async function measureOutside(...options: readonly string[]): Promise<Measured> {
  // Not below /run, which is another one in the enclosure that the program makes for itself.
  const out = mkdtempSync('/var/tmp/photofinish-test-');
  try {
    const { PHOTOFINISH_ENCLOSED: _, ...env } = process.env;
    const cli = fileURLToPath(new URL('../../../harness/cli.ts', import.meta.url));
    const names = NAMES.flatMap(({ host, port, address }) => ['--resolve', `${host}:${port}:${address}`]);
    const what = ['--site', 'https://shop.example/', '--link', 'rate=10mbit,rtt=40ms', ...options];
    await using program = start(
      [
        process.execPath,
        cli,
        'measure',
        '--beside',
        ...what,
        ...names,
        '--insecure',
        '--seed',
        '7',
        '--out',
        `${out}/study`,
      ],
      { env },
    );
    let said = '';
    for (const output of [program.stdout, program.stderr])
      output.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const code = await program.ended;
    if (code !== 0 || !said.includes('median ms')) throw new Error(`${code}: ${said}`);
    const summary = JSON.parse(readFileSync(`${out}/study/summary.json`, 'utf8'));
    return { summary, reportBytes: readFileSync(`${out}/study/report.html`, 'utf8').length, said };
  } finally {
    rmSync(out, { recursive: true });
  }
}

remoteTest(
  'measured as any site is: every arm in every block, with every proof',
  async () => {
    const all: Measured[] = [];
    await inPeace(async () => {
      all.push(await measureOutside('--exactly', '2'));
      // Where a connection is slow to come about Chromium opens another.
      expect(all.at(-1)!.summary.conditions[0]!.arms.h2!.connections).toBe(3);
    });
    for (const { summary, reportBytes } of all) {
      const { h1, h2, h3 } = summary.conditions[0]!.arms;
      for (const arm of [h1, h2, h3]) expect(arm).toMatchObject({ ok: 2, failed: 0, requests: 6 });
      expect(reportBytes).toBeGreaterThan(100_000);
    }
  },
  180_000,
);

remoteTest(
  'compared by what it offers: who comes for the first time, who comes back, and who has no UDP',
  async () => {
    // A browser that is held up may have come by TCP before its handshake of QUIC's was done.
    await inPeace(async () => {
      const { summary, said } = await measureOutside('--offers', 'h2,h3-altsvc,h3-record', '--exactly', '1');
      const sharesOf = (condition: RegExp) => {
        const { arms } = summary.conditions.find(({ id }) => condition.test(id))!;
        // Where a load failed, what was printed says which one, and when.
        for (const { ok, failed, requests } of Object.values(arms))
          expect({ ok, requests, said: failed > 0 ? said : '' }).toEqual({ ok: 1, requests: 6, said: '' });
        return ['h2', 'h3-altsvc', 'h3-record'].map((offer) => arms[offer]!.h3SharePercent ?? 0);
      };
      // Three of six requests are the shop's own.
      const [, told, published] = sharesOf(/40ms,loss=0%\|remote\|first$/);
      expect([told! < 50, published]).toEqual([true, 50]);
      expect(sharesOf(/40ms,loss=0%\|remote\|returning$/)).toEqual([0, 50, 50]);
      for (const visit of ['first', 'returning'])
        expect(sharesOf(new RegExp(`udp=drop\\|remote\\|${visit}$`))).toEqual([0, 0, 0]);
    });
  },
  240_000,
);

remoteTest(
  'killed, a lab leaves no interface and no rules behind',
  async () => {
    const { PHOTOFINISH_ENCLOSED: _, ...env } = process.env;
    const holder = fileURLToPath(new URL('./hold-uplink.ts', import.meta.url));
    await using program = start([process.execPath, holder, OUTSIDE.shop, '443'], { env });
    let said = '';
    program.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [line] = (await Promise.race([
      once(program.stdout, 'data'),
      program.ended.then((end) => Promise.reject(new Error(`it ended (${end}): ${said}`))),
    ])) as [Buffer];
    const device = line.toString().trim();
    expect(await leftOf(device)).toEqual(['interface', 'rules']);
    program.child.kill('SIGKILL');
    await program.ended;
    const untilMs = performance.now() + 5_000;
    while ((await leftOf(device)).length > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await leftOf(device)).toEqual([]);
  },
  60_000,
);

/** A gateway's flows as the client would tell of them. */
function mirrored({ flows }: HostCounts): HostCounts['flows'] {
  return flows.map(({ ownPort, otherPort, sent, received, ...flow }) => ({
    ...flow,
    ownPort: otherPort,
    otherPort: ownPort,
    sent: received,
    received: sent,
  }));
}

/** What there is of an uplink in this machine's own network. */
async function leftOf(device: string): Promise<readonly string[]> {
  const [hasInterface, hasRules] = await Promise.all([
    succeeds(['ip', 'link', 'show', device]),
    succeeds(['nft', 'list', 'table', 'ip', device]),
  ]);
  return [...(hasInterface ? ['interface'] : []), ...(hasRules ? ['rules'] : [])];
}

/** All tables, and all interfaces by their names: there is nothing that an attempt could leave besides. */
async function allOwn(): Promise<string> {
  const interfaces = (await run(['ip', '-o', 'link'])).split('\n').map((line) => line.split(': ')[1]);
  return [await run(['nft', 'list', 'tables']), ...interfaces].join('\n');
}

/** Something of this machine's own to connect to. */
async function listen(address: string): Promise<AsyncDisposable & ServerPlace> {
  const server = createServer((socket) => socket.on('error', () => {}).end());
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return { address, port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** A firewall that lets nothing through to an interface. */
async function closeForwarding(device: string): Promise<AsyncDisposable> {
  const rule = `type filter hook forward priority 10; oifname "${device}" drop`;
  await run(['nft', `table ip pf-wall { chain wall { ${rule}\n}\n}`]);
  return { [Symbol.asyncDispose]: async () => void (await run(['nft', 'delete', 'table', 'ip', 'pf-wall'])) };
}
