import { type ControlJudgement, judgeControls } from '../comparison/controls.ts';
import { compareStudy, judgedBlocks } from '../comparison/estimate.ts';
import { getsMore, judgePlan } from '../comparison/judge-plan.ts';
import { wholeTrials } from '../comparison/records.ts';
import { floorMsOf } from '../measurement/floor.ts';
import { stolenShare } from '../measurement/saturation.ts';
import type { Advice } from '../model/advice.ts';
import type { Answer } from '../model/answer.ts';
import type { Calibration } from '../model/calibration.ts';
import type {
  Comparison,
  ConditionJudgement,
  ConditionRecord,
  ConditionState,
  Rule,
  Stopping,
} from '../model/comparison.ts';
import { titleOf } from '../model/condition-title.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { TopologyName } from '../model/lab.ts';
import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { MeasuredLink, Session } from '../model/session.ts';
import { armsAlike, type Condition, type Metric, type Plan } from '../model/study.ts';
import type { ThenAndNow } from '../model/then-and-now.ts';
import type { Features, Leaf, Tree, TreeRegret } from '../model/tree.ts';
import { PAPERS } from '../replication/papers/papers.ts';
import { compareWithPaper } from '../replication/then-and-now.ts';
import { median } from '../stats/order.ts';
import { loadsAtOnce, timeLeftMs } from '../study/time-left.ts';
import { featuresOf } from '../tree/features.ts';
import { type ArmSummary, summarizeArm, toThousandths } from './arm-summary.ts';
import { concludeOffers, concludeStudy, regretsOf } from './conclusions.ts';
import { compareMachines, type MachineSummary } from './machines.ts';
import type { OfferFindings } from './offers.ts';
import { labelAsInPaper } from './paper-label.ts';

/** The findings of a study for programs: `summary.json`. */
export interface Summary {
  readonly schema: 1;
  readonly study: string;
  readonly seed: number;
  readonly rule: Rule;
  readonly metric: Metric;
  /** The arm that is served today. */
  readonly served: string;
  readonly stopping: Stopping;
  /** Whether every condition has all the blocks that it needs or may have. */
  readonly finished: boolean;
  readonly version: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionSummary[];
  /** Absent where nothing was measured yet. */
  readonly tree?: Tree<Leaf> | undefined;
  /** The regret of following the `tree`, and of always serving one arm: `always h2`. */
  readonly regret?: Readonly<Record<string, TreeRegret>> | undefined;
  readonly advice?: Advice | undefined;
  /** What each offer does, and to which visitors; absent in studies that compare no offers. */
  readonly offers?: OfferFindings | undefined;
  /** For a study that repeats a paper: its claims and figures beside ours. */
  readonly thenAndNow?: ThenAndNow | undefined;
  readonly controls: ControlSummaries;
  /** The machines of a study that workers ran, each against the others. */
  readonly machines?: readonly MachineSummary[] | undefined;
  readonly loads: LoadCounts;
  readonly wallSeconds: number;
  /** How long the rest is likely to take; absent where nothing was measured yet. */
  readonly leftSeconds?: number | undefined;
  /** What a load costs beyond itself; absent where none finished. */
  readonly overheadMsMedian?: number | undefined;
  /** What it was measured with, session by session, and the lab with each link as its kernels said it was. */
  readonly provenance: { readonly sessions: readonly Session[]; readonly links: readonly LinkProvenance[] };
}

/** Trials by what became of them; only those of whole blocks count, failed ones too. */
export interface LoadCounts {
  readonly counted: number;
  readonly failed: number;
  readonly void: number;
  /** Loads whose block was run again because another of its trials was void. */
  readonly superseded: number;
  /** Loads that the study's control made. */
  readonly control: number;
  readonly warmup: number;
  /** Over a link without limits, watched or not. */
  readonly reference: number;
  readonly film: number;
  /** Loads that waited for a core too long, and were made again. */
  readonly disturbed: number;
}

export interface ConditionSummary {
  readonly id: string;
  /** What people call it: `article over fibre`. */
  readonly title: string;
  readonly site: string;
  readonly server: string;
  readonly visit: string;
  /** Absent: `direct`. */
  readonly topology?: TopologyName | undefined;
  /** How many each client of a crowd opens at once. */
  readonly tabs?: number | undefined;
  readonly link: Readonly<Record<string, unknown>>;
  readonly features: Features;
  readonly calibration: Readonly<Record<string, unknown>>;
  readonly arms: Readonly<Record<string, ArmSummary>>;
  /** What to serve; absent where nothing like it was measured. */
  readonly answer?: AnswerSummary | undefined;
  /** The arms of which it is proven that no other arm beats them. */
  readonly within: readonly string[];
  readonly comparisons: readonly ComparisonSummary[];
  /** Whether it gets more blocks, or why not. */
  readonly state: ConditionState;
  readonly blocks: number;
  readonly launches: number;
  /** The arms that the study which is repeated would have called the best, as it did it; absent in other studies. */
  readonly paperLabel?: readonly string[] | undefined;
  /** By arm: what its page takes on this machine over a link without limits; absent where that was not measured. */
  readonly floorMs?: Readonly<Record<string, number>> | undefined;
  /**
   * The mean share of the loads' time that the virtual machine's host gave to others; absent where it was not counted.
   */
  readonly stolenShare?: number | undefined;
}

