import type {
  BlockOutcomes,
  Claim,
  ConditionJudgement,
  ConditionRecord,
  Judgement,
  JudgingPlan,
  PairJudgement,
  VoidTrial,
  WithinJudgement,
} from '../model/comparison.ts';
import { discoveryThreshold } from '../stats/e-bh.ts';
import { claimEvidence, strongestClaim, withinEvidence } from './evidence.ts';
import { beat } from './outcome.ts';
import { FALSE_DISCOVERY_RATE, MAX_VOID_SHARE, MAX_VOIDS_OF_BLOCK, MIN_LAUNCHES } from './rules.ts';

/** Something that may be proven, while blocks are gone through. */
interface Candidate {
  /** The evidence for the claim that has most of it. */
  logEValue: number;
  /** The claim that is proven, with its evidence at that moment; absent while none is. */
  proof?: { readonly claim: Claim; readonly logEValue: number; readonly blocks: number };
}

/** Two arms of a condition, and how often each beat the other so far. */
interface Pair extends Candidate {
  readonly a: string;
  readonly b: string;
  blocks: number;
  aWon: number;
  bWon: number;
  bothFailed: number;
  claim: Claim;
}

/** An arm of a condition, which may be proven to be within the margin of the best. */
interface Within extends Candidate {
  readonly arm: string;
}

/** One condition while its blocks are gone through. */
interface Course {
  readonly condition: string;
  readonly voids: readonly VoidTrial[];
  readonly pairs: readonly Pair[];
  readonly within: readonly Within[];
  readonly launches: Set<number>;
  /** Counted loads so far, by arm. */
  readonly loads: Map<string, number>;
  taken: number;
}

/**
 * Says what is proven in a study, by going through its blocks in the order of time: what it says after a block depends
 * on nothing that came later, so a study that was broken off and resumed comes to the same proofs.
 *
 *     block ─► e-values of its condition's pairs and arms ─┐
 *                                                          ├─► e-BH over the plan ─► new proofs, their e-values frozen
 *     frozen e-values of what is proven ───────────────────┘
 *
 * Why that holds the false discoveries: each e-value is an e-process given everything earlier, in all conditions, and
 * a frozen one is that process stopped, so at each look all of them are e-values. What was discovered with r others
 * keeps its value, so that there are at least r as large at the next look too: e-BH never takes a proof back, and
 * all proofs of the last look are its discoveries then. Which block comes next, and when a condition ends, may depend on
 * all that was seen. Where launches or voids forbid a proof the e-value counts as 0, which is smaller, so that the same
 * holds. What a launch does to all its blocks is no part of "everything earlier": launches are short for its sake, and
 * simulations bear out that up to half of the noise does no harm.
 *
 * Where the number of blocks is fixed beforehand, e-BH looks once, after the last block: proofs then rest on all
 * blocks that were asked for, and not on those up to some moment when they looked best. An exact binomial test with
 * the correction that arbitrary dependence asks for (Benjamini and Yekutieli 2001) would need nearly as many blocks won
 * (of 100 in a study of 144 comparisons all decided: 65, where e-BH takes 67), so the same e-values serve both.
 */
export function judgeStudy(plan: JudgingPlan, records: readonly ConditionRecord[]): Judgement {
  const judging = openJudging(plan, records);
  for (const { condition, block } of inOrderOfTime(records, plan)) judging.take(condition, block);
  return judging.judgement();
}

/** A judgement that grows block by block. */
export interface Judging {
  /** Takes the next block of a condition. */
  take(condition: string, block: BlockOutcomes): void;
  judgement(): Judgement;
}

