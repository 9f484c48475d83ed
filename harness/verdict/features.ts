import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { SiteFacts } from '../model/site.ts';
import type { Condition } from '../model/study.ts';
import type { Features } from '../model/tree.ts';

/** What a developer can know of a condition beforehand: its link downwards, what its page loads, and the visit. */
export function featuresOf(
  { link, visit }: Pick<Condition, 'link' | 'visit'>,
  { objects, bytes }: Pick<SiteFacts, 'objects' | 'bytes'>,
): Features {
  return {
    rateKbps: meanRateKbps(link.down.rate) ?? Number.POSITIVE_INFINITY,
    rttMs: rttMs(link),
    lossPercent: meanLossPercent(link.down.loss),
    objects,
    bytesPerObject: bytes / objects,
    totalBytes: bytes,
    queuePackets: link.down.queuePackets,
    visit,
  };
}
