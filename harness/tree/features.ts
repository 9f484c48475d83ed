import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { SiteFacts } from '../model/site.ts';
import type { Condition } from '../model/study.ts';
import type { Features } from '../model/tree.ts';

/** What a developer can know of a condition beforehand: its link downwards, what its page loads, and the visit. */
export function featuresOf(
  { link, visit, tabs = 1 }: Pick<Condition, 'link' | 'visit' | 'tabs'>,
  facts: Pick<SiteFacts, 'objects' | 'bytes' | 'uploadBytes'>,
): Features {
  // What each visitor asks for: of a crowd's, in all tabs; of a page that sends a file, that.
  const [objects, bytes] = [facts.objects * tabs, (facts.uploadBytes ?? facts.bytes) * tabs];
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