/** Begins a judgement without any block; of the records it takes what was void, each as soon as a block came after it. */
export function openJudging(plan: JudgingPlan, records: readonly ConditionRecord[] = []): Judging {
  const byCondition = new Map(records.map((record) => [record.condition, record]));
  const courses = plan.conditions.map(({ id }) => startCourse(plan, id, byCondition.get(id)?.voids ?? []));
  const courseOf = new Map(courses.map((course) => [course.condition, course]));
  const claims = plan.onlyClaim ? 1 : 3;
  const hypotheses = courses.reduce((sum, { pairs, within }) => sum + claims * pairs.length + within.length, 0);
  const candidates = courses.flatMap(({ pairs, within }): Candidate[] => [...pairs, ...within]);
  const look = { courses, candidates, hypotheses, leastLaunches: plan.leastLaunches ?? MIN_LAUNCHES };
  let now = Number.NEGATIVE_INFINITY;
  return {
    take(condition, block) {
      const course = courseOf.get(condition)!;
      takeBlock(course, block, plan);
      now = Math.max(now, block.at);
      if (plan.stopping.kind === 'early') giveProofs(course, { ...look, now });
    },
    judgement() {
      if (plan.stopping.kind === 'exactly') {
        const { blocks } = plan.stopping;
        if (courses.every((course) => course.taken >= blocks || isBroken(course, AT_LAST)))
          for (const course of courses) giveProofs(course, { ...look, now: AT_LAST });
      }
      return { conditions: courses.map((course) => sumUp(course, plan)), hypotheses };
    },
  };
}

/** When everything is known that was measured. */
const AT_LAST = Number.POSITIVE_INFINITY;

function startCourse({ arms, onlyPairs }: JudgingPlan, condition: string, voids: readonly VoidTrial[]): Course {
  const isContest = arms.length > 1 && onlyPairs === undefined;
  return {
    condition,
    voids,
    pairs: pairsOf(arms),
    within: isContest ? arms.map(({ name }) => ({ arm: name, logEValue: Number.NEGATIVE_INFINITY })) : [],
    launches: new Set(),
    loads: new Map(),
    taken: 0,
  };
}

/** Every two arms once; a is the one that the plan names later, so that a ratio below 1 speaks for what is newer. */
function pairsOf(arms: JudgingPlan['arms']): Pair[] {
  return arms.flatMap((b, index) =>
    arms.slice(index + 1).map(
      (a): Pair => ({
        a: a.name,
        b: b.name,
        blocks: 0,
        aWon: 0,
        bWon: 0,
        bothFailed: 0,
        claim: 'tie',
        logEValue: Number.NEGATIVE_INFINITY,
      }),
    ),
  );
}

/** The blocks that count, each condition's without a gap and up to its cap. */
function inOrderOfTime(records: readonly ConditionRecord[], { conditions, stopping }: JudgingPlan) {
  const cap = stopping.kind === 'early' ? stopping.cap : stopping.blocks;
  const known = new Set(conditions.map(({ id }) => id));
  return records
    .filter(({ condition }) => known.has(condition))
    .flatMap(({ condition, blocks }) => {
      const ordered = withoutGaps(blocks).slice(0, cap);
      // A block that was void and run again comes after its successors; it is judged with those that follow it.
      let latest = Number.NEGATIVE_INFINITY;
      return ordered.map((block) => {
        latest = Math.max(latest, block.at);
        return { condition, block, at: latest };
      });
    })
    .sort((x, y) => x.at - y.at);
}

/** A condition's blocks from the first on, as far as none is missing. */
export function withoutGaps(blocks: readonly BlockOutcomes[]): readonly BlockOutcomes[] {
  const ascending = blocks.toSorted((x, y) => x.index - y.index);
  const gap = ascending.findIndex(({ index }, place) => index !== place);
  return gap === -1 ? ascending : ascending.slice(0, gap);
}

/** Whether what was void by now ended a condition: what ends a lab makes the loads of all arms void at once, so each arm's count. */
function isBroken({ taken, voids }: Course, now: number): boolean {
  const own = voids.filter(({ block, at }) => block === taken && at <= now);
  return [...Map.groupBy(own, ({ arm }) => arm).values()].some(({ length }) => length >= MAX_VOIDS_OF_BLOCK);
}

function takeBlock(course: Course, block: BlockOutcomes, { rule, onlyClaim }: JudgingPlan): void {
  course.taken += 1;
  course.launches.add(block.launch);
  for (const arm of Object.keys(block.outcomes)) course.loads.set(arm, (course.loads.get(arm) ?? 0) + 1);
  for (const pair of course.pairs) {
    const [a, b] = [block.outcomes[pair.a], block.outcomes[pair.b]];
    if (a === undefined || b === undefined) continue;
    pair.blocks += 1;
    if (beat(a, b, rule.advantage)) pair.aWon += 1;
    if (beat(b, a, rule.advantage)) pair.bWon += 1;
    if (a === 'failed' && b === 'failed') pair.bothFailed += 1;
    [pair.claim, pair.logEValue] = onlyClaim
      ? [onlyClaim, claimEvidence(pair, rule)[onlyClaim]]
      : strongestClaim(pair, rule);
  }
  for (const within of course.within) within.logEValue = withinEvidence(within.arm, course.pairs, rule);
}

