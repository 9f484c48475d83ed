import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import { originFor, type Protocol, type Visit } from '../../../harness/model/arm.ts';
import type { LoadFigures, Measurement } from '../../../harness/model/measurement.ts';
import type { GeneratedSite } from '../../../harness/model/site.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { run } from '../../../harness/system/process.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { handshakeOf } from '../handshake.ts';
import { labTest } from '../lab.ts';
import { cpuMs, findProcesses } from '../processes.ts';

/** The quick link, with a long queue, that Photofinish's first figures were measured over. */
const PHOTOS_LINK = 'rate=50mbit,rtt=18ms,queue=200';
const ARMS = ['h1', 'h2', 'h3'] as const;

let lab: Lab;
let folder: string;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-document-'));
  const names = ['few-small', 'few-large', 'many-small', 'many-large', 'five-400', 'single-32mb', 'article', 'app'];
  lab = await openLab({ sites: [...names.map(findSite), makeDocument(30_000)] });
}, 120_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const DOCUMENT = 'document';

/** A page of a given number of bytes and nothing else. */
function makeDocument(bytes: number): GeneratedSite {
  const path = `/${DOCUMENT}/index.html`;
  const text = '<!doctype html><link rel="icon" href="data:,"><p>'.padEnd(bytes, 'x');
  mkdirSync(join(folder, DOCUMENT));
  writeFileSync(join(folder, path), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const objects = [{ path, bytes, type: 'text/html', sha256 }];
  return { root: folder, manifest: { site: DOCUMENT, seed: 1, document: path, objects } };
}

async function load(
  site: string,
  protocol: Protocol,
  visit: Visit = 'cold',
  timeoutMs = 60_000,
  watched = false,
): Promise<Measurement> {
  const capture = await lab.load({ site, protocol, visit, device: 'desktop', timeoutMs, watched });
  const key = { condition: site, block: 0, arm: protocol };
  return measurementOf(key, capture);
}

async function figures(...wanted: Parameters<typeof load>): Promise<LoadFigures> {
  return figuresOf(() => load(...wanted));
}

/** Expects a load to take at least one time, and at most another where the machine does not hold it up. */
async function expectPltMs(site: string, protocol: Protocol, [leastMs, mostMs]: readonly [number, number]) {
  const pltMs = await inPeace(async () => {
    const { pltMs } = await figures(site, protocol);
    expect([protocol, pltMs, pltMs <= mostMs]).toEqual([protocol, pltMs, true]);
    return pltMs;
  });
  expect([protocol, pltMs, pltMs >= leastMs]).toEqual([protocol, pltMs, true]);
}

labTest(
  'what one end sends the other receives, packet by packet, and nothing of it is not the page',
  async () => {
    await lab.setLink(linkOf(PHOTOS_LINK));
    for (const protocol of ARMS) {
      const trial = { site: 'few-large', protocol, visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
      // A browser that is held up closes its connections while the one end has been counted and the other not.
      await inPeace(async () => {
        const { client, server } = (await lab.load(trial)).wire!;
        expect([protocol, client.received, server.received]).toEqual([protocol, server.sent, client.sent]);
        const flows = client.flows.filter(({ otherPort }) => otherPort !== originFor(protocol, 'cold').port);
        expect([protocol, flows]).toEqual([protocol, []]);
      });
    }
  },
  60_000,
);

labTest(
  "TCP's slow start is seen to end where delay varies, and not where it does not",
  async () => {
    const endedAt = async (jitter: string) => {
      await lab.setLink(linkOf(`down=50mbit,up=10mbit,rtt=50ms,jitter=${jitter},queue=100ms`));
      const loads = [await figures('article', 'h2'), await figures('article', 'h3')];
      return loads.map(({ slowStartPackets }) => slowStartPackets);
    };
    expect(await endedAt('5ms')).toEqual([expect.any(Number), undefined]);
    expect(await endedAt('0ms')).toEqual([undefined, undefined]);
  },
  60_000,
);

labTest(
  'of a load that is watched what is too long for the browser to keep is counted, and what else a lab is to tell of a load is there',
  async () => {
    await lab.setLink(linkOf(PHOTOS_LINK));
    for (const [site, undigestedObjects] of [
      ['single-32mb', 1],
      ['few-large', 0],
    ] as const)
      await inPeace(async () => {
        expect(await figures(site, 'h3', 'cold', 60_000, true)).toMatchObject({ undigestedObjects, hostDrops: 0 });
      });
    const { browsers, certificateBytes } = await lab.describe();
    expect(browsers).toMatchObject({ tcp: expect.stringMatching(/^(Headless)?Chrome\/\d+/), quic: browsers.tcp });
    const { chain, group } = await handshakeOf(lab);
    const [leaf = 0, intermediate = 0, ...more] = chain;
    expect([leaf + intermediate, more, group]).toEqual([certificateBytes, [], 'X25519']);
  },
  60_000,
);

labTest(
  'a datagram that a host has no room for is told from one that the link lost',
  async () => {
    await lab.setLink(linkOf(PHOTOS_LINK));
    const { namespace } = (await lab.describe()).hosts.find((host) => host.namespace.includes('client'))!;
    // Counting begins with the load, a moment after it is asked for.
    await inPeace(async () => {
      const measured = figures('many-large', 'h3');
      await run([process.execPath, '-e', OVERFLOW], { namespace });
      expect(await measured).toMatchObject({ hostDrops: expect.any(Number), strayPackets: 0 });
      expect((await measured).hostDrops).toBeGreaterThan(100);
    });
  },
  60_000,
);

/** A program that sends itself more at once than it has room for. */
const OVERFLOW = `
  const socket = require('node:dgram').createSocket('udp4').bind(9, '127.0.0.1', () => {
    socket.setRecvBufferSize(2048);
    socket.connect(9, '127.0.0.1', () => {
      for (let sent = 0; sent < 200; sent += 1) socket.send(Buffer.alloc(1000));
      setTimeout(() => socket.close(), 50);
    });
  });`;

labTest(
  'between loads the browsers do nothing: no page of their own, no packet, hardly any time of a core',
  async () => {
    await lab.setLink(linkOf('rate=10mbit,rtt=40ms'));
    const trial = { site: 'few-small', protocol: 'h3', visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
    await lab.load(trial);
    await inPeace(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500)); // The next visitor gets ready.
      expect(findProcesses(/--top-chrome-webui/)).toEqual([]);
      const browsers = findProcesses(/chromium.*--user-data-dir/);
      const before = cpuMs(browsers);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(cpuMs(browsers) - before).toBeLessThan(200);
    });
    const { client, server } = (await lab.load(trial)).wire!;
    const ports = [...client.flows, ...server.flows].flatMap(({ ownPort, otherPort }) => [ownPort, otherPort]);
    expect(ports.filter((port) => port < 10_000 && port !== originFor('h3', 'cold').port)).toEqual([]);
  },
  60_000,
);

