import { type RecordOptions, recordPage } from '../browser/record/record-page.ts';
import { DEVICES } from '../model/device.ts';
import { UNLIMITED } from '../model/link.ts';
import type { RecordedManifest, RecordedSite, ReplayNote, SeenPage } from '../model/recording.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { readTools } from '../system/tools.ts';
import { type Load, replayServerFor } from './load-request.ts';
import type { Testbed } from './testbed.ts';

/** A page that was recorded as it was replayed. */
export interface RecordedAgain {
  readonly seen: SeenPage;
  /** What it was served from: the recording, or what was made of it so that it can have TLS. */
  readonly manifest: RecordedManifest;
  /** What it asked for otherwise than it was recorded. */
  readonly notes: readonly ReplayNote[];
}

/** Records a recorded page again, from its replay and in the same way, over a link without limits. */
export async function recordAgain(
  testbed: Testbed,
  site: RecordedSite,
  { protocol, act, signal }: Pick<Load, 'protocol'> & Pick<RecordOptions, 'act' | 'signal'>,
): Promise<RecordedAgain> {
  await testbed.setLink(UNLIMITED);
  const { server, route } = await replayServerFor(testbed, site, { protocol, visit: 'cold' }, 0);
  const { manifest } = server;
  const { spki, mapped, quicOrigins } = route;
  server.beginLoad();
  const seen = await recordPage({
    url: manifest.url,
    device: DEVICES[manifest.device],
    seed: manifest.seed,
    resolved: mapped,
    act,
    signal,
    chromium: readTools().chromium.path,
    folder: `${SCRATCH}/again`,
    insecure: true,
    namespace: testbed.clients[0]!.host.namespace,
    aheadMs: Math.round(manifest.recordedAtMs - Date.now()),
    waitMs: 0,
    over: { quic: quicOrigins },
    spki,
  });
  return { seen, manifest, notes: server.takeNotes() };
}
