import { recordsOf, wholeTrials } from '../comparison/records.ts';
import { toThousandths } from '../findings/arm-summary.ts';
import { deedInWords } from '../findings/lead.ts';
import type { Summary } from '../findings/summary.ts';
import { type Advice, DEPENDS_ON_VISITORS, dependsOnVisitors, hasNoOneArm } from '../model/advice.ts';
import { titleOfArm } from '../model/arm.ts';
import type { BlockOutcomes } from '../model/comparison.ts';
import { titleOf } from '../model/condition-title.ts';
import type { Film } from '../model/film.ts';
import type { FoundStudy } from '../model/found-study.ts';
import { loses } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import { evidenceName } from '../model/session.ts';
import type { Metric, Plan } from '../model/study.ts';
import { inWords } from '../model/wording.ts';
import { median } from '../stats/order.ts';
import { readFoundStudy } from '../store/found-study.ts';
import type { StoreReader } from '../store/reading.ts';
import type { StoredTrial } from '../store/trials.ts';
import { describeNoAdvice } from './lead-text.ts';
import type { NextStep } from './next-steps.ts';
import {
  type PackedWaterfall,
  type PageAnswer,
  type PageBlock,
  type PageCondition,
  type PageData,
  packBlocks,
  packRequests,
} from './page-data.ts';
import { badgesOf } from './view-model-badges.ts';
import { type PlacedFilm, packFilms } from './view-model-films.ts';
import { describeMethod } from './view-model-method.ts';
import { readLoad, type WaterfallLoad } from './waterfall.ts';

/** What a page is made of. */
export interface PageSource {
  readonly found: FoundStudy;
  /** The trials of the found measurements. */
  readonly trials: readonly StoredTrial[];
  /** Reads the load of one trial. */
  readonly loadOf: (trial: number) => WaterfallLoad;
  readonly filmOf: (condition: string, arm: string) => Film | undefined;
}

/** All that a page is made of, from a study's store alone. */
export function readPageSource(store: StoreReader): PageSource {
  const trials = [...store.trials()];
  return {
    found: readFoundStudy(
      store,
      trials.map(({ measurement }) => measurement),
    ),
    trials,
    loadOf: (trial) => readLoad(store.captureOf(trial)),
    filmOf: store.filmOf,
  };
}

/** The command that runs a study again, and what it needs besides. */
export interface Again {
  readonly command: string;
  readonly needs?: string;
}

/** The commands that a page shows: what runs the study again, and what to do next. */
export interface PageCommands {
  readonly again: Again;
  readonly next: readonly NextStep[];
}

/** All that the report's page shows of a study, finished or not. */
export function buildPage(
  { found, trials, loadOf, filmOf }: PageSource,
  summary: Summary,
  { again, next }: PageCommands,
): PageData {
  const { plan } = found;
  const { provenance, ...findings } = summary;
  const names = numbered();
  const evidence = numbered();
  const pictures = numbered();
  const arms = plan.arms.map((arm) => ({ name: arm.name, protocol: arm.protocol, title: titleOfArm(arm) }));
  const loadsOf = indexLoads(trials, plan);
  const films = packFilms(filmsOf(plan, filmOf), pictures.numberOf);
  const conditions = plan.conditions.map((condition, index): PageCondition => {
    const own = summary.conditions[index]!;
    const loads = loadsOf(condition.id).slice(0, own.blocks);
    const blocks = loads.map((each) => blockOf(each, plan.metric, (trial) => evidence.numberOf(templateOf(trial))));
    const busy = loads.flatMap(({ trials: each }) => each.flatMap(coreBusyShareOf));
    return {
      title: titleOf(condition, plan),
      timeoutMs: condition.timeoutMs,
      lossy: loses(condition.link),
      blocks: packBlocks(
        blocks,
        arms.map(({ name }) => name),
        summary.machines?.map(({ name }) => name),
      ),
      waterfalls: arms.flatMap(({ name }) => waterfallOf(name, loads, { plan, loadOf, numberOf: names.numberOf })),
      films: films.get(condition.id),
      coreBusyShare: busy.length > 0 ? toThousandths(median(busy)) : undefined,
    };
  });
  return {
    summary: findings,
    arms,
    conditions,
    answer: answerOf(summary, { arms, conditions, next }),
    names: names.all,
    pictures: pictures.all,
    evidence: evidence.all.map((text) => JSON.parse(text) as string[]),
    method: describeMethod(found, provenance, { again, netLogs: trials.filter(hasNetLog).length }),
  };
}

function filmsOf({ conditions, arms }: Plan, filmOf: PageSource['filmOf']): readonly PlacedFilm[] {
  return conditions.flatMap(({ id }) =>
    arms.flatMap(({ name }) => {
      const film = filmOf(id, name);
      return film ? [{ condition: id, arm: name, film }] : [];
    }),
  );
}

/** Gives every text a number, from 0, the same one each time. */
function numbered() {
  const numbers = new Map<string, number>();
  const all: string[] = [];
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, all.length);
    return all.push(text) - 1;
  };
  return { all, numberOf };
}

