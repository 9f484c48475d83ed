import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import { originsAt, type Protocol } from '../../../harness/model/arm.ts';
import type { LoadFigures, Measurement } from '../../../harness/model/measurement.ts';
import type { GeneratedSite } from '../../../harness/model/site.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import type { Load } from '../../../harness/run/load-request.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { makeCertificate } from '../../../harness/server/certificate.ts';
import { nginx } from '../../../harness/server/nginx.ts';
import { openServer } from '../../../harness/server/server.ts';
import { run } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';
import { findProcesses } from '../processes.ts';

const SLOW = 'many-large';
let folder: string;
let lab: Lab;
let server: string;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-altered-'));
  lab = await openLab({ sites: [findSite(SLOW), findSite('few-small'), alteredSite()] });
  server = (await lab.describe()).hosts.find(({ namespace }) => namespace.includes('server'))!.namespace;
}, 120_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** The command line of nginx, but not of its worker. */
const NGINX = /^(?!.*nginx: worker).*nginx/;

/** A site of which the server has another file than its manifest says, just as long. */
function alteredSite(): GeneratedSite {
  const { manifest, root } = findSite('few-small');
  cpSync(`${root}/few-small`, `${folder}/altered`, { recursive: true });
  const path = `${folder}/altered/flag-3.png`;
  const bytes = readFileSync(path);
  bytes[bytes.length - 20]! ^= 1;
  writeFileSync(path, bytes);
  const moved = (path: string) => path.replace('/few-small/', '/altered/');
  return {
    root: folder,
    manifest: {
      ...manifest,
      site: 'altered',
      document: moved(manifest.document),
      objects: manifest.objects.map((object) => ({ ...object, path: moved(object.path) })),
    },
  };
}

