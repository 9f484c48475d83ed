import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { LaunchedBrowser } from '../../harness/browser/launch.ts';
import { keepEvidence } from '../../harness/run/evidence.ts';
import { openFakeHost } from '../fakes/namespace.ts';
import { temporaryFolder } from '../store/studies.ts';

/** A tcpdump that writes an empty file. */
const TCPDUMP = `
trap 'echo 0 packets dropped by kernel >&2; exit 0' INT
until [ "$1" = -w ]; do shift; done
: >"$2"; echo listening on >&2; while :; do sleep 0.01; done`;

const keyLog = { take: () => 'secrets' };
const launched = { keyLog, netLog: keyLog } as unknown as LaunchedBrowser;

/** Loads with packets that are kept, and what is in their folder afterwards. */
async function keepPackets(load: () => Promise<void>) {
  using fake = openFakeHost(TCPDUMP);
  using folder = temporaryFolder();
  const files = { folder: folder.path, name: 'c.0.h2' };
  const kept = { pcap: true, netLog: false };
  const loaded = await keepEvidence(kept, files, { client: fake.host, launched }, load).catch((error: Error) => error);
  expect(existsSync(`${folder.path}/pcap`)).toBe(true);
  return { loaded, files: readdirSync(`${folder.path}/pcap`) };
}

test('packets and the secrets that open them are kept once the load is done', async () => {
  expect(await keepPackets(async () => {})).toEqual({ loaded: undefined, files: ['c.0.h2.keys', 'c.0.h2.pcap'] });
});

test('a load that comes to no end leaves no packets', async () => {
  const broken = new Error('the lab died');
  expect(await keepPackets(() => Promise.reject(broken))).toEqual({ loaded: broken, files: [] });
});