interface Look {
  readonly courses: readonly Course[];
  readonly candidates: readonly Candidate[];
  readonly hypotheses: number;
  readonly leastLaunches: number;
  /** The place in the order of time: what was void later is not known yet. */
  readonly now: number;
}

/** Gives proofs to all conditions: what one discovers lowers the threshold for all, those that ended too. */
function giveProofs(changed: Course, { courses, candidates, hypotheses, leastLaunches, now }: Look): void {
  // Nothing below this can be a discovery, and nothing but this condition's evidence has grown.
  const least = Math.log(hypotheses / (FALSE_DISCOVERY_RATE * candidates.length));
  const own: readonly Candidate[] = [...changed.pairs, ...changed.within];
  if (!own.some(({ proof, logEValue }) => !proof && logEValue >= least)) return;
  const open = courses
    .filter((course) => course.launches.size >= leastLaunches && !isTooManyVoid(course, now))
    .flatMap(({ pairs, within, taken }) => [
      ...pairs.map((pair) => ({ candidate: pair as Candidate, claim: pair.claim, taken })),
      ...within.map((each) => ({ candidate: each as Candidate, claim: 'tie' as const, taken })),
    ])
    .filter(({ candidate }) => !candidate.proof);
  const frozen = candidates.flatMap(({ proof }) => proof?.logEValue ?? []);
  const logEValues = [...frozen, ...open.map(({ candidate }) => candidate.logEValue)];
  const threshold = discoveryThreshold(logEValues, hypotheses, FALSE_DISCOVERY_RATE);
  for (const { candidate, claim, taken } of open)
    if (candidate.logEValue >= threshold) candidate.proof = { claim, logEValue: candidate.logEValue, blocks: taken };
}

function isTooManyVoid(course: Course, now: number): boolean {
  return [...voidShares(course, now).values()].some((share) => share > MAX_VOID_SHARE);
}

/**
 * Void trials of all trials up to the last block taken, by arm; an arm without any is not in it. Those of the next block
 * are part of it once they have ended the condition: until then that block may still be run, and they are yet to come.
 */
function voidShares(course: Course, now: number): ReadonlyMap<string, number> {
  const { voids, taken, loads } = course;
  const counts = new Map<string, number>();
  const blocks = isBroken(course, now) ? taken + 1 : taken;
  for (const { arm, block } of voids) if (block < blocks) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  return new Map([...counts].map(([arm, count]) => [arm, count / (count + (loads.get(arm) ?? 0))]));
}

function sumUp(course: Course, { arms }: JudgingPlan): ConditionJudgement {
  const shares = voidShares(course, AT_LAST);
  return {
    condition: course.condition,
    pairs: course.pairs.map(pairJudgement),
    within: course.within.map(withinJudgement),
    blocks: course.taken,
    launches: course.launches.size,
    voidShares: Object.fromEntries(arms.map(({ name }) => [name, shares.get(name) ?? 0])),
    tooManyVoid: isTooManyVoid(course, AT_LAST),
    broken: isBroken(course, AT_LAST),
  };
}

function pairJudgement({ a, b, aWon, bWon, bothFailed, blocks, proof, logEValue }: Pair): PairJudgement {
  const counted = { a, b, aWon, bWon, blocks, bothFailed: bothFailed > 0 ? bothFailed : undefined };
  if (!proof) return { ...counted, verdict: 'undecided', logEValue };
  return { ...counted, verdict: proof.claim, logEValue: proof.logEValue, decidedAfter: proof.blocks };
}

function withinJudgement({ arm, proof, logEValue }: Within): WithinJudgement {
  if (!proof) return { arm, proven: false, logEValue };
  return { arm, proven: true, logEValue: proof.logEValue, decidedAfter: proof.blocks };
}
