import { meanOf, median } from './order.ts';
import type { Interval } from './ratio-of-medians.ts';

/** Values by the name of what they were seen of. */
export type Cells = ReadonlyMap<string, readonly number[]>;

/** What was seen one way, and shortly before or after it the other way. */
export interface TurnPair {
  readonly values: Cells;
  readonly others: Cells;
}

/** Student's t: what it exceeds with 2.5 %, for 1, 2, 3 … degrees of freedom. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201];

/**
 * The ratio of the medians of each cell that both turns of a pair have, averaged over cells and pairs as logarithms. Of the cells
 * of a pair the middle half counts: a single load that lost packets early may take three times as long as others. The interval
 * follows from how far the pairs differ: what slows the machine down for minutes slows many loads of a turn alike, so that
 * loads drawn again would tell less doubt than there is.
 */
export function ratioOfTurns(pairs: readonly TurnPair[]): Interval {
  const t = STUDENT[pairs.length - 2];
  if (t === undefined) throw new Error(`${pairs.length} pairs of turns`);
  const logs = pairs.map(logRatioOf);
  const mean = meanOf(logs);
  const squares = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const halfWidth = t * Math.sqrt(squares / (logs.length - 1) / logs.length);
  return { estimate: Math.exp(mean), low: Math.exp(mean - halfWidth), high: Math.exp(mean + halfWidth) };
}

function logRatioOf({ values, others }: TurnPair): number {
  const ratios = [...values].flatMap(([name, own]) => {
    const theirs = others.get(name);
    return theirs ? [Math.log(median(own) / median(theirs))] : [];
  });
  return meanOf(middleHalfOf(ratios));
}

function middleHalfOf(values: readonly number[]): readonly number[] {
  const outside = Math.floor(values.length / 4);
  return values.toSorted((a, b) => a - b).slice(outside, values.length - outside);
}
