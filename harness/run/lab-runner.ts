import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { LEAST_BLOCKS } from '../comparison/rules.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import { sumOf } from '../stats/order.ts';
import { isForAnswers } from '../study/block-arms.ts';
import { likelyBlockMs } from '../study/block-forecast.ts';
import { blocksAhead } from '../study/next-blocks.ts';
import { canGiveWay } from '../system/give-way.ts';
import { type Assigned, assign, linkNameOf } from './assignment.ts';
import { conditionOf } from './block.ts';
import type { BlockRunner, Place, Worths } from './block-runner.ts';
import { openFilms, takeFilms } from './films.ts';
import { openLabPool } from './lab-pool.ts';
import type { Labs } from './labs.ts';
import { endingNow, type LoopOptions } from './loop.ts';
import type { News } from './news.ts';
import { shelfOf } from './reference.ts';

/**
 * How many rounds may be under way at once. With one, a slow page would keep all labs waiting at the end of each round; with
 * many, conditions would have unequal numbers of blocks where a study ends early.
 */
const ROUNDS_AT_ONCE = 3;

/** A second lab measures a link for ten seconds and warms up its browsers: with less time than this left, it brings too little. */
const PAYS_MS = 30_000;

/** The labs of this machine: each runs one block at a time, and the most urgent blocks are given to those that are free. */
export function openLabRunner(plan: Plan, labs: Labs, options: LoopOptions, news: News): BlockRunner {
  const { store, session, givesWay = canGiveWay(), untilMs = Number.POSITIVE_INFINITY } = options;
  const pool = openLabPool(plan, labs, {
    ...options,
    keepLink: (link) => store.addMeasuredLink(session, link),
    shelf: shelfOf(store, session),
    onLoad: ({ block }, arm) => news.load(block, arm),
  });
  const films = openFilms(plan, store);
  const takeIn = (condition: Condition, lab: number) =>
    pool.film(condition, lab, async (found) => films.keep(session, condition, await takeFilms(plan, found, condition)));
  const homes = homesOf(plan, labs.most);
  // Where quick loads come before slow ones, these load beside them.
  const leavesRoom = givesWay ? () => true : pool.leavesRoom;
  // Where nothing that is found ends a condition early, labs need not wait for the last block of a round.
  const isAhead = plan.stopping.kind === 'exactly';
  const busy = new Set<number>();
  const beganMs = performance.now();

  /** Films a condition over the link that is set, once it is answered and where there is time for that. */
  const film = async (judged: JudgedPlan, over: Condition, lab: number) => {
    if (endingNow(options)) return;
    const condition = films.awaited(judged).find((each) => linkNameOf(each) === linkNameOf(over));
    if (!condition || !films.mayTake(condition, performance.now() - beganMs)) return;
    films.reserve(condition);
    await takeIn(condition, lab);
  };
  const placeFor = ({ block, lab }: Assigned): Place => ({
    block,
    async run(order) {
      news.start(block);
      const done = await pool.run(order, lab).catch((error) => {
        busy.delete(lab);
        throw error;
      });
      if (!done) busy.delete(lab);
      return done && { ...done, session, references: [], links: [] };
    },
    after: (judged) => film(judged, conditionOf(plan, block), lab).finally(() => busy.delete(lab)),
  });
  /** Gives blocks to labs that are free, none of them for these conditions. */
  const give = (blocks: readonly Block[], conditions: ReadonlySet<string>): readonly Place[] => {
    const assigned = assign(blocks, (block) => linkNameOf(conditionOf(plan, block)), {
      most: labs.most,
      busy,
      conditions,
      links: pool.links,
      homes,
      leavesRoom: pool.leavesRoom,
      staysHome: ({ condition }) => condition === plan.control.id,
      mayHelp: untilMs - performance.now() > PAYS_MS && !pool.isFull(),
    });
    for (const { lab } of assigned) busy.add(lab);
    return assigned.map(placeFor);
  };
  return {
    isAhead,
    begun: [],
    choose(wanted, taken, worths) {
      if (isAhead) return give(blocksAhead(plan, wanted, { isTaken: taken.has, rounds: ROUNDS_AT_ONCE }), new Set());
      const worthy = withoutUnworthy(plan, wanted, { worths, leavesRoom });
      const given = give(worthy, taken.conditions());
      if (!isForAnswers(plan) || busy.size === labs.most) return given;
      // In the end fewer conditions are open than there are labs: then those that three blocks did not settle get several at once.
      const hard = worthy.filter(({ index }) => index >= LEAST_BLOCKS.sure);
      const isGiven = (wish: Pick<Block, 'condition' | 'index'>) =>
        given.some(({ block }) => block.condition === wish.condition && block.index === wish.index);
      const isTaken: typeof taken.has = (block) => taken.has(block) || isGiven(block);
      return [...given, ...give(blocksAhead(plan, hard, { isTaken }), new Set())];
    },
    withdraw() {}, // What is given to a lab is begun at once.
    abandon() {},
    changed: pool.changed,
    /** Films what is left to be filmed, in all labs that know the links; where there is a budget, within the films' share. */
    async finish(judged) {
      const labsFor = (condition: Condition) => {
        const link = linkNameOf(condition);
        const known = [...pool.links].filter(([, own]) => own.has(link)).map(([lab]) => lab);
        return known.length > 0 ? known : [homes.get(link) ?? 0];
      };
      const awaited = films.awaited(judged);
      const atWork = new Set(awaited.flatMap(labsFor));
      let hasFailed = false;
      // What films take is the time of labs.
      const hasTime = () => options.untilMs === undefined || films.hasTime(atWork.size * (performance.now() - beganMs));
      if (awaited.length > 0 && hasTime()) options.tell({ event: 'films', conditions: awaited.length });
      const filmIn = async (lab: number) => {
        while (!hasFailed && !endingNow(options) && hasTime()) {
          const condition = films.awaited(judged).find((each) => labsFor(each).includes(lab));
          if (!condition) return;
          films.reserve(condition);
          const isDone = await takeIn(condition, lab).catch((error) => {
            hasFailed = true;
            throw error;
          });
          if (!isDone) return;
        }
      };
      const ended = await Promise.allSettled([...atWork].map(filmIn));
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
    },
  };
}

