import type {
  BlockOutcomes,
  Comparison,
  ConditionRecord,
  Judgement,
  JudgingPlan,
  PairJudgement,
} from '../model/comparison.ts';
import type { Estimate } from '../stats/signed-rank.ts';
import { outcomeRatio, outcomesOfBoth } from './outcome.ts';
import { CONFIDENCE } from './rules.ts';
import { estimateMiddle, isFixed } from './sampling.ts';

/** Every comparison of a study with its estimates, which rest on the blocks that were judged. */
export function compareStudy(
  plan: JudgingPlan,
  records: readonly ConditionRecord[],
  judgement: Judgement,
): readonly Comparison[] {
  const byCondition = new Map(records.map((record) => [record.condition, record]));
  return judgement.conditions.flatMap(({ condition, pairs, blocks }) => {
    const judged = judgedBlocks(byCondition.get(condition), blocks);
    const fixed = isFixed(plan, blocks);
    return pairs.map((pair) => describePair(condition, pair, judged, fixed));
  });
}

/** The blocks of a condition that its judgement rests on, in order. */
export function judgedBlocks(record: ConditionRecord | undefined, count: number): readonly BlockOutcomes[] {
  return (record?.blocks ?? []).filter((block) => block.index < count).sort((a, b) => a.index - b.index);
}

/** The logarithm of a's time over b's in each block: infinite where one failed; blocks in which both did have none. */
export function logRatios(blocks: readonly BlockOutcomes[], a: string, b: string): number[] {
  return outcomesOfBoth(blocks, a, b)
    .filter((both) => both.a !== 'failed' || both.b !== 'failed')
    .map((both) => Math.log(outcomeRatio(both.a, both.b)));
}

function describePair(
  condition: string,
  { logEValue, ...pair }: PairJudgement,
  blocks: readonly BlockOutcomes[],
  fixed: boolean,
): Comparison {
  // On logarithms, so that the estimate of b against a is one over that of a against b.
  const ratios = logRatios(blocks, pair.a, pair.b);
  const found = estimateMiddle(ratios, CONFIDENCE, fixed);
  return {
    condition,
    ...pair,
    ...ratioOf(found),
    method: fixed ? 'hodges-lehmann' : 'median',
    share: agreeing(pair) / pair.blocks,
    eValue: Math.min(Number.MAX_VALUE, Math.exp(logEValue)),
  };
}

function ratioOf({ estimate, low, high }: Estimate): Pick<Comparison, 'ratio' | 'interval'> {
  return { ratio: Math.exp(estimate), interval: [Math.exp(low), Math.exp(high)] };
}

function agreeing({ verdict, blocks, aWon, bWon, bothFailed = 0 }: Omit<PairJudgement, 'logEValue'>): number {
  if (verdict === 'a') return aWon;
  if (verdict === 'b') return bWon;
  return verdict === 'tie' ? blocks - aWon - bWon - bothFailed : Math.max(aWon, bWon);
}
