import type {
  BlockOutcomes,
  Claim,
  ConditionJudgement,
  ConditionRecord,
  ConditionState,
  Judgement,
  JudgingPlan,
  PairJudgement,
  Rule,
  Stopping,
} from '../model/comparison.ts';
import { discoveryThreshold } from '../stats/e-bh.ts';
import { isReachable, neededFor, strongestClaim } from './evidence.ts';
import { labelArms } from './label.ts';
import { beat, outcomeOf } from './outcome.ts';
import { chanceOfVerdict, clippedLogRatio, expectedThreshold } from './outlook.ts';
import { FALSE_DISCOVERY_RATE, MAX_VOID_SHARE, MAX_VOIDS_OF_BLOCK, MIN_LAUNCHES } from './rules.ts';

/** One pair of arms while its blocks are gone through. */
interface Pair {
  readonly a: string;
  readonly b: string;
  blocks: number;
  aWon: number;
  bWon: number;
  bothFailed: number;
  /** Of the logarithms of a's time over b's, and of their squares. */
  sum: number;
  squares: number;
  verdict?: { readonly claim: Claim; readonly logEValue: number; readonly blocks: number };
  hopeless: boolean;
}

/** One condition while its blocks are gone through. */
interface Course {
  readonly condition: string;
  readonly blocks: readonly (BlockOutcomes | undefined)[];
  readonly voids: ConditionRecord['voids'];
  readonly pairs: readonly Pair[];
  readonly launches: Set<number>;
  /** Blocks taken so far. */
  taken: number;
  state: ConditionState;
}

/**
 * Judges a study as far as its rounds are complete, by going through them from the first: what it says after a round
 * depends on nothing that came later, so a study that was broken off and resumed comes to the same verdicts. A round is
 * a block of each condition that is open, or of the first few of them: which ones may depend on all that was seen.
 *
 *     round ─► e-values of the open pairs ─┐
 *                                          ├─► e-BH over the plan ─► new verdicts, their e-values frozen
 *     frozen e-values of the decided ones ─┘
 *
 * Why that holds the false discoveries: each e-value is an e-process given everything earlier, in all conditions, and
 * a frozen one is that process stopped, so at each round all of them are e-values. What was discovered with r others
 * keeps its value, so that there are at least r as large in the next round too: e-BH never takes a verdict back, and
 * all verdicts of the last round are its discoveries then. Where launches or voids forbid a verdict the e-value counts
 * as 0, which is smaller, so that the same holds. What a launch does to all its blocks is no part of "everything
 * earlier": launches are short for its sake, and simulations bear out that up to half of the noise does no harm.
 *
 * Where the number of blocks is fixed beforehand, e-BH looks once, after the last round: verdicts then rest on all
 * blocks that were asked for, and not on those up to some moment when they looked best. An exact binomial test with
 * the correction that arbitrary dependence asks for (Benjamini and Yekutieli 2001) would need nearly as many blocks won
 * (of 100 in a study of 144 comparisons all decided: 65, where e-BH takes 67), so the same e-values serve both.
 */
export function judgeStudy(plan: JudgingPlan, records: readonly ConditionRecord[]): Judgement {
  const courses = startCourses(plan, records);
  const hypotheses = 3 * courses.reduce((sum, course) => sum + course.pairs.length, 0);
  let rounds = 0;
  let round = nextRound(courses, plan);
  for (; isComplete(round); round = nextRound(courses, plan)) {
    for (const course of round) takeBlock(course, plan);
    rounds += 1;
    if (plan.stopping.kind === 'early') giveVerdicts(courses, hypotheses, plan);
    giveUpOn(round, courses, hypotheses, plan);
    for (const course of courses) if (course.state !== 'broken') course.state = stateAfter(course, plan.stopping);
  }
  if (plan.stopping.kind === 'exactly' && round.length === 0) giveVerdicts(courses, hypotheses, plan);
  for (const course of courses) if (course.state === 'open' && !round.includes(course)) course.state = 'waiting';
  return { conditions: courses.map((course) => sumUp(course, plan)), rounds, hypotheses };
}