/**
 * The blocks that are worth their time. A block that leaves no room keeps all other labs waiting, so that it is worth its time
 * only if a second of it is worth as much as a second of what these do together.
 */
export function withoutUnworthy(
  plan: Plan,
  wanted: readonly Block[],
  how: { readonly worths: Worths; readonly leavesRoom: (block: Block) => boolean },
): readonly Block[] {
  const [beside, alone] = [true, false].map((leaves) => wanted.filter((block) => how.leavesRoom(block) === leaves));
  if (alone!.length === 0) return wanted;
  const worths = how.worths();
  const linkOf = (block: Block) => linkNameOf(conditionOf(plan, block));
  const byLink = Map.groupBy(beside!, linkOf);
  /** What the other links do meanwhile: each the block that is worth most. */
  const worthBeside = (link: string) =>
    sumOf(
      [...byLink].map(([other, own]) =>
        other === link ? 0 : Math.max(...own.map(({ condition }) => worths.get(condition) ?? 0)),
      ),
    );
  const isUnworthy = (block: Block) => {
    const worth = worths.get(block.condition) ?? Number.POSITIVE_INFINITY;
    return worth < worthBeside(linkOf(block));
  };
  const unworthy = new Set(alone!.filter(isUnworthy));
  return wanted.filter((block) => !unworthy.has(block));
}

/** The lab of each link: the links with most to do have one each, so that all labs are done at about the same time. */
function homesOf(plan: Plan, labs: number): ReadonlyMap<string, number> {
  const byLink = Map.groupBy(plan.conditions, linkNameOf);
  const takes = [...byLink].map(([link, own]) => ({
    link,
    ms: own.reduce((sum, condition) => sum + likelyBlockMs(plan, condition), 0),
  }));
  const tasks = Array.from({ length: labs }, () => 0);
  return new Map(
    takes
      .toSorted((a, b) => b.ms - a.ms)
      .map(({ link, ms }) => {
        const lab = tasks.indexOf(Math.min(...tasks));
        tasks[lab]! += ms;
        return [link, lab];
      }),
  );
}