export type AnswerSummary = Omit<Answer, 'condition'>;

export interface ComparisonSummary extends Omit<Comparison, 'condition' | 'interval'> {
  readonly ci: Comparison['interval'];
}

/** What the study's control came to. */
export interface ControlSummaries {
  readonly condition: string;
  readonly aa: ControlSummary;
  readonly planted: ControlSummary & { readonly delayMs?: number | undefined; readonly found: boolean };
}

export interface ControlSummary {
  /** The arm under its other name is a, the arm itself b. */
  readonly verdict: ControlJudgement['pair']['verdict'];
  readonly blocks: number;
  /** Whether there were too few blocks to say. */
  readonly open: boolean;
  readonly passed: boolean;
}

interface LinkProvenance {
  readonly link: string;
  readonly lab: MeasuredLink['lab'];
}

/** Sums up a study, finished or not. */
export function summarizeStudy(found: FoundStudy): Summary {
  const { plan, measurements, sessions, warmUps, disturbed, references, films, links } = found;
  const judged = judgePlan(plan, measurements);
  const { records, judgement, decisions, states } = judged;
  const comparisons = compareStudy(plan, records, judgement);
  const own = measurements.filter(({ condition }) => condition !== plan.control.id);
  const whole = wholeTrials(own, plan.arms);
  const voids = own.filter(({ status }) => status === 'void');
  const { tree, advice, answerOf } = concludeStudy(plan, judged);
  const offers = concludeOffers(plan, decisions);
  const byCondition = Map.groupBy([...whole, ...voids], ({ condition }) => condition);
  const paper = plan.repeats && PAPERS[plan.repeats];
  const overheads = measurements.flatMap((each) => (each.status === 'ok' ? each.overheadMs : []));
  const leftMs = timeLeftMs(plan, judged, measurements, loadsAtOnce(measurements, lengthMs(sessions)));
  return {
    schema: 1,
    study: plan.study,
    seed: plan.seed,
    rule: plan.rule,
    metric: plan.metric,
    served: plan.served,
    stopping: plan.stopping,
    finished: !states.some(getsMore),
    version: versionsOf(sessions, links),
    conditions: plan.conditions.map((condition, index) =>
      summarizeCondition(
        {
          condition,
          judgement: judgement.conditions[index]!,
          state: states[index]!,
          comparisons: comparisons.filter((each) => each.condition === condition.id),
          answer: answerOf(index),
          record: records.find((record) => record.condition === condition.id),
        },
        byCondition.get(condition.id) ?? [],
        found,
      ),
    ),
    tree: tree?.tree,
    regret: tree && regretsOf(tree),
    advice,
    offers,
    thenAndNow: paper && compareWithPaper(paper, { ...found, judgement, comparisons }, tree?.tree),
    controls: summarizeControls(plan, measurements),
    machines: sessions.some(({ machine }) => machine.worker) ? compareMachines(found) : undefined,
    loads: {
      counted: whole.length,
      failed: whole.filter(({ status }) => status === 'failed').length,
      void: voids.length,
      superseded: own.length - whole.length - voids.length,
      control: measurements.length - own.length,
      warmup: warmUps,
      reference: references.length,
      film: films,
      disturbed,
    },
    wallSeconds: Math.round(lengthMs(sessions) / 1000),
    leftSeconds: leftMs === undefined ? undefined : Math.round(leftMs / 1000),
    overheadMsMedian: overheads.length > 0 ? Math.round(median(overheads)) : undefined,
    provenance: { sessions, links: links.map(({ link, lab }) => ({ link, lab })) },
  };
}

/**
 * How long was measured: what sessions of several machines had at the same time counts once. Nothing is known of a
 * session during which the clock was put back.
 */
function lengthMs(sessions: readonly Session[]): number {
  let [sumMs, coveredToMs] = [0, Number.NEGATIVE_INFINITY];
  for (const { beganMs, lastMs } of sessions.toSorted((a, b) => a.beganMs - b.beganMs)) {
    sumMs += Math.max(0, lastMs - Math.max(beganMs, coveredToMs));
    coveredToMs = Math.max(coveredToMs, lastMs);
  }
  return sumMs;
}

interface JudgedCondition {
  readonly condition: Condition;
  readonly judgement: ConditionJudgement;
  readonly state: ConditionState;
  readonly comparisons: readonly Comparison[];
  readonly answer: Answer | undefined;
  readonly record: ConditionRecord | undefined;
}