function startCourses(plan: JudgingPlan, records: readonly ConditionRecord[]): Course[] {
  const byCondition = new Map(records.map((record) => [record.condition, record]));
  return plan.conditions.map(({ id }) => ({
    condition: id,
    blocks: byIndex(byCondition.get(id)?.blocks ?? []),
    voids: byCondition.get(id)?.voids ?? [],
    pairs: pairsOf(plan.arms),
    launches: new Set(),
    taken: 0,
    state: 'open',
  }));
}

function byIndex(blocks: readonly BlockOutcomes[]): (BlockOutcomes | undefined)[] {
  const indexed: BlockOutcomes[] = [];
  for (const block of blocks) indexed[block.index] = block;
  return indexed;
}

/** Every two arms once; a is the one that the plan names later, so that a ratio below 1 speaks for what is newer. */
function pairsOf(arms: JudgingPlan['arms']): Pair[] {
  return arms.flatMap((b, index) =>
    arms.slice(index + 1).map((a) => ({
      ...{ a: a.name, b: b.name, blocks: 0, aWon: 0, bWon: 0, bothFailed: 0 },
      ...{ sum: 0, squares: 0, hopeless: false },
    })),
  );
}

/** The conditions that the next round is to have a block of. */
function nextRound(courses: readonly Course[], { atOnce = courses.length }: JudgingPlan): Course[] {
  for (const course of courses) if (course.state === 'open' && isBroken(course)) course.state = 'broken';
  return courses.filter((course) => course.state === 'open').slice(0, atOnce);
}

function isBroken({ blocks, taken, voids }: Course): boolean {
  return blocks[taken] === undefined && voids.filter(({ block }) => block === taken).length >= MAX_VOIDS_OF_BLOCK;
}

function isComplete(round: readonly Course[]): boolean {
  return round.length > 0 && round.every((course) => course.blocks[course.taken] !== undefined);
}

function takeBlock(course: Course, { rule }: JudgingPlan): void {
  const block = course.blocks[course.taken]!;
  course.taken += 1;
  course.launches.add(block.launch);
  for (const pair of course.pairs) {
    const a = outcomeOf(block, pair.a);
    const b = outcomeOf(block, pair.b);
    pair.blocks += 1;
    if (beat(a, b, rule.advantage)) pair.aWon += 1;
    if (beat(b, a, rule.advantage)) pair.bWon += 1;
    if (a === 'failed' && b === 'failed') pair.bothFailed += 1;
    const logRatio = clippedLogRatio(a, b);
    pair.sum += logRatio;
    pair.squares += logRatio ** 2;
  }
}

/** Of conditions that get no more blocks too: what others discover lowers the threshold for all. */
function giveVerdicts(courses: readonly Course[], hypotheses: number, plan: JudgingPlan): void {
  const frozen = courses.flatMap((course) => course.pairs.flatMap((pair) => pair.verdict?.logEValue ?? []));
  const candidates = courses.filter(mayBeJudged).flatMap((course) =>
    course.pairs.flatMap((pair) => {
      if (pair.verdict) return [];
      const [claim, logEValue] = strongestClaim(pair, plan.rule);
      return [{ pair, claim, logEValue }];
    }),
  );
  const logEValues = [...frozen, ...candidates.map((candidate) => candidate.logEValue)];
  const threshold = discoveryThreshold(logEValues, hypotheses, FALSE_DISCOVERY_RATE);
  for (const { pair, claim, logEValue } of candidates)
    if (logEValue >= threshold) pair.verdict = { claim, logEValue, blocks: pair.blocks };
}

function mayBeJudged(course: Course): boolean {
  return course.launches.size >= MIN_LAUNCHES && !isTooManyVoid(course);
}

function isTooManyVoid(course: Course): boolean {
  return [...voidShares(course).values()].some((share) => share > MAX_VOID_SHARE);
}

