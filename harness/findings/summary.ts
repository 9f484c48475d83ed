import { advise } from '../advice/advice.ts';
import { withSavings } from '../advice/savings.ts';
import { type ControlJudgement, judgeControls } from '../comparison/controls.ts';
import { compareStudy, judgedBlocks } from '../comparison/estimate.ts';
import { judgePlan } from '../comparison/judge-plan.ts';
import { notBeaten } from '../comparison/label.ts';
import { wholeTrials } from '../comparison/records.ts';
import { isFixed } from '../comparison/sampling.ts';
import { cpuBoundShare, stolenShare } from '../measurement/saturation.ts';
import type { Advice } from '../model/advice.ts';
import type { Calibration } from '../model/calibration.ts';
import type { Comparison, ConditionJudgement, Label, Rule } from '../model/comparison.ts';
import { titleOf } from '../model/condition-title.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { TopologyName } from '../model/lab.ts';
import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { MeasuredLink, Session } from '../model/session.ts';
import type { Condition, Plan } from '../model/study.ts';
import type { ThenAndNow } from '../model/then-and-now.ts';
import type { Features, Leaf, Regret, Tree, TreeFindings } from '../model/tree.ts';
import { PAPERS } from '../replication/papers/papers.ts';
import { compareWithPaper } from '../replication/then-and-now.ts';
import { median } from '../stats/order.ts';
import { featuresOf } from '../tree/features.ts';
import { growTree } from '../tree/tree.ts';
import { type ArmSummary, summarizeArm, toThousandths } from './arm-summary.ts';

/** The findings of a study for programs: `summary.json`. */
export interface Summary {
  readonly schema: 1;
  readonly study: string;
  readonly seed: number;
  readonly rule: Rule;
  readonly metric: string;
  /** Whether every condition has all the blocks that it needs or may have. */
  readonly finished: boolean;
  readonly version: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionSummary[];
  /** Absent where nothing was measured yet. */
  readonly tree?: Tree<Leaf>;
  /** Of whoever follows the tree. */
  readonly regret?: Regret;
  /** Of whoever always serves one arm: `always h2`. */
  readonly baselines?: Readonly<Record<string, Regret>>;
  readonly leaveOneOut?: TreeFindings['leaveOneOut'];
  readonly advice?: Advice;
  /** For a study that repeats a paper: its claims and figures beside ours. */
  readonly thenAndNow?: ThenAndNow;
  readonly controls: ControlSummaries;
  readonly loads: LoadCounts;
  readonly wallSeconds: number;
  /** What a load costs beyond itself; absent where none finished. */
  readonly overheadMsMedian?: number;
  /** What it was measured with, session by session, and the lab with each link as its kernels said it was. */
  readonly provenance: { readonly sessions: readonly Session[]; readonly links: readonly LinkProvenance[] };
}

/** Trials by what became of them; only those of whole blocks count, failed ones too. */
export interface LoadCounts {
  readonly counted: number;
  readonly failed: number;
  readonly void: number;
  /** Whose block was run again because another of its trials was void. */
  readonly superseded: number;
  /** Of the study's control. */
  readonly control: number;
  readonly warmup: number;
}

export interface ConditionSummary {
  readonly id: string;
  readonly site: string;
  readonly server: string;
  readonly visit: string;
  /** Absent: `direct`. */
  readonly topology?: TopologyName;
  /** How many each client of a crowd opens at once. */
  readonly tabs?: number;
  readonly link: Readonly<Record<string, unknown>>;
  readonly features: Features;
  readonly calibration: Readonly<Record<string, unknown>>;
  readonly arms: Readonly<Record<string, ArmSummary>>;
  readonly comparisons: readonly ComparisonSummary[];
  /** Whether it gets more blocks, or why not. */
  readonly state: ConditionJudgement['state'];
  readonly blocks: number;
  /** The arms that are not beaten, proven or not: all of them is no tie unless nothing is open. */
  readonly winner: readonly string[];
  readonly label: Label;
  /** The share of its finished loads during which a core was saturated. */
  readonly cpuBoundShare: number;
  /** Of their time, on average: what this machine's host gave to others; absent where it was not counted. */
  readonly stolenShare?: number;
}

export interface ComparisonSummary extends Omit<Comparison, 'condition' | 'interval'> {
  readonly ci: Comparison['interval'];
}

