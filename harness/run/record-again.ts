import { type RecordOptions, recordPage } from '../browser/record/record-page.ts';
import { DEVICES } from '../model/device.ts';
import { UNLIMITED } from '../model/link.ts';
import type { RecordedManifest, RecordedSite, ReplayNote, SeenPage } from '../model/recording.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { readTools } from '../system/tools.ts';
import { type Load, sceneFor } from './seats.ts';
import type { Stage } from './stage.ts';

/** A page that was recorded as it was replayed. */
export interface RecordedAgain {
  readonly seen: SeenPage;
  /** What it was served by: the recording, or what was made of it so that it can have TLS. */
  readonly manifest: RecordedManifest;
  /** What it asked for otherwise than it was recorded. */
  readonly notes: readonly ReplayNote[];
}

/** Records a recorded page anew, from its replay and in the same way, over a link without limits. */
export async function recordAgain(
  stage: Stage,
  site: RecordedSite,
  { protocol, act, signal }: Pick<Load, 'protocol'> & Pick<RecordOptions, 'act' | 'signal'>,
): Promise<RecordedAgain> {
  await stage.setLink(UNLIMITED);
  const { scene, browser } = await sceneFor(stage, site, { protocol, visit: 'cold' }, 0);
  const { manifest } = scene;
  const { spki, mapped, quicOrigins } = browser;
  scene.beginLoad();
  const seen = await recordPage({
    ...{ url: manifest.url, device: DEVICES[manifest.device], seed: manifest.seed, resolved: mapped, act, signal },
    ...{ chromium: readTools().chromium.path, folder: `${SCRATCH}/again`, sandboxed: false, insecure: true },
    ...{ namespace: stage.clients[0]!.host.namespace, aheadMs: Math.round(manifest.recordedAtMs - Date.now()) },
    waitMs: 0,
    over: { quic: quicOrigins },
    spki,
  });
  return { seen, manifest, notes: scene.takeNotes() };
}