/**
 * Void trials of all trials up to the last block taken, by arm; an arm without any is not in it. Those of the next block
 * are part of it once they have ended the condition: until then that block may still be run, and they are yet to come.
 */
function voidShares({ voids, taken, state }: Course): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const blocks = state === 'broken' ? taken + 1 : taken;
  for (const { arm, block } of voids) if (block < blocks) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  return new Map([...counts].map(([arm, count]) => [arm, count / (count + taken)]));
}

/** Marks the comparisons that the blocks up to the cap cannot decide, or are not likely enough to. */
function giveUpOn(open: readonly Course[], all: readonly Course[], hypotheses: number, plan: JudgingPlan): void {
  const { rule, stopping } = plan;
  if (stopping.kind !== 'early') return;
  const { cap, giveUpBelow = 0 } = stopping;
  const atLeast = neededFor(cap, rule, lowestThreshold(all, hypotheses, rule));
  const likely = neededFor(cap, rule, expectedThreshold(hypotheses, decidedOf(all)));
  for (const { pairs, launches } of open)
    for (const pair of pairs.filter((each) => !each.verdict)) {
      const mayBeUnlikely = giveUpBelow > 0 && launches.size >= MIN_LAUNCHES;
      pair.hopeless =
        !isReachable(pair, atLeast) || (mayBeUnlikely && chanceOfVerdict(pair, rule, likely) < giveUpBelow);
    }
}

function decidedOf(courses: readonly Course[]): number {
  return courses.flatMap(({ pairs }) => pairs).filter((pair) => pair.verdict).length;
}

/**
 * No threshold can fall below that of a study in which all is discovered that still may be: what gets more blocks, and
 * what has had all of its own and would do if enough others were discovered.
 */
function lowestThreshold(courses: readonly Course[], hypotheses: number, rule: Rule): number {
  const pairs = courses.flatMap((course) => course.pairs.map((pair) => ({ pair, isOpen: course.state === 'open' })));
  const thresholdOf = (discoveries: number) => Math.log(hypotheses / (FALSE_DISCOVERY_RATE * discoveries));
  const reachable = pairs.filter(
    ({ pair, isOpen }) =>
      pair.verdict || (isOpen && !pair.hopeless) || strongestClaim(pair, rule)[1] >= thresholdOf(pairs.length),
  );
  return thresholdOf(reachable.length);
}

function stateAfter({ pairs, taken }: Course, stopping: Stopping): ConditionState {
  if (stopping.kind === 'exactly') return taken < stopping.blocks ? 'open' : 'full';
  const every = (holds: (pair: Pair) => boolean) => pairs.length > 0 && pairs.every(holds);
  if (every((pair) => pair.verdict !== undefined)) return 'decided';
  if (taken >= stopping.cap) return 'full';
  return every((pair) => pair.verdict !== undefined || pair.hopeless) ? 'hopeless' : 'open';
}

function sumUp(course: Course, { arms, rule }: JudgingPlan): ConditionJudgement {
  const pairs = course.pairs.map((pair) => judgementOf(pair, rule));
  const shares = voidShares(course);
  return {
    condition: course.condition,
    state: course.state,
    pairs,
    label: labelArms(
      arms.map((arm) => arm.name),
      pairs,
    ),
    blocks: course.taken,
    launches: course.launches.size,
    voidShares: Object.fromEntries(arms.map(({ name }) => [name, shares.get(name) ?? 0])),
    tooManyVoid: isTooManyVoid(course),
  };
}

function judgementOf({ a, b, aWon, bWon, bothFailed, blocks, verdict }: Pair, rule: Rule): PairJudgement {
  const counted = { a, b, aWon, bWon, blocks, ...(bothFailed > 0 && { bothFailed }) };
  if (verdict)
    return { ...counted, verdict: verdict.claim, logEValue: verdict.logEValue, decidedAfter: verdict.blocks };
  return { ...counted, verdict: 'undecided', logEValue: strongestClaim(counted, rule)[1] };
}
