import { RULES, type RuleName } from '../../harness/comparison/rules.ts';
import type { Verdict } from '../../harness/model/comparison.ts';
import { ratioOf, type SimulatedStudy, simulate } from './studies.ts';

/** What becomes of comparisons of one true ratio. */
export interface Power {
  readonly ratio: number;
  readonly noise: number;
  readonly rule: RuleName;
  /** Shares of all comparisons. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly meanBlocks: number;
}

const CONDITIONS = 24;
const STUDIES = 20;

/** Studies of 24 comparisons of this ratio, each looked at after every block up to 100. */
export function power(ratio: number, noise: number, rule: RuleName): Power {
  const study: SimulatedStudy = {
    arms: ['h2', 'h3'],
    truths: Array.from({ length: CONDITIONS }, () => ({ draw: ratioOf(ratio, noise), true: {} })),
    rule: RULES[rule],
    stopping: { kind: 'early', until: 'proven', cap: 100 },
  };
  const conditions = Array.from({ length: STUDIES }, (_, seed) => simulate(study, seed)).flatMap(
    (each) => each.conditions,
  );
  const share = (verdict: Verdict) =>
    conditions.filter(({ pairs }) => pairs[0]!.verdict === verdict).length / conditions.length;
  return {
    ratio,
    noise,
    rule,
    verdicts: { a: share('a'), b: share('b'), tie: share('tie'), undecided: share('undecided') },
    meanBlocks: conditions.reduce((sum, { blocks }) => sum + blocks, 0) / conditions.length,
  };
}

/** The power at several ratios and noises. */
export function powerTable(ratios: readonly number[], noises: readonly number[], rules: readonly RuleName[]): Power[] {
  return rules.flatMap((rule) => noises.flatMap((noise) => ratios.map((ratio) => power(ratio, noise, rule))));
}
