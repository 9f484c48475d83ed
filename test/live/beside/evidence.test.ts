import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { originFor } from '../../../harness/model/arm.ts';
import { parsePcap } from '../../../harness/network/pcap.ts';
import { writeHar } from '../../../harness/run/evidence.ts';
import { openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { findProgram, run } from '../../../harness/system/process.ts';
import { linkOf } from '../../links.ts';
import { labTest, PATIENCE_MS } from '../lab.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;

let folder: string;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-evidence-'));
  await using lab = await openLab({ sites: [findSite('few-small')], keeps: { pcap: true, netLog: true } });
  await lab.setLink(linkOf('rate=10mbit,rtt=40ms'));
  for (const protocol of ARMS) {
    const files = { folder, name: `00001-${protocol}` };
    const load = { site: 'few-small', protocol, visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
    await writeHar(files, await lab.load(load, files));
  }
}, 120_000 + PATIENCE_MS);
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const read = (path: string) => readFileSync(join(folder, path));
const unzipped = (path: string) => JSON.parse(gunzipSync(read(path)).toString()) as never;

describe('each load leaves behind', () => {
  labTest(
    'nothing but whole files, named by block and arm',
    async () => {
      const names = (kind: string) => readdirSync(join(folder, kind)).sort();
      expect(names('har')).toEqual(ARMS.map((arm) => `00001-${arm}.har.gz`));
      expect(names('netlog')).toEqual(ARMS.map((arm) => `00001-${arm}.json.gz`));
      expect(names('pcap')).toEqual(ARMS.flatMap((arm) => [`00001-${arm}.keys`, `00001-${arm}.pcap`]));
    },
    10_000,
  );

  labTest(
    'files that only their owner may read, since cookies and keys are in them',
    async () => {
      const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
      for (const kind of ['har', 'netlog', 'pcap']) {
        expect([kind, modeOf(kind)]).toEqual([kind, '700']);
        const files = readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`);
        expect(files.map((each) => [each, modeOf(each)])).toEqual(files.map((each) => [each, '600']));
      }
    },
    10_000,
  );

  labTest(
    'an archive of its requests, and a network log that knows its address',
    async () => {
      for (const arm of ARMS) {
        const har = unzipped(`har/00001-${arm}.har.gz`) as { log: { entries: { request: { url: string } }[] } };
        const { url } = originFor(arm, 'cold');
        expect(har.log.entries.map(({ request }) => request.url).every((each) => each.startsWith(url))).toBe(true);
        expect(har.log.entries).toHaveLength(6);
        const netLog = unzipped(`netlog/00001-${arm}.json.gz`) as { constants: object; events: object[] };
        expect(netLog.events.length).toBeGreaterThan(50);
        expect(JSON.stringify(netLog.events)).toContain(url);
      }
    },
    10_000,
  );

  labTest(
    'packets of the arm and no other, and the secrets of as many handshakes as it took',
    async () => {
      for (const arm of ARMS) {
        const frames = parsePcap(read(`pcap/00001-${arm}.pcap`));
        expect(frames.length).toBeGreaterThan(30);
        // The browser's host answers with ICMP what arrives after the load has closed its QUIC socket.
        const transports = new Set(frames.map(({ protocol }) => protocol).filter((each) => each !== 'icmp'));
        expect(transports).toEqual(new Set([arm === 'h3' ? 'udp' : 'tcp']));
        const secrets = read(`pcap/00001-${arm}.keys`).toString();
        const handshakes = secrets.match(/^CLIENT_TRAFFIC_SECRET_0 /gm) ?? [];
        const { port } = originFor(arm, 'cold');
        const answered = frames.filter(({ fromPort, payloadBytes }) => fromPort === port && payloadBytes > 0);
        expect(handshakes).toHaveLength(new Set(answered.map(({ toPort }) => toPort)).size);
        if (arm !== 'h1') expect(handshakes).toHaveLength(1);
      }
    },
    10_000,
  );
});

const tshark = findProgram('tshark');
const OPENED = 'tshark opens the packets, and with the secrets shows what each protocol says';
if (tshark === undefined) {
  process.stderr.write(`NOT TRIED: ${OPENED}: there is no tshark on this machine\n`);
  test.skip(OPENED, () => {});
} else
  labTest(
    OPENED,
    async () => {
      const shown = { h1: 'HTTP', h2: 'HTTP2', h3: 'HTTP3' };
      for (const arm of ARMS) {
        const { port } = originFor(arm, 'cold');
        const decode = arm === 'h3' ? `udp.port==${port},quic` : `tcp.port==${port},tls`;
        const secrets = `tls.keylog_file:${folder}/pcap/00001-${arm}.keys`;
        const file = ['-r', `${folder}/pcap/00001-${arm}.pcap`, '-o', secrets, '-d', decode];
        const protocols = await run([tshark, ...file, '-T', 'fields', '-e', '_ws.col.Protocol']);
        const count = protocols.split('\n').filter((each) => each === shown[arm]).length;
        expect([arm, count >= 6]).toEqual([arm, true]);
      }
    },
    30_000,
  );