async function load(site: string, protocol: Protocol, besides: Partial<Load> = {}): Promise<Measurement> {
  const ordinary = { visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
  const capture = await lab.load({ site, protocol, ...ordinary, ...besides });
  const key = { condition: site, block: 0, arm: protocol };
  return measurementOf(key, capture);
}

/** What becomes of a load during which something happens. */
async function during(site: string, protocol: Protocol, afterMs: number, happens: () => void): Promise<Measurement> {
  const measured = load(site, protocol);
  setTimeout(happens, afterMs);
  return measured;
}

function killAll(pattern: RegExp): void {
  const found = findProcesses(pattern);
  if (found.length === 0) throw new Error(`no process ${pattern}`);
  for (const pid of found) process.kill(pid, 'SIGKILL');
}

/** Whatever went wrong before, the next load is as ever. */
function goesOn(protocol: Protocol): Promise<LoadFigures> {
  return figuresOf(() => load('few-small', protocol));
}

describe('a load that goes wrong says how', () => {
  labTest(
    'longer than it may take: a timeout',
    async () => {
      await lab.setLink(linkOf('rate=1mbit,rtt=40ms'));
      expect(await load(SLOW, 'h2', { timeoutMs: 1_500 })).toMatchObject({
        status: 'failed',
        reason: 'timeout',
        says: expect.stringMatching(/^not done after 1\.5 s: .* missing/),
      });
      await goesOn('h2');
    },
    60_000,
  );

  labTest(
    'the renderer ends: a crash of the page',
    async () => {
      await lab.setLink(linkOf('rate=1mbit,rtt=40ms'));
      const measured = await during(SLOW, 'h2', 2_000, () => killAll(/--type=renderer/));
      expect(measured).toMatchObject({ status: 'failed', reason: 'page-crash' });
      await goesOn('h2');
    },
    60_000,
  );

  labTest(
    'the browser ends: a crash of the browser, and the next load has a new one',
    async () => {
      await lab.setLink(linkOf('rate=1mbit,rtt=40ms'));
      const measured = await during(SLOW, 'h3', 2_000, () =>
        killAll(/chromium.* --user-data-dir=\S*-quic(?!.*--type=)/),
      );
      expect(measured).toMatchObject({ status: 'failed', reason: 'browser-crash' });
      expect((await goesOn('h3')).launch).toBe(measured.launch + 1);
    },
    60_000,
  );

  labTest(
    'the server ends: void, and the next load has a new one',
    async () => {
      await lab.setLink(linkOf('rate=1mbit,rtt=40ms'));
      const measured = await during(SLOW, 'h1', 1_500, () => killAll(NGINX));
      expect(measured).toMatchObject({ status: 'void', reason: 'server', says: 'nginx ended (SIGKILL)' });
      await goesOn('h1');
      const another = await during(SLOW, 'h3', 1_500, () => killAll(/nginx: worker/));
      expect(another).toMatchObject({ status: 'void', reason: 'server', says: "nginx's worker ended" });
      await goesOn('h3');
    },
    60_000,
  );

  labTest(
    'nobody at the port: refused',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      await using _closed = await refuse(server, 'iifname "eth0" tcp dport 4432 reject with tcp reset');
      expect(await load('few-small', 'h2')).toMatchObject({ status: 'failed', reason: 'refused' });
    },
    60_000,
  );

  labTest(
    'no way for datagrams: H3 fails, and TCP does not come in for it',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      await using _closed = await refuse(server, 'udp dport 4433 drop');
      const measured = await load('few-small', 'h3', { timeoutMs: 15_000 });
      expect(measured).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^(network|tls|timeout)$/) });
    },
    60_000,
  );

  labTest(
    'a certificate that the browser was not told to accept: tls, in the words of both ends',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      const strict = { name: 'strict', flags: ['--ignore-certificate-errors-spki-list=AAAA'] };
      const measured = await load('few-small', 'h2', { browser: strict });
      const says = expect.stringMatching(/ERR_CERT_.*; the server said: .*SSL_do_handshake\(\) failed .* alert/);
      expect(measured).toMatchObject({ status: 'failed', reason: 'tls', says });
    },
    60_000,
  );

  labTest(
    'told of H3, and no way for datagrams: the page comes over H2, and the load fails for it',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      await using _closed = await refuse(server, 'udp dport 4453 drop');
      expect(await load('few-small', 'h3', { visit: 'discovered' })).toMatchObject({
        status: 'failed',
        reason: 'fallback',
        says: 'the browser was told of H3 and did not turn to it',
      });
    },
    60_000,
  );

  labTest(
    'told of H3, and a certificate that is accepted over TCP alone: the page comes over H2, and the load fails for it',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      // Chromium accepts unknown roots over QUIC only for the hosts of this list; the last one counts.
      const strict = { name: 'strict', flags: ['--origin-to-force-quic-on=other.photofinish.test:9'] };
      // A server that is held up may not have answered the handshake when the page is done.
      await inPeace(async () => {
        expect(await load('few-small', 'h3', { visit: 'discovered', browser: strict })).toMatchObject({
          status: 'failed',
          reason: 'fallback',
          says: 'the browser was told of H3, and its QUIC handshake did not complete',
        });
      });
    },
    60_000,
  );

  labTest(
    'another file than the site has: the object is named',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'));
      // The file is as long as it should be, so that only a load that is watched tells.
      for (const protocol of ['h1', 'h2', 'h3'] as const)
        expect(await load('altered', protocol, { watched: true })).toMatchObject({
          status: 'failed',
          reason: 'object',
          says: expect.stringMatching(/^\/altered\/flag-3\.png was altered/),
        });
    },
    60_000,
  );
});

labTest(
  'a server that does not end in order when it is to be started anew is killed, and that is said',
  async () => {
    const servers = { namespace: server, address: '127.0.0.1', device: 'lo' };
    const certificate = await makeCertificate(folder, ['h1.photofinish.test']);
    const backend = '127.0.0.1:4400';
    await using stubborn = await openServer(nginx, {
      argv: readTools().nginx.argv,
      host: servers,
      folder,
      certificate,
      sites: [],
      origins: [originsAt(0)[0]!],
      backend,
      behind: '',
      holdFile: `${folder}/hold`,
      restartTimeoutMs: 1_000,
    });
    await stubborn.restart();
    expect(stubborn.findFault()).toBeUndefined();
    process.kill(Math.max(...findProcesses(NGINX)), 'SIGSTOP'); // The latest is this one.
    await expect(stubborn.restart()).rejects.toThrow('nginx did not end in order within 1 s');
    expect(stubborn.findFault()).toBe('nginx ended (SIGKILL)');
  },
  60_000,
);

/** Has a host's kernel turn packets away. */
async function refuse(namespace: string, rule: string): Promise<AsyncDisposable> {
  const table = `table inet refuse {\n chain in {\n type filter hook input priority 0;\n ${rule}\n }\n}`;
  await run(['nft', table], { namespace });
  return {
    async [Symbol.asyncDispose]() {
      await run(['nft', 'delete table inet refuse'], { namespace });
    },
  };
}
