import { decideStudy } from '../harness/comparison/answers.ts';
import { failsAlways } from '../harness/findings/arm-summary.ts';
import { conclude, regretsOf } from '../harness/findings/conclusions.ts';
import { type Lead, leadOf } from '../harness/findings/lead.ts';
import type { ConditionSummary, Summary } from '../harness/findings/summary.ts';
import type { Mix } from '../harness/model/advice.ts';
import type { Decision } from '../harness/model/answer.ts';
import type { BlockOutcomes, ConditionJudgement } from '../harness/model/comparison.ts';
import { settingOf } from '../harness/model/setting.ts';
import { type PageBlock, type PageCondition, type PageData, unpackBlocks } from '../harness/report/page-data.ts';
import { type ArmLook, looksOf } from './arms.ts';

/** A page's data as its parts ask for it. */
export interface Report {
  readonly data: PageData;
  readonly looks: readonly ArmLook[];
  readonly lookOf: (arm: string) => ArmLook;
  /** What people call an arm, be it one of the study's or what is served today without having been measured. */
  readonly titleOf: (arm: string) => string;
  readonly conditions: readonly ReportCondition[];
  /** The program's conclusions for the study's own traffic; for any other traffic, what the same blocks say of it. */
  readonly concludeFor: (mix: Mix | undefined) => PageConclusions;
  /** What the blocks of each condition leave possible; worked out when it is first asked for. */
  readonly decisions: () => readonly (Decision | undefined)[];
}

/** What a study comes to for some traffic. */
export type PageConclusions = Pick<Summary, 'tree' | 'regret' | 'advice'>;

/** A condition's findings with what the page has beside them. */
export interface ReportCondition extends Omit<ConditionSummary, 'blocks'>, Omit<PageCondition, 'blocks'> {
  readonly index: number;
  /** How many blocks were judged. */
  readonly blocks: number;
  /** What leads; undefined where there is no answer. */
  readonly lead: Lead | undefined;
  /** The blocks, unpacked when they are first asked for. */
  readonly rows: () => readonly (PageBlock & BlockOutcomes)[];
}

/** Makes a page's data ready to be asked. */
export function openReport(data: PageData): Report {
  const { summary } = data;
  const looks = looksOf(data.arms);
  const machines = summary.machines?.map(({ name }) => name);
  const byName = new Map(looks.map((look) => [look.name, look]));
  const conditions = summary.conditions.map((own, index): ReportCondition => {
    const { blocks: packed, ...page } = data.conditions[index]!;
    return { ...page, ...own, index, lead: leadOf(own), rows: once(() => unpackBlocks(packed, machines)) };
  });
  const decisions = once(() => decide(data, conditions));
  return {
    data,
    looks,
    lookOf: (arm) => byName.get(arm)!,
    titleOf: (arm) => byName.get(arm)?.title ?? arm,
    conditions,
    decisions,
    concludeFor: openConclusions(data, conditions, decisions),
  };
}

/** Decides as the program did, from the same blocks with the same seed. */
function decide(
  { summary, arms }: PageData,
  conditions: readonly ReportCondition[],
): readonly (Decision | undefined)[] {
  const { rule, stopping, served, seed } = summary;
  return decideStudy(
    {
      conditions: conditions.map(({ id, site, timeoutMs, lossy, arms: own }) => ({
        id,
        timeoutMs,
        lossy,
        setting: settingOf({ id, site }),
        alike: alikeOf(own),
      })),
      arms,
      rule,
      stopping,
      served,
      seed,
    },
    conditions.map(({ id, rows }) => ({ condition: id, blocks: rows(), voids: [] })),
    { conditions: conditions.map(judgementOf), hypotheses: 0 },
  );
}

/** The arms that were not loaded, since their loads are those of another one, and which that is. */
function alikeOf(arms: ConditionSummary['arms']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(arms).flatMap(([arm, { loadedAs }]) => (loadedAs === undefined ? [] : [[arm, loadedAs]])),
  );
}

/** What is proven is known already, and nothing is judged again. */
function judgementOf({ id, blocks, launches, within }: ReportCondition): ConditionJudgement {
  return {
    condition: id,
    blocks,
    launches,
    pairs: [],
    voidShares: {},
    tooManyVoid: false,
    broken: false,
    within: within.map((arm) => ({ arm, proven: true, logEValue: 0 })),
  };
}

/** The last traffic's conclusions are kept: several parts of the page ask for them. */
function openConclusions(
  { summary, arms }: PageData,
  conditions: readonly ReportCondition[],
  decisions: () => readonly (Decision | undefined)[],
): Report['concludeFor'] {
  const { rule, served, metric } = summary;
  let last: { readonly mix: Mix; readonly conclusions: PageConclusions } | undefined;
  return (mix) => {
    if (!mix || !Object.values(mix).some((share) => share > 0)) return summary;
    if (last?.mix === mix) return last.conclusions;
    const concluded = conditions.map(({ link, ...own }) => ({
      ...own,
      profile: `${link.name}`,
      fails: failsAlways(own),
    }));
    const { tree, advice } = conclude(
      { conditions: concluded, arms, rule, served, metric, mix, offered: summary.offers?.shares },
      decisions(),
    );
    // Nothing can be said of traffic that was not measured.
    const conclusions = tree && advice ? { tree: tree.tree, regret: regretsOf(tree), advice } : summary;
    last = { mix, conclusions };
    return conclusions;
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
