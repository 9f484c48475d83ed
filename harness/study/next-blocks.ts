import { armsInPlay } from '../comparison/arms-in-play.ts';
import { judgeControls } from '../comparison/controls.ts';
import { getsMore, type JudgedPlan, judgePlan } from '../comparison/judge-plan.ts';
import { LEAST_BLOCKS, SETTLED_LAUNCHES } from '../comparison/rules.ts';
import type { Decision } from '../model/answer.ts';
import type { ConditionJudgement } from '../model/comparison.ts';
import type { Measurement } from '../model/measurement.ts';
import { partOfVisit } from '../model/offer.ts';
import { BLOCKS_BEFORE_CONTROL, BLOCKS_PER_CONTROL } from '../model/pace.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import { trafficOf, weigh } from '../model/traffic.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import { likelyBlockMs } from './block-forecast.ts';
import { blockTimes } from './time-left.ts';

/*
 * What is to be measured next, the most urgent first. Of an early stopping that asks for answers:
 *
 *   1  every condition gets two blocks, the quickest of each link first: then there is an answer for each link
 *   2  every condition gets a third one, from another launch of the browsers: then what is clear is settled
 *   3  the next block goes where it is worth most: what it is likely to take off the expected regret × share of the
 *      traffic ÷ seconds
 *
 * Everything else is measured evenly, in rounds. It is a pure function of what was measured, whatever the order in which
 * that came: several labs may take from its list side by side, and whoever resumes a study goes on with the same blocks.
 */

/**
 * The next block of each condition that gets more, and of the control where it is due. Empty where the study is finished,
 * its control too. A block with a void trial is run again.
 */
export function nextBlocks(
  plan: Plan,
  measurements: readonly Measurement[],
  judged: Pick<JudgedPlan, 'judgement' | 'decisions' | 'states'> = judgePlan(plan, measurements),
): readonly Block[] {
  const { conditions } = judged.judgement;
  const open = conditions.filter((_, place) => getsMore(judged.states[place]!));
  const ranked = isForAnswers(plan) ? byWorth(plan, measurements, judged, open) : evenly(plan, open);
  const places = new Map(conditions.map(({ condition }, place) => [condition, place]));
  const blocks = ranked.map(({ condition, blocks: index }) => {
    const decision = judged.decisions[places.get(condition)!];
    return blockOf(plan, { condition, index, arms: armsOf(plan, measurements, { condition, index, decision }) });
  });
  const done = conditions.reduce((sum, { blocks }) => sum + blocks, 0);
  const control = controlBlock(plan, measurements, open.length > 0 ? done : undefined);
  return control ? [control, ...blocks] : blocks;
}

function isForAnswers({ stopping }: Plan): boolean {
  return stopping.kind === 'early' && stopping.until === 'settled';
}

/** The order of the arms depends on nothing but the seed and the block. */
function blockOf(
  { arms, seed }: Plan,
  { condition, index, arms: own }: Pick<Block, 'condition' | 'index'> & { readonly arms: readonly string[] },
): Block {
  const names = arms.map(({ name }) => name);
  const order = shuffled(names, seededRandom(seed, `${condition} ${index}`));
  return { condition, index, order: order.filter((name) => own.includes(name)) };
}

/** The arms of a block: those that can still matter. One that is run again has the arms that it had. */
function armsOf(
  plan: Plan,
  measurements: readonly Measurement[],
  block: Pick<Block, 'condition' | 'index'> & { readonly decision: Decision | undefined },
): readonly string[] {
  const names = plan.arms.map(({ name }) => name);
  if (!isForAnswers(plan)) return names;
  const before = measurements.filter((each) => each.condition === block.condition && each.block === block.index);
  return before.length > 0 ? before.map(({ arm }) => arm) : armsInPlay(names, block.decision);
}

/** In rounds: those that are behind, in random order. */
function evenly({ seed }: Plan, open: readonly ConditionJudgement[]): readonly ConditionJudgement[] {
  const least = Math.min(...open.map(({ blocks }) => blocks));
  const behind = open.filter(({ blocks }) => blocks === least);
  return shuffled(behind, seededRandom(seed, `round ${least}`));
}