function summarizeCondition(
  { condition, judgement, state, comparisons, answer, record }: JudgedCondition,
  measurements: readonly Measurement[],
  found: FoundStudy,
): ConditionSummary {
  const { plan, links, scores } = found;
  const { id, site, server, visit, link, topology, tabs } = condition;
  const { blocks, launches, within } = judgement;
  const calibration = links.findLast((each) => each.link === link.name)?.calibration;
  const names = plan.arms.map(({ name }) => name);
  const alike = armsAlike(plan, condition);
  const stolen = stolenShare(measurements);
  const jitterMs = Math.max(link.down.jitterMs, link.up.jitterMs);
  const judgedOnes = judgedBlocks(record, blocks);
  const floors = Object.fromEntries(
    names.flatMap((name) => {
      const floorMs = floorMsOf(found, condition, name);
      return floorMs === undefined ? [] : [[name, toThousandths(floorMs)]];
    }),
  );
  return {
    id,
    title: titleOf(condition, plan),
    site,
    server,
    visit,
    state,
    blocks,
    launches,
    features: featuresOf(condition, plan.sites[site]!),
    topology,
    tabs,
    link: {
      name: link.name,
      downKbps: meanRateKbps(link.down.rate),
      upKbps: meanRateKbps(link.up.rate),
      rttMs: rttMs(link),
      jitterMs: jitterMs > 0 ? jitterMs : undefined,
      lossPercent: meanLossPercent(link.down.loss),
      queuePackets: link.down.queuePackets,
    },
    calibration: calibration ? flatFigures(calibration) : {},
    arms: Object.fromEntries(
      names.map((name) => {
        const loadedAs = alike.get(name);
        const summary = summarizeArm({
          measurements: measurements.filter(({ arm }) => arm === (loadedAs ?? name)),
          scores: scores.filter((each) => each.condition === id && each.arm === name),
          metric: plan.metric,
        });
        return [name, { ...summary, loadedAs }];
      }),
    ),
    answer: answer && roundedAnswer(answer),
    within: within.filter(({ proven }) => proven).map(({ arm }) => arm),
    comparisons: comparisons.map(({ condition: _, interval, ...rest }) => ({ ...rest, ci: interval })),
    paperLabel: plan.repeats === 'kramer2015' && blocks > 0 ? labelAsInPaper(judgedOnes, names) : undefined,
    floorMs: Object.keys(floors).length > 0 ? floors : undefined,
    stolenShare: stolen === undefined ? undefined : toThousandths(stolen),
  };
}

function roundedAnswer({ condition: _, ...answer }: Answer): AnswerSummary {
  const [low, high] = answer.gain.interval;
  const chance = answer.chanceAboveMargin;
  return {
    ...answer,
    regretPercent: toThousandths(answer.regretPercent),
    chanceAboveMargin: chance === undefined ? undefined : toThousandths(chance),
    gain: {
      over: answer.gain.over,
      percent: toThousandths(answer.gain.percent),
      interval: [toThousandths(low), toThousandths(high)],
    },
    arms: Object.fromEntries(
      Object.entries(answer.arms).map(([arm, outlook]) => [
        arm,
        {
          ...outlook,
          regretPercent: toThousandths(outlook.regretPercent),
          bestChance: toThousandths(outlook.bestChance),
          withinChance: toThousandths(outlook.withinChance),
        },
      ]),
    ),
  };
}

function flatFigures({ figures, ok, attempts }: Calibration) {
  const { rttMs, directions } = figures;
  const { down, up } = directions;
  return {
    rttMs,
    tcpDownKbps: down.tcpKbps,
    tcpUpKbps: up.tcpKbps,
    udpDownKbps: down.udpKbps,
    udpUpKbps: up.udpKbps,
    lossDownPercent: down.lossPercent,
    lossUpPercent: up.lossPercent,
    queueDownPackets: down.queuePackets,
    queueUpPackets: up.queuePackets,
    ok,
    attempts,
  };
}

function summarizeControls(plan: Plan, measurements: readonly Measurement[]): ControlSummaries {
  const { aa, planted, delayMs } = judgeControls(plan, measurements);
  const inShort = ({ pair, open, passed }: ControlJudgement): ControlSummary => ({
    verdict: pair.verdict,
    blocks: pair.blocks,
    open,
    passed,
  });
  return {
    condition: plan.control.id,
    aa: inShort(aa),
    planted: { ...inShort(planted), delayMs, found: planted.passed },
  };
}

/** The versions in the last session; an earlier session that had others notes them itself. */
function versionsOf(sessions: readonly Session[], links: readonly MeasuredLink[]): Summary['version'] {
  const machine = sessions.at(-1)?.machine;
  if (!machine) return {};
  const { photofinish, chromium, servers, kernel } = machine;
  const drivers = links.map(({ lab }) =>
    lab.driver === 'uml' ? `netem of a user-mode kernel (${lab.kernel})` : 'netem of this kernel',
  );
  return { photofinish, chromium, servers, kernel, link: [...new Set(drivers)].join(', ') };
}
