import { FRAME_BYTES } from '../model/link.ts';
import type { ConditionSummary } from './summary.ts';

/** An arm whose TCP took varying delay for a full queue, and left slow start while the link had room. */
export interface CutShort {
  readonly arm: string;
  /** What its windows held together then: the median of its loads. */
  readonly windowPackets: number;
  /** What the link holds on its way there and back, its queue left out. */
  readonly heldPackets: number;
}

/** Below this share of what the link holds a window is so short that the link idles while a page waits. */
const SHORT = 0.5;

/** The arm of a condition whose slow start was cut shortest; undefined where none was, or the link's delay does not vary. */
export function slowStartCutShort({
  arms,
  features,
  link,
}: Pick<ConditionSummary, 'arms' | 'features' | 'link'>): CutShort | undefined {
  const heldPackets = Math.round((features.rateKbps * features.rttMs) / (8 * FRAME_BYTES));
  if (!Number.isFinite(heldPackets) || link.jitterMs === undefined) return undefined;
  return Object.entries(arms)
    .flatMap(([arm, { slowStartPackets }]) =>
      slowStartPackets !== undefined && slowStartPackets < SHORT * heldPackets
        ? [{ arm, windowPackets: slowStartPackets, heldPackets }]
        : [],
    )
    .toSorted((a, b) => a.windowPackets - b.windowPackets)[0];
}