/** Blocks of each condition before a second launch of the browsers is asked for. */
const FIRST_BLOCKS = 2;

function byWorth(
  plan: Plan,
  measurements: readonly Measurement[],
  { judgement, decisions }: Pick<JudgedPlan, 'judgement' | 'decisions'>,
  open: readonly ConditionJudgement[],
): readonly ConditionJudgement[] {
  const times = blockTimes(plan, measurements);
  const planned = new Map(plan.conditions.map((condition) => [condition.id, condition]));
  const secondsOf = (id: string) => (times.get(id) ?? likelyBlockMs(plan, planned.get(id)!)) / 1000;
  const ranks = ranksInLinks(plan);
  const shares = sharesOf(plan);
  const places = new Map(judgement.conditions.map(({ condition }, place) => [condition, place]));
  const urgency = (each: ConditionJudgement): readonly number[] => {
    const { condition, blocks, launches } = each;
    if (blocks < FIRST_BLOCKS) return [0, ranks.get(condition)!];
    if (blocks < LEAST_BLOCKS.sure || launches < SETTLED_LAUNCHES) return [1, ranks.get(condition)!];
    const regret = decisions[places.get(condition)!]?.answer.regretPercent ?? 0;
    // An expected regret falls with the root of the number of blocks: by this much, twice over, with one more.
    const gain = regret / blocks;
    return [2, (-gain * shares.get(condition)!) / secondsOf(condition)];
  };
  return open
    .map((each) => ({ each, keys: [...urgency(each), secondsOf(each.condition)] }))
    .toSorted((a, b) => compare(a.keys, b.keys))
    .map(({ each }) => each);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((key, index) => key !== b[index]);
  return place < 0 ? 0 : a[place]! - b[place]!;
}

/** Which one a condition is among those of its link, from the quickest on, by the forecast: it must not change on the way. */
function ranksInLinks(plan: Plan): ReadonlyMap<string, number> {
  const byLink = Map.groupBy(plan.conditions, ({ link }) => link.name);
  return new Map(
    [...byLink.values()].flatMap((own) =>
      own
        .map((condition) => ({ condition, ms: likelyBlockMs(plan, condition) }))
        .toSorted((a, b) => a.ms - b.ms)
        .map(({ condition }, rank): [string, number] => [condition.id, rank]),
    ),
  );
}

/** The part of the traffic that each condition has; what is no part of the mix still counts a little. */
function sharesOf({ conditions, mix, offered }: Plan): ReadonlyMap<string, number> {
  const profiled = conditions.map(({ id, link, visit }: Condition) => ({
    ...{ id, profile: link.name, part: partOfVisit(visit, offered) },
  }));
  const traffic =
    trafficOf(
      conditions.map(({ link }) => link.name),
      mix,
    ) ?? {};
  return new Map(weigh(profiled, traffic).map(({ id, weight }) => [id, Math.max(weight, LEAST_SHARE)]));
}

const LEAST_SHARE = 1e-3;

/** Once some blocks are done the control has one for every few others; alone it goes on as long as the delay is not found. */
function controlBlock(plan: Plan, measurements: readonly Measurement[], done: number | undefined): Block | undefined {
  const { control, seed } = plan;
  const { aa, planted, delayMs } = judgeControls(plan, measurements);
  const delays = planted.open && delayMs !== undefined;
  const arms = [control.arm, ...(aa.open ? [control.twin] : []), ...(delays ? [control.delayed] : [])];
  const index = nextControlIndex(measurements, control.id);
  const isDue =
    done === undefined
      ? planted.open
      : index < Math.floor((done - BLOCKS_BEFORE_CONTROL * plan.conditions.length) / BLOCKS_PER_CONTROL);
  if (!isDue || arms.length === 1 || index >= control.cap) return undefined;
  const { id } = control;
  return { condition: id, index, order: shuffled(arms, seededRandom(seed, `${id} ${index}`)) };
}

/** Each block of the control is run once; a void trial leaves the others of its block as they are. */
function nextControlIndex(measurements: readonly Measurement[], id: string): number {
  return measurements.reduce((next, { condition, block }) => (condition === id ? Math.max(next, block + 1) : next), 0);
}