/** What the study's control came to. */
export interface ControlSummaries {
  readonly condition: string;
  readonly aa: ControlSummary;
  readonly planted: ControlSummary & { readonly delayMs?: number; readonly found: boolean };
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
  const { plan, measurements, links, sessions, warmUps } = found;
  const { records, judgement } = judgePlan(plan, measurements);
  const comparisons = compareStudy(plan, records, judgement);
  const arms = plan.arms.map(({ name }) => name);
  const own = measurements.filter(({ condition }) => condition !== plan.control.id);
  const whole = wholeTrials(own, plan.arms);
  const voids = own.filter(({ status }) => status === 'void');
  const byCondition = Map.groupBy([...whole, ...voids], ({ condition }) => condition);
  const judged = plan.conditions.map((condition, index) => ({
    condition,
    judgement: judgement.conditions[index]!,
    comparisons: comparisons.filter((each) => each.condition === condition.id),
    features: featuresOf(condition, plan.sites[condition.site]!),
    blocks: judgedBlocks(
      records.find((record) => record.condition === condition.id),
      judgement.conditions[index]!.blocks,
    ),
  }));
  const tree = growTree({
    conditions: judged.map(({ condition: { id }, features, judgement: { label }, blocks }) => ({
      id,
      features,
      label,
      blocks,
    })),
    ...{ arms, rule: plan.rule, seed: plan.seed },
  });
  const advised = judged.map(({ condition, ...rest }) => ({
    ...{ id: condition.id, title: titleOf(condition, plan), profile: condition.link.name },
    ...{ ...rest, isFixed: isFixed(plan, rest.judgement) },
  }));
  const advice = advise({
    conditions: advised,
    ...{ arms, rule: plan.rule },
    mix: plan.mix ?? Object.fromEntries(plan.conditions.map(({ link }) => [link.name, 1])),
  });
  const paper = plan.repeats && PAPERS[plan.repeats];
  const overheads = measurements.flatMap((each) => (each.status === 'ok' ? each.overheadMs : []));
  return {
    ...{ schema: 1, study: plan.study, seed: plan.seed, rule: plan.rule, metric: plan.metric },
    finished: judgement.conditions.every(({ state }) => state !== 'open' && state !== 'waiting'),
    version: versionsOf(sessions, links),
    conditions: judged.map(({ blocks: _, ...each }) =>
      summarizeCondition(each, byCondition.get(each.condition.id) ?? [], found),
    ),
    ...(tree && describeTree(tree)),
    ...(advice && { advice: withSavings(advice, advised) }),
    ...(paper && { thenAndNow: compareWithPaper(paper, { ...found, judgement, comparisons }, tree?.tree) }),
    controls: summarizeControls(plan, measurements),
    loads: {
      counted: whole.length,
      failed: whole.filter(({ status }) => status === 'failed').length,
      void: voids.length,
      superseded: own.length - whole.length - voids.length,
      control: measurements.length - own.length,
      warmup: warmUps,
    },
    wallSeconds: Math.round(sessions.reduce((sum, session) => sum + lengthMs(session), 0) / 1000),
    ...(overheads.length > 0 && { overheadMsMedian: Math.round(median(overheads)) }),
    provenance: { sessions, links: links.map(({ link, lab }) => ({ link, lab })) },
  };
}

/** Of a session during which the clock was put back nothing is known. */
function lengthMs({ beganMs, lastMs }: Session): number {
  return Math.max(0, lastMs - beganMs);
}

function describeTree({ tree, regret, baselines, leaveOneOut }: TreeFindings) {
  const always = Object.entries(baselines).map(([arm, own]) => [`always ${arm}`, own]);
  return { tree, regret, baselines: Object.fromEntries(always) as Readonly<Record<string, Regret>>, leaveOneOut };
}

interface JudgedCondition {
  readonly condition: Condition;
  readonly judgement: ConditionJudgement;
  readonly comparisons: readonly Comparison[];
  readonly features: Features;
}

function summarizeCondition(
  { condition, judgement, comparisons, features }: JudgedCondition,
  measurements: readonly Measurement[],
  { plan, links, scores }: FoundStudy,
): ConditionSummary {
  const { id, site, server, visit, link, topology, tabs } = condition;
  const { state, label, blocks } = judgement;
  const calibration = links.findLast((each) => each.link === link.name)?.calibration;
  const names = plan.arms.map(({ name }) => name);
  const stolen = stolenShare(measurements);
  return {
    ...{ id, site, server, visit, features, state, blocks, label },
    ...(topology && { topology }),
    ...(tabs !== undefined && { tabs }),
    link: {
      name: link.name,
      downKbps: meanRateKbps(link.down.rate),
      upKbps: meanRateKbps(link.up.rate),
      rttMs: rttMs(link),
      lossPercent: meanLossPercent(link.down.loss),
      queuePackets: link.down.queuePackets,
    },
    calibration: calibration ? flatFigures(calibration) : {},
    arms: Object.fromEntries(
      names.map((name) => [
        name,
        summarizeArm({
          measurements: measurements.filter(({ arm }) => arm === name),
          scores: scores.filter((each) => each.condition === id && each.arm === name),
          metric: plan.metric,
        }),
      ]),
    ),
    comparisons: comparisons.map(({ condition: _, interval, ...rest }) => ({ ...rest, ci: interval })),
    winner: notBeaten(names, label),
    cpuBoundShare: toThousandths(cpuBoundShare(measurements)),
    ...(stolen !== undefined && { stolenShare: toThousandths(stolen) }),
  };
}

function flatFigures({ figures, ok, attempts }: Calibration) {
  const { rttMs, directions } = figures;
  const { down, up } = directions;
  return {
    rttMs,
    ...{ tcpDownKbps: down.tcpKbps, tcpUpKbps: up.tcpKbps, udpDownKbps: down.udpKbps, udpUpKbps: up.udpKbps },
    ...{ lossDownPercent: down.lossPercent, lossUpPercent: up.lossPercent },
    ...{ queueDownPackets: down.queuePackets, queueUpPackets: up.queuePackets },
    ...{ ok, attempts },
  };
}

function summarizeControls(plan: Plan, measurements: readonly Measurement[]): ControlSummaries {
  const { aa, planted, delayMs } = judgeControls(plan, measurements);
  const inShort = ({ pair, open, passed }: ControlJudgement): ControlSummary => ({
    ...{ verdict: pair.verdict, blocks: pair.blocks, open, passed },
  });
  return {
    condition: plan.control.id,
    aa: inShort(aa),
    planted: { ...inShort(planted), ...(delayMs !== undefined && { delayMs }), found: planted.passed },
  };
}

/** As the last session had them: an earlier one with others is noted in its own. */
function versionsOf(sessions: readonly Session[], links: readonly MeasuredLink[]): Summary['version'] {
  const machine = sessions.at(-1)?.machine;
  if (!machine) return {};
  const { photofinish, chromium, servers, kernel } = machine;
  const drivers = links.map(({ lab }) =>
    lab.driver === 'uml' ? `netem of a user-mode kernel (${lab.kernel})` : 'netem of this kernel',
  );
  return { photofinish, chromium, servers, kernel, link: [...new Set(drivers)].join(', ') };
}
