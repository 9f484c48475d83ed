import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import { originsAt, type Protocol } from '../../../harness/model/arm.ts';
import type { Measurement } from '../../../harness/model/measurement.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import type { Load } from '../../../harness/run/load-request.ts';
import { findSite } from '../../../harness/run/sites.ts';
import type { FoundServer } from '../../../harness/server/adapter.ts';
import { ADAPTERS } from '../../../harness/server/adapters.ts';
import { makeCertificate } from '../../../harness/server/certificate.ts';
import { nginx } from '../../../harness/server/nginx.ts';
import { openServer } from '../../../harness/server/server.ts';
import { start } from '../../../harness/system/process.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { handshakeOf } from '../handshake.ts';
import { labTest, noLab, PATIENCE_MS } from '../lab.ts';
import { findProcesses } from '../processes.ts';

const SITES = ['few-small', 'app', 'many-small', 'lazy-200', 'upload-txt-200kb', 'many-large'];
const LINK = 'rate=20mbit,rtt=40ms';

const OTHERS = ADAPTERS.filter((adapter) => adapter !== nginx);

describe.each(OTHERS.map((adapter) => [adapter.name, adapter] as const))('%s', (name, adapter) => {
  const found = noLab === undefined ? adapter.find() : undefined;
  const refusal = noLab ?? (found && 'missing' in found ? found.missing : undefined);
  const it = (says: string, body: () => Promise<void>) => labTest(`${name}: ${says}`, body, 120_000, refusal);

  let lab: Lab;
  let folder: string;
  beforeAll(async () => {
    if (refusal !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'photofinish-server-'));
    lab = await openLab({ sites: SITES.map(findSite), setups: [{ name }] });
    await lab.setLink(linkOf(LINK));
  }, 120_000 + PATIENCE_MS);
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const load = async (site: string, protocol: Protocol, besides: Partial<Load> = {}): Promise<Measurement> => {
    const ordinary = { visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
    const capture = await lab.load({ site, protocol, ...ordinary, ...besides });
    const key = { condition: site, block: 0, arm: protocol };
    return measurementOf(key, capture);
  };
  const figures = (...wanted: Parameters<typeof load>) => figuresOf(() => load(...wanted));

  it('serves each of its arms, and every proof holds', async () => {
    for (const protocol of adapter.protocols) {
      expect(await figures('few-small', protocol)).toMatchObject({ requests: 6, resumedConnections: 0 });
      const overOne = protocol === 'h2' || protocol === 'h3';
      // A busy browser may tell late that a request has ended, when the next one of its connection is under way.
      const many = await inPeace(async () => {
        const one = await figures('many-small', protocol);
        expect([protocol, one.peakInFlight! > 6]).toEqual([protocol, overOne]);
        // Where one is slow to come about Chromium opens another.
        expect([protocol, one]).toMatchObject([protocol, { connections: overOne ? 1 : 6 }]);
        return one;
      });
      expect([protocol, many]).toMatchObject([protocol, { requests: 51, usedConnections: overOne ? 1 : 6 }]);
      expect(many.payloadBytes).toBeGreaterThan(217_000);
    }
  });

  it('shows the intermediate beside the leaf, and agrees to the key exchange of the others', async () => {
    const { chain, group } = await handshakeOf(lab);
    const [leaf = 0, intermediate = 0, ...more] = chain;
    expect([leaf + intermediate, more, group]).toEqual([(await lab.describe()).certificateBytes, [], 'X25519']);
  });

  if (adapter.visits.includes('resumed'))
    it('knows visitors who take up a session', async () => {
      for (const protocol of adapter.protocols.filter((each) => each !== 'h1c'))
        await inPeace(async () => {
          const { resumedConnections, earlyRequests } = await figures('few-small', protocol, { visit: 'resumed' });
          const found = { protocol, resumedConnections, isEarly: earlyRequests > 0 };
          // How many connections of h1's are opened once there are tickets is chance.
          const expected = protocol === 'h1' ? expect.any(Number) : 1;
          expect(found).toEqual({ protocol, resumedConnections: expected, isEarly: protocol === 'h3' });
        });
    });

  if (adapter.visits.includes('repeat'))
    it('knows visitors who have the page in their caches', async () => {
      await inPeace(async () => {
        const again = await figures('many-small', 'h2', { visit: 'repeat' });
        expect(again).toMatchObject({ requests: 1, payloadBytes: 0 });
      });
    });

  if (adapter.visits.includes('discovered'))
    it('knows visitors who are told of H3', async () => {
      // A browser that is held up is late with its handshake, and asks for more over H2.
      await inPeace(async () => {
        const { resumedConnections, h3SharePercent } = await figures('app', 'h3', { visit: 'discovered' });
        expect([resumedConnections, h3SharePercent, h3SharePercent! > 60]).toEqual([0, h3SharePercent, true]);
      });
    });

  it('lets time pass: for a page that is held back, and for what it thinks about', async () => {
    for (const protocol of adapter.protocols) {
      const { ttfbMs } = await figures('few-small', protocol, { holdMs: 400 });
      expect([protocol, ttfbMs! > 400 + 60]).toEqual([protocol, true]);
      if (protocol !== 'h2' && protocol !== 'h3') continue;
      // All that a connection may have asked at once are, while the first is thought about; where nothing holds the browser up.
      await inPeace(async () => {
        expect([protocol, (await figures('lazy-200', protocol)).peakInFlight! >= 100]).toEqual([protocol, true]);
      });
    }
  });

  it('takes a file that is sent', async () => {
    for (const protocol of adapter.protocols) {
      const { uploadMs } = await figures('upload-txt-200kb', protocol);
      expect([protocol, uploadMs! > (200_000 * 8) / 20_000]).toEqual([protocol, true]);
    }
  });

  it('is void where it ends, and revived', async () => {
    const [protocol] = adapter.protocols;
    const measured = load('many-large', protocol!);
    await new Promise((resolve) => setTimeout(resolve, 600));
    // OpenLiteSpeed takes another command line than it was given.
    const processes = findProcesses(new RegExp(`lab\\S*/${name}/|^${name} \\(`));
    expect(processes.length).toBeGreaterThan(0);
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    expect(await measured).toMatchObject({ status: 'void', reason: 'server', says: `${name} ended (SIGKILL)` });
    await figures('few-small', protocol!);
  });

  it('is started anew in order, whoever still holds a connection', async () => {
    const { namespace } = (await lab.describe()).hosts.find((host) => host.namespace.includes('server'))!;
    const origins = originsAt(9).filter(({ protocol }) => protocol === 'h1c');
    const { argv } = found as FoundServer;
    await using server = await openServer(adapter, {
      argv,
      host: { namespace, address: '127.0.0.1', device: 'lo' },
      folder,
      sites: [],
      origins,
      certificate: await makeCertificate(folder, ['h1.photofinish.test']),
      holdFile: `${folder}/hold`,
      backend: '127.0.0.1:4400',
      behind: '127.0.0.1:4401',
      restartTimeoutMs: 10_000,
    });
    await using client = start([process.execPath, '-e', CONNECT, `${origins[0]!.port}`], { namespace });
    await new Promise((resolve) => client.stdout.once('data', resolve));
    await server.restart();
    expect(await client.ended).toBe(0);
    expect(server.findFault()).toBeUndefined();
  });
});

/** Asks for a page, keeps the connection, and ends well once it was closed. */
const CONNECT = `
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  socket.write('GET /photofinish/hello HTTP/1.1\\r\\nHost: h1.photofinish.test\\r\\n\\r\\n');
  socket.once('data', () => console.log('there'));
  socket.on('data', () => {});
  socket.once('close', () => process.exit(0));`;
