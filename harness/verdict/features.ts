import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import { type Manifest, requiredObjects } from '../model/site.ts';
import type { Condition } from '../model/study.ts';
import type { Features } from '../model/tree.ts';

/** What a developer can know of a condition beforehand: its link downwards, what its page loads, and the visit. */
export function featuresOf({ link, visit }: Pick<Condition, 'link' | 'visit'>, manifest: Manifest): Features {
  const objects = requiredObjects(manifest);
  const totalBytes = objects.reduce((sum, object) => sum + object.bytes, 0);
  return {
    rateKbps: meanRateKbps(link.down.rate) ?? Number.POSITIVE_INFINITY,
    rttMs: rttMs(link),
    lossPercent: meanLossPercent(link.down.loss),
    objects: objects.length,
    bytesPerObject: totalBytes / objects.length,
    totalBytes,
    queuePackets: link.down.queuePackets,
    visit,
  };
}