/** Round trips that each protocol takes for a document and what it names (the connections, the document, the objects). */
const ROUND_TRIPS = { h3: 3, h2: 4, h1: 6 } as const;

labTest(
  'over 218 ms a page of six small objects takes three round trips by H3, four by H2, six by H1',
  async () => {
    // What the machine itself takes for it.
    const ownMs = new Map<Protocol, number>();
    await lab.setLink(linkOf('rate=50mbit,rtt=4ms'));
    for (const protocol of ARMS) {
      const { pltMs } = await figures('five-400', protocol);
      ownMs.set(protocol, pltMs - 4 * ROUND_TRIPS[protocol]);
    }
    await lab.setLink(linkOf('rate=50mbit,rtt=218ms'));
    for (const protocol of ARMS) {
      const leastMs = ROUND_TRIPS[protocol] * 218;
      await expectPltMs('five-400', protocol, [leastMs, leastMs + Math.max(0.08 * leastMs, ownMs.get(protocol)!)]);
    }
  },
  60_000,
);

labTest(
  'fifty photos over 18 ms take the same time over each protocol where nothing is lost: that of the link',
  async () => {
    // Half of that link's rate: all of it is as much as two cores can carry.
    await lab.setLink(linkOf('rate=25mbit,rtt=18ms,queue=200'));
    for (const protocol of ARMS) await expectPltMs('many-large', protocol, [2_200, 2_600]);
  },
  60_000,
);

describe('a visitor who was here before', () => {
  labTest(
    'takes up the session on new connections, and over QUIC asks before the handshake is done',
    async () => {
      await lab.setLink(linkOf('rate=20mbit,rtt=60ms'));
      for (const protocol of ARMS)
        await inPeace(async () => {
          const load = await figures('few-small', protocol, 'resumed');
          // Those of h1's connections that are opened before the first has its tickets take up none.
          const { resumedConnections, usedConnections } = load;
          if (protocol === 'h1') expect(resumedConnections).toBeGreaterThanOrEqual(2);
          else expect([protocol, resumedConnections, usedConnections]).toEqual([protocol, 1, 1]);
          expect(load.requests).toBe(6);
          const trips = protocol === 'h3' ? 1 : 3;
          expect([protocol, Math.round(load.ttfbMs! / 60)]).toEqual([protocol, trips]);
          expect([protocol, load.earlyRequests > 0]).toEqual([protocol, protocol === 'h3']);
        });
    },
    60_000,
  );

  labTest(
    'is sent over QUIC what the window holds, since his token proves his address',
    async () => {
      await lab.setLink(linkOf('rate=50mbit,rtt=218ms'));
      // Two round trips. Without a token three: no more than three times what the client sent comes with the first.
      // With a Retry six, and the trial is void.
      await inPeace(async () => {
        expect((await figures(DOCUMENT, 'h3', 'resumed')).lastByteMs).toBeLessThanOrEqual(2.4 * 218);
      });
    },
    60_000,
  );

  labTest(
    'finds the page in the cache, and asks only whether it still holds',
    async () => {
      await lab.setLink(linkOf(`${PHOTOS_LINK},loss=2%`));
      for (const protocol of ARMS) {
        const load = await figures('many-small', protocol, 'repeat');
        expect(load).toMatchObject({ requests: 1, payloadBytes: 0 });
      }
    },
    60_000,
  );
});

labTest(
  'a first visitor who is told of H3 begins on H2, and has by H3 whatever is asked for once its handshake is done',
  async () => {
    await lab.setLink(linkOf('rate=10mbit,rtt=100ms'));
    // Scripts that load scripts: most of the 71 requests come after the switch.
    await inPeace(async () => {
      const load = await figures('app', 'h3', 'discovered');
      expect(load).toMatchObject({ requests: 71, usedConnections: 2, resumedConnections: 0 });
      expect(load.h3SharePercent).toBeGreaterThan(60);
      expect(load.h3SharePercent).toBeLessThan(90);
    });
    // All asked for at once, before there is a handshake; where nothing holds up the renderer that is to ask.
    await inPeace(async () => {
      expect(await figures('many-small', 'h3', 'discovered')).toMatchObject({ requests: 51, h3SharePercent: 0 });
    });
  },
  60_000,
);

labTest(
  'blanks between images are not the largest content',
  async () => {
    await lab.setLink(linkOf('rate=2mbit,rtt=218ms'));
    const { fcpMs, lcpMs } = await figures('many-small', 'h2');
    expect(fcpMs).toBeGreaterThan(4 * 200);
    expect(lcpMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(fcpMs!);
  },
  60_000,
);
