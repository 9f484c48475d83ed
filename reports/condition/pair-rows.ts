import { claimEvidence } from '../../harness/comparison/evidence.ts';
import { beat, outcomeRatio, outcomesOfBoth } from '../../harness/comparison/outcome.ts';
import type { ComparisonSummary } from '../../harness/findings/summary.ts';
import type { Report, ReportCondition } from '../report.ts';

/** What a block says of a pair, and how much is shown by then. */
export interface PairRow {
  readonly block: number;
  readonly beganMs: number;
  readonly outcomes: Readonly<Record<string, number | 'failed'>>;
  /** a's time over b's. */
  readonly ratio: number;
  /** Logarithms to the base of ten. */
  readonly evidence: Readonly<Record<'a' | 'b' | 'tie', number>>;
}

/** Where an axis of blocks ends, some of which did not load both arms. */
export function endOf(rows: readonly PairRow[]): number {
  return (rows.at(-1)?.block ?? 0) + 2;
}

/** The blocks that loaded both arms of a pair, in order, each with what was shown after it. */
export function pairRows(report: Report, condition: ReportCondition, { a, b }: ComparisonSummary): readonly PairRow[] {
  const { rule } = report.data.summary;
  const tally = { blocks: 0, aWon: 0, bWon: 0, bothFailed: 0 };
  return outcomesOfBoth(condition.rows(), a, b).map(({ block: row, a: ofA, b: ofB }) => {
    tally.blocks += 1;
    if (beat(ofA, ofB, rule.advantage)) tally.aWon += 1;
    if (beat(ofB, ofA, rule.advantage)) tally.bWon += 1;
    if (ofA === 'failed' && ofB === 'failed') tally.bothFailed += 1;
    const { a: forA, b: forB, tie } = claimEvidence(tally, rule);
    return {
      block: row.index,
      beganMs: row.beganMs,
      outcomes: row.outcomes,
      ratio: outcomeRatio(ofA, ofB),
      evidence: { a: forA / Math.LN10, b: forB / Math.LN10, tie: tie / Math.LN10 },
    };
  });
}