/** The trials of a whole block. */
interface BlockLoads {
  readonly index: number;
  readonly serial: number;
  readonly beganMs: number;
  readonly trials: readonly StoredTrial[];
}

/** By condition, the whole blocks in the order of their indexes. */
function indexLoads(trials: readonly StoredTrial[], plan: Plan): (condition: string) => readonly BlockLoads[] {
  const byMeasurement = new Map<Measurement, StoredTrial>(trials.map((trial) => [trial.measurement, trial]));
  const whole = wholeTrials(
    trials.map(({ measurement }) => measurement).filter(({ condition }) => condition !== plan.control.id),
    plan.arms,
  ).map((measurement) => byMeasurement.get(measurement)!);
  const byCondition = Map.groupBy(whole, ({ measurement }) => measurement.condition);
  return (condition) =>
    [...Map.groupBy(byCondition.get(condition) ?? [], ({ measurement }) => measurement.block)]
      .map(([index, own]) => ({ index, serial: own[0]!.serial, beganMs: own[0]!.beganMs, trials: own }))
      .sort((a, b) => a.index - b.index);
}

function blockOf(loads: BlockLoads, metric: Metric, evidenceOf: (trial: StoredTrial) => number): PageBlock {
  const { outcomes, launch, machine } = outcomesOf(loads, metric);
  const evidence = Object.fromEntries(loads.trials.map((trial) => [trial.measurement.arm, evidenceOf(trial)]));
  const ran = machine !== undefined && { machine };
  return { launch, ...ran, outcomes, evidence, serial: loads.serial, beganMs: loads.beganMs };
}

function outcomesOf({ trials }: BlockLoads, metric: Metric): BlockOutcomes {
  const measurements = trials.map(({ measurement }) => measurement);
  const arms = measurements.map(({ arm }) => ({ name: arm }));
  return recordsOf(measurements, arms, metric)[0]!.blocks[0]!;
}

/** Names of a load's files with what is its own left out: nearly all loads have the same then. */
function templateOf({ evidence, serial, measurement }: StoredTrial): string {
  const own = evidenceName(serial, measurement.arm);
  return JSON.stringify(evidence.map((path) => path.replace(own, '*')));
}

function hasNetLog({ evidence }: StoredTrial): boolean {
  return evidence.some((path) => path.startsWith('netlog/'));
}

function coreBusyShareOf({ measurement }: StoredTrial): number[] {
  return measurement.status === 'ok' ? [measurement.coreBusyShare] : [];
}

interface WaterfallRequestOf {
  readonly plan: Plan;
  readonly loadOf: PageSource['loadOf'];
  readonly numberOf: (name: string) => number;
}

/**
 * The waterfall of an arm's median load, or of the first one where all have failed; none where that load's log is
 * empty.
 */
function waterfallOf(
  arm: string,
  loads: readonly BlockLoads[],
  { plan, loadOf, numberOf }: WaterfallRequestOf,
): readonly PackedWaterfall[] {
  const chosen = medianLoad(arm, loads, plan.metric);
  if (!chosen) return [];
  const { requests, loadEventMs, unrecorded } = loadOf(chosen.trial.id);
  if (requests.length === 0) return [];
  return [
    {
      arm,
      serial: chosen.trial.serial,
      block: chosen.index,
      count: requests.length,
      timeMs: chosen.timeMs,
      loadEventMs: loadEventMs === undefined ? undefined : toThousandths(loadEventMs),
      columns: packRequests(requests, numberOf),
      unrecorded,
    },
  ];
}

function medianLoad(arm: string, loads: readonly BlockLoads[], metric: Metric) {
  const own = loads.flatMap((block) => {
    const outcome = outcomesOf(block, metric).outcomes[arm];
    const trial = block.trials.find(({ measurement }) => measurement.arm === arm);
    if (!trial) return [];
    return { trial, index: block.index, timeMs: typeof outcome === 'number' ? toThousandths(outcome) : undefined };
  });
  const finished = own.filter(({ timeMs }) => timeMs !== undefined).sort((a, b) => a.timeMs! - b.timeMs!);
  return finished[(finished.length - 1) >> 1] ?? own[0];
}

/** What to do, in a line: the choice for everything, but where the tree does much better. */
function headlineOf(advice: Advice, nameOf: (arm: string) => string): string {
  if (dependsOnVisitors(advice)) return DEPENDS_ON_VISITORS;
  return hasNoOneArm(advice) ? `Choose by ${inWords(advice.byTreeAsks ?? [], 'and')}` : deedInWords(advice, nameOf);
}

function answerOf(
  summary: Summary,
  { arms, conditions, next }: Pick<PageData, 'arms' | 'conditions'> & Pick<PageCommands, 'next'>,
): PageAnswer {
  const { advice } = summary;
  const nameOf = (name: string) => arms.find((arm) => arm.name === name)?.title ?? name;
  const titleOfCondition = (id: string) => conditions[summary.conditions.findIndex((each) => each.id === id)]!.title;
  const told = advice ? { headline: headlineOf(advice, nameOf), text: advice.text } : describeNoAdvice(summary);
  return {
    ...told,
    badges: badgesOf(summary, titleOfCondition),
    next,
  };
}
