import { isWeighty } from '../measurement/floor.ts';
import type { ConditionSummary } from './summary.ts';

/** The part of this machine's processor in the loads of an arm. */
export interface ProcessorPart {
  readonly arm: string;
  /** What loads take over a link without limits. */
  readonly floorMs: number;
  /** Their median in the condition. */
  readonly pltMs: number;
  /** The first of the second; above 1 where the loads of the condition happened to be quicker. */
  readonly share: number;
  /** Whether it is so large that the processor decided much of the time. */
  readonly weighty: boolean;
}

/** The processor's part in a condition, arm by arm; of each arm of which it is known. */
export function processorParts({
  floorMs = {},
  arms,
}: Pick<ConditionSummary, 'floorMs' | 'arms'>): readonly ProcessorPart[] {
  return Object.entries(floorMs).flatMap(([arm, floor]) => {
    const pltMs = arms[arm]?.pltMs;
    if (pltMs === undefined) return [];
    return [{ arm, floorMs: floor, pltMs, share: floor / pltMs, weighty: isWeighty(floor, pltMs) }];
  });
}

/** The arm of a condition in whose loads the processor has the largest part; undefined where none is known. */
export function largestPart(condition: Pick<ConditionSummary, 'floorMs' | 'arms'>): ProcessorPart | undefined {
  return processorParts(condition).toSorted((a, b) => b.share - a.share)[0];
}
