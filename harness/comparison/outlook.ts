import type { Judgement, JudgingPlan, Outcome, PairJudgement, Rule } from '../model/comparison.ts';
import { evidencePerTrial } from '../stats/evidence.ts';
import { normalCdf, normalQuantile } from '../stats/normal.ts';
import { meanOf } from '../stats/order.ts';
import { type Needed, notWon, strongestClaim, type Tally } from './evidence.ts';
import { outcomeRatio } from './outcome.ts';
import { FALSE_DISCOVERY_RATE } from './rules.ts';

// What is to come is guessed here, to tell the time that is left and whether going on is worth it. No verdict rests on
// a guess: a condition that is given up is undecided, and stopping for whatever reason makes no e-value less valid.

/** Two arms' blocks so far: how often each won, and the sums of the logarithms of their ratios and of the squares. */
export interface PairProgress extends Tally {
  readonly sum: number;
  readonly squares: number;
}

/** A ratio beyond 4, or a failure, is as clear as one of 4. */
const CLEAR = Math.log(4);

/** The logarithm of a's time over b's, within what matters for a guess. */
export function clippedLogRatio(a: Outcome, b: Outcome): number {
  return Math.max(-CLEAR, Math.min(CLEAR, Math.log(outcomeRatio(a, b))));
}

/**
 * The chance that two arms' comparison comes as far as is needed, if the logarithms of their ratios go on as a normal
 * variable of the mean and the spread seen so far, the mean being as uncertain as so many blocks leave it.
 */
export function chanceOfVerdict(progress: PairProgress, { advantage }: Rule, needed: Needed): number {
  const { blocks, sum, squares } = progress;
  const mean = sum / blocks;
  const spread = Math.max(1e-9, Math.sqrt(Math.max(0, squares - mean * sum) / (blocks - 1)));
  const margin = -Math.log(1 - advantage);
  const chances = NODES.map((node) => {
    const truth = mean + (node * spread) / Math.sqrt(blocks);
    return chanceGiven(normalCdf((-margin - truth) / spread), normalCdf((truth - margin) / spread), progress, needed);
  });
  return Math.min(1, meanOf(chances));
}

/** The chance were the true shares known: of the three claims at most one can come true. */
function chanceGiven(aWins: number, bWins: number, tally: Tally, needed: Needed): number {
  const { blocks, aWon, bWon } = tally;
  const left = needed.blocks - blocks;
  return (
    chanceOfAtLeast(needed.wins - aWon, left, aWins) +
    chanceOfAtLeast(needed.wins - bWon, left, bWins) +
    Math.min(
      chanceOfAtLeast(needed.failures - notWon(tally, aWon), left, 1 - aWins),
      chanceOfAtLeast(needed.failures - notWon(tally, bWon), left, 1 - bWins),
    )
  );
}

/** The logarithm of the e-value that a verdict will take, were a third of all comparisons decided, or all that are. */
export function expectedThreshold(hypotheses: number, decided: number): number {
  return Math.log(hypotheses / (FALSE_DISCOVERY_RATE * Math.max(decided, hypotheses / 9, 1)));
}

/** How many more blocks each condition that is not finished is likely to take, by its name. */
export function expectedBlocks(
  { rule, stopping }: JudgingPlan,
  { conditions, hypotheses }: Judgement,
): ReadonlyMap<string, number> {
  const decided = conditions.flatMap((each) => each.pairs).filter((pair) => pair.verdict !== 'undecided').length;
  const logThreshold = expectedThreshold(hypotheses, decided);
  const most = stopping.kind === 'early' ? stopping.cap : stopping.blocks;
  const blocksOf = (pair: PairJudgement) =>
    stopping.kind === 'exactly' ? most - pair.blocks : blocksToVerdict(pair, rule, logThreshold, most - pair.blocks);
  return new Map(
    conditions
      .filter((each) => each.state === 'open' || each.state === 'waiting')
      .map((each) => {
        const open = each.pairs.filter((pair) => pair.verdict === 'undecided');
        // An arm alone is never decided against anything.
        const least = each.pairs.length === 0 ? most - each.blocks : 1;
        return [each.condition, Math.max(least, ...open.map(blocksOf))];
      }),
  );
}

/** The mean over what the share of the leading claim may be, given how often it held so far. */
function blocksToVerdict(pair: PairJudgement, rule: Rule, logThreshold: number, most: number): number {
  const [claim, logEValue] = strongestClaim(pair, rule);
  const holds = { a: pair.aWon, b: pair.bWon, tie: notWon(pair, Math.max(pair.aWon, pair.bWon)) }[claim];
  const share = claim === 'tie' ? 1 - rule.share : rule.share;
  const mean = (holds + 1) / (pair.blocks + 2);
  const spread = Math.sqrt((mean * (1 - mean)) / (pair.blocks + 3));
  return meanOf(
    NODES.map((node) => {
      const truth = Math.min(1, mean + node * spread);
      if (truth <= share) return most;
      return Math.min(most, Math.max(1, (logThreshold - logEValue) / evidencePerTrial(truth, share)));
    }),
  );
}

/** The middles of twenty parts of equal probability of a standard normal variable. */
const NODES: readonly number[] = Array.from({ length: 20 }, (_, part) => normalQuantile((part + 0.5) / 20));

/** By the normal approximation, the counts being whole. */
function chanceOfAtLeast(count: number, trials: number, share: number): number {
  if (count <= 0) return 1;
  if (count > trials) return 0;
  return normalCdf((trials * share - count + 0.5) / Math.max(1e-9, Math.sqrt(trials * share * (1 - share))));
}
