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
import { meanOfDraws } from '../stats/draws.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import { armsOfNext, isForAnswers } from './block-arms.ts';
import { likelyBlockMs } from './block-forecast.ts';
import { blockTimes, expectedBlocks } from './time-left.ts';

/*
 * What is measured next, the most urgent first. Where a study stops early and asks for answers:
 *
 *   1  every condition gets two blocks, the quickest of each link first: then there is an answer for each link. Until there is,
 *      only the quickest pages of each link are loaded: a page's first loads have the machine to themselves
 *   2  every condition gets a third one, from another launch of the browsers: then what is clear is settled
 *   3  the next block goes where it is worth most: (what it is likely to take off the expected regret + what it brings nearer
 *      of a sure answer) × share of the traffic ÷ seconds
 *
 * A study of offers has a step between: as long as the gain of an offer is open, the next block goes where it is likely to
 * take most off that gain's variance ÷ seconds.
 *
 * Everything else is measured evenly, in rounds. It is a pure function of what was measured, whatever the order in which
 * that came: several labs may take from its list side by side, and a resumed study goes on with the same blocks.
 */

/**
 * The next block of each condition that gets more, and of the control where it is due. Empty where the study is finished,
 * its control too. A block with a void trial is run again.
 */
export function nextBlocks(
  plan: Plan,
  measurements: readonly Measurement[],
  {
    judged = judgePlan(plan, measurements),
    ahead = false,
  }: {
    readonly judged?: Pick<JudgedPlan, 'judgement' | 'decisions' | 'states' | 'untold'> | undefined;
    /** Whether conditions are listed, too, that have had their block of the round. */
    readonly ahead?: boolean;
  } = {},
): readonly Block[] {
  const { conditions } = judged.judgement;
  const open = conditions.filter((_, place) => getsMore(judged.states[place]!));
  const ranked = isForAnswers(plan) ? byWorth(plan, measurements, judged, open) : evenly(plan, open, ahead);
  const places = new Map(conditions.map(({ condition }, place) => [condition, place]));
  const attempted = isForAnswers(plan) ? attemptedArms(open, measurements) : new Map<string, readonly string[]>();
  const blocks = ranked.map(({ condition, blocks: index }) => {
    const arms = attempted.get(condition) ?? armsOfNext(plan, judged, places.get(condition)!);
    return blockOf(plan, { condition, index, arms });
  });
  const done = conditions.reduce((sum, { blocks }) => sum + blocks, 0);
  const control = controlBlock(plan, measurements, open.length > 0 ? done : undefined);
  return control ? [control, ...blocks] : blocks;
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

/** By condition: the arms that its next block had, where that was run before and is to be run again. */
function attemptedArms(
  open: readonly ConditionJudgement[],
  measurements: readonly Measurement[],
): ReadonlyMap<string, readonly string[]> {
  const next = new Map(open.map(({ condition, blocks }) => [condition, blocks]));
  const before = measurements.filter(({ condition, block }) => next.get(condition) === block);
  return new Map(
    [...Map.groupBy(before, ({ condition }) => condition)].map(([id, own]) => [id, own.map(({ arm }) => arm)]),
  );
}

/** In rounds: those that are behind, in random order, and then the others where these are asked for as well. */
function evenly({ seed }: Plan, open: readonly ConditionJudgement[], ahead: boolean): readonly ConditionJudgement[] {
  const least = Math.min(...open.map(({ blocks }) => blocks));
  const listed = ahead ? open : open.filter(({ blocks }) => blocks === least);
  return shuffled(listed, seededRandom(seed, `round ${least}`)).toSorted((a, b) => a.blocks - b.blocks);
}

/**
 * Blocks to hand out where several of a condition may be under way at once: the wanted ones first, in their order, then
 * the ones after these. Where conditions stop early none is handed out that would double what its condition has.
 */
export function blocksAhead(
  plan: Plan,
  wanted: readonly Block[],
  {
    isTaken,
    most = Number.POSITIVE_INFINITY,
    rounds = Number.POSITIVE_INFINITY,
  }: {
    readonly isTaken: (block: Pick<Block, 'condition' | 'index'>) => boolean;
    readonly most?: number;
    /** How many rounds may be begun before the first of them is done. */
    readonly rounds?: number;
  },
): readonly Block[] {
  const { stopping, control } = plan;
  const own = wanted.filter(({ condition }) => condition !== control.id);
  const lastRound = Math.min(...own.map(({ index }) => index)) + rounds;
  const endOf = ({ condition, index }: Block) => {
    if (condition === control.id) return 0;
    return stopping.kind === 'exactly'
      ? Math.min(stopping.blocks, lastRound)
      : Math.min(stopping.cap, lastRound, Math.max(LEAST_BLOCKS.sure, 2 * index));
  };
  const found: Block[] = [];
  let rows = wanted
    .map((first) => ({ first, index: first.index, end: endOf(first) }))
    .filter(({ first: { condition }, index, end }) => condition === control.id || index < end);
  while (rows.length > 0 && found.length < most) {
    for (const { first, index } of rows) {
      const { condition, order: arms } = first;
      if (found.length === most) break;
      if (isTaken({ condition, index })) continue;
      found.push(index === first.index ? first : blockOf(plan, { condition, index, arms }));
    }
    rows = rows.filter(({ index, end }) => index + 1 < end).map((row) => ({ ...row, index: row.index + 1 }));
  }
  return found;
}

/** Blocks of each condition before a second launch of the browsers is asked for. */
const FIRST_BLOCKS = 2;

/** How many pages of a link are loaded before each link has its first answer: with one, a quick link would have to wait. */
const FIRST_PAGES = 2;

/** How urgent the next block of a condition is: by its step, and within that by this number. The least comes first. */
interface Urgency {
  readonly step: number;
  readonly within: number;
}

/** The step in which blocks go where a second is worth most; `within` is then what it is worth, below 0. */
const BY_WORTH = 3;
/** The step of what others come before. */
const LAST = 4;

type Worthy = Pick<JudgedPlan, 'judgement' | 'decisions' | 'states' | 'untold'>;

/**
 * What a second of each condition's next block is worth, by condition: infinitely much where it comes before those that go
 * by their worth. Empty where nothing goes by it.
 */
export function worthsOf(
  plan: Plan,
  measurements: readonly Measurement[],
  judged: Worthy,
): ReadonlyMap<string, number> {
  if (!isForAnswers(plan)) return new Map();
  const { urgencyOf } = openUrgencies(plan, measurements, judged);
  const open = judged.judgement.conditions.filter((_, place) => getsMore(judged.states[place]!));
  return new Map(
    open.map((each): [string, number] => {
      const { step, within } = urgencyOf(each);
      return [each.condition, step === BY_WORTH ? 0 - within : Number.POSITIVE_INFINITY];
    }),
  );
}

function byWorth(
  plan: Plan,
  measurements: readonly Measurement[],
  judged: Worthy,
  open: readonly ConditionJudgement[],
): readonly ConditionJudgement[] {
  const { urgencyOf, secondsOf } = openUrgencies(plan, measurements, judged);
  const keysOf = (each: ConditionJudgement) => {
    const { step, within } = urgencyOf(each);
    return [step, within, secondsOf(each.condition)];
  };
  return open
    .map((each) => ({ each, keys: keysOf(each) }))
    .toSorted((a, b) => compare(a.keys, b.keys))
    .map(({ each }) => each);
}

function openUrgencies(
  plan: Plan,
  measurements: readonly Measurement[],
  judged: Worthy,
): { readonly urgencyOf: (each: ConditionJudgement) => Urgency; readonly secondsOf: (condition: string) => number } {
  const { judgement, decisions, states, untold } = judged;
  const blockMs = blockTimes(measurements);
  const planned = new Map(plan.conditions.map((condition) => [condition.id, condition]));
  const places = new Map(judgement.conditions.map(({ condition }, place) => [condition, place]));
  const secondsOf = (id: string) =>
    (blockMs(id, armsOfNext(plan, judged, places.get(id)!)) ?? likelyBlockMs(plan, planned.get(id)!)) / 1000;
  const ranks = ranksInLinks(plan);
  const shares = sharesOf(plan);
  const linkOf = ({ condition }: ConditionJudgement) => planned.get(condition)!.link.name;
  // A link that cannot be measured must not keep the others waiting.
  const isGivenUp = ({ condition }: ConditionJudgement) => !getsMore(states[places.get(condition)!]!);
  const isFirstPage = ({ condition }: ConditionJudgement) => ranks.get(condition)! < FIRST_PAGES;
  const allLinksHaveOne = [...Map.groupBy(judgement.conditions, linkOf).values()].every(
    (own) => own.some(({ blocks }) => blocks >= FIRST_BLOCKS) || own.filter(isFirstPage).every(isGivenUp),
  );
  const urgencyOf = (each: ConditionJudgement): Urgency => {
    const { condition, blocks, launches } = each;
    if (!allLinksHaveOne && ranks.get(condition)! >= FIRST_PAGES) return { step: LAST, within: ranks.get(condition)! };
    if (blocks < FIRST_BLOCKS) return { step: 0, within: ranks.get(condition)! };
    if (blocks < LEAST_BLOCKS.sure || launches < SETTLED_LAUNCHES) return { step: 1, within: ranks.get(condition)! };
    const decision = decisions[places.get(condition)!];
    const offers = untold?.[places.get(condition)!] ?? [];
    const doubt = decision ? offerDoubt(decision, offers, plan.served) : 0;
    if (doubt > 0)
      return { step: 2, within: (-(shares.get(condition)! ** 2) * doubt) / (blocks + 1) / secondsOf(condition) };
    return {
      step: BY_WORTH,
      within: (-gainOfBlock(plan, blocks, decision) * shares.get(condition)!) / secondsOf(condition),
    };
  };
  return { urgencyOf, secondsOf };
}

/**
 * What one more block of a condition gains, in percent of a load time. An expected regret falls with the root of the number of
 * blocks: by this much, twice over. A sure answer is worth the margin within which arms count as alike, and each block that it
 * takes has a part in that. Without that part a study goes on where an answer would cost much and no number of blocks makes it
 * sure: 33 % of 300 studies drawn from the loads of default studies had settled fewer than 16 conditions after five minutes, and
 * 20 % with it.
 */
function gainOfBlock({ rule, stopping }: Plan, blocks: number, decision: Decision | undefined): number {
  const regret = decision?.answer.regretPercent ?? 0;
  return regret / blocks + (100 * rule.advantage) / expectedBlocks(blocks, decision, stopping);
}

/** The variance of what some offers gain in a condition. */
function offerDoubt({ slowdowns }: Decision, offers: readonly string[], served: string): number {
  const today = slowdowns[served]!;
  return offers.reduce((sum, arm) => {
    const gains = slowdowns[arm]!.map((slowdown, draw) => slowdown - today[draw]!);
    const mean = meanOfDraws(gains);
    return sum + meanOfDraws(gains.map((gain) => (gain - mean) ** 2));
  }, 0);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((key, index) => key !== b[index]);
  return place < 0 ? 0 : a[place]! - b[place]!;
}

/** The rank of each condition in its link, the quickest first, by the forecast: it must not change on the way. */
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
    id,
    profile: link.name,
    part: partOfVisit(visit, offered),
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
