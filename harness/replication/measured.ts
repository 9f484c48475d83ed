import { wholeTrials } from '../comparison/records.ts';
import { estimateMiddle, isFixed } from '../comparison/sampling.ts';
import type { BlockOutcomes, Comparison, ConditionRecord, Judgement } from '../model/comparison.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import { type Link, meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Paper, PaperArm, PaperFigure, PaperPlace } from '../model/paper.ts';
import type { Arm, Condition, Plan } from '../model/study.ts';
import { type PairStanding, type Source, type Spot, TIMES } from './source.ts';

/** A study as far as it is judged. */
export interface JudgedStudy {
  readonly plan: Plan;
  readonly measurements: readonly Measurement[];
  readonly scores: readonly LighthouseTrial[];
  readonly references: FoundStudy['references'];
  readonly judgement: Judgement;
  readonly comparisons: readonly Comparison[];
}

/** A spot of ours, with the arms there by the names that the paper has for them. */
export interface OwnSpot extends Spot {
  readonly condition: string;
  readonly arms: ReadonlyMap<string, string>;
  /** After how long a load that has not ended fails. */
  readonly timeoutMs: number;
}

export interface MeasuredSource extends Source {
  readonly spots: readonly OwnSpot[];
  /** A figure of a spot, block by block, by the names that the paper has for the arms. */
  recordOf(spot: OwnSpot, figure: PaperFigure): ConditionRecord;
  /** In how many of how many blocks an arm was ahead of another by what the study's rule asks. */
  winsOf(spot: Spot, arm: string, other: string): Wins | undefined;
}

/** In how many of some blocks an arm was ahead of another. */
export interface Wins {
  readonly won: number;
  readonly blocks: number;
}

/** Our measurements as a paper's claims ask for them: those blocks that the study's verdicts rest on. */
export function measuredSource(paper: Paper, study: JudgedStudy): MeasuredSource {
  const { plan, judgement, comparisons } = study;
  const spots = plan.conditions.flatMap((condition) => spotsOf(condition, plan, paper));
  const blocks = new Map(judgement.conditions.map((each) => [each.condition, each.blocks]));
  const trialOf = indexTrials(study);
  const own = (spot: Spot) => spot as OwnSpot;
  const blocksOf = (spot: Spot) => blocks.get(own(spot).condition) ?? 0;
  const areFixed = (some: readonly Spot[]) => some.every((spot) => isFixed(plan, blocksOf(spot)));
  const comparisonOf = (spot: Spot, arm: string, other: string) => {
    const names = [own(spot).arms.get(arm), own(spot).arms.get(other)];
    return comparisons.find(
      ({ condition, a, b }) => condition === own(spot).condition && [a, b].every((each) => names.includes(each)),
    );
  };
  return {
    spots,
    has: (arm) => spots.some(({ arms }) => arms.has(arm)),
    nameOf: (spot, arm) => own(spot).arms.get(arm),
    blocksOf,
    valueOf(spot, arm, figure, block) {
      const name = own(spot).arms.get(arm);
      const trial = name === undefined ? undefined : trialOf(own(spot).condition, name, block);
      return trial && figureOf(trial, figure);
    },
    verdictOf(spot, arm, other) {
      const pair = comparisonOf(spot, arm, other);
      return pair && standingOf(pair, own(spot).arms.get(arm)!);
    },
    winsOf(spot, arm, other) {
      const pair = comparisonOf(spot, arm, other);
      if (!pair) return undefined;
      return { won: pair.a === own(spot).arms.get(arm) ? pair.aWon : pair.bWon, blocks: pair.blocks };
    },
    recordOf: (spot, figure) => ({
      // An id of its own: a condition has a spot for each of its servers.
      condition: [spot.condition, spot.place.server].join(' '),
      blocks: Array.from({ length: blocksOf(spot) }, (_, block) => blockOf(block, spot, { figure, trialOf })),
      voids: [],
    }),
    isFixed: areFixed,
    // The estimate of the study's own comparisons.
    estimate: (values, confidence, concerned) => estimateMiddle(values, confidence, areFixed(concerned)),
  };
}

/** What the arms of a spot came to in a block. */
function blockOf(
  index: number,
  { condition, arms }: OwnSpot,
  { figure, trialOf }: { readonly figure: PaperFigure; readonly trialOf: TrialOf },
): BlockOutcomes {
  const trials = [...arms].flatMap(([printed, name]) => {
    const trial = trialOf(condition, name, index);
    return trial ? [{ printed, trial }] : [];
  });
  const figures = trials.flatMap(({ printed, trial }) => {
    const value = figureOf(trial, figure);
    // What is nothing, or less, has no logarithm.
    return value === undefined || value <= 0 ? [] : [[printed, Number.isFinite(value) ? value : 'failed']];
  });
  const [first] = trials;
  return {
    index,
    at: index,
    launch: first?.trial.launch ?? 0,
    machine: first?.trial.machine,
    outcomes: Object.fromEntries(figures),
  };
}

function standingOf({ a, verdict }: Comparison, arm: string): PairStanding {
  if (verdict === 'tie' || verdict === 'undecided') return verdict;
  return (verdict === 'a') === (a === arm) ? 'faster' : 'slower';
}

/** A condition with each of the servers that its arms have. */
function spotsOf(condition: Condition, plan: Plan, paper: Paper): OwnSpot[] {
  const { link, visit, tabs, site, device, id, timeoutMs } = condition;
  if (visit !== 'cold' || device !== 'desktop' || !isPlain(link)) return [];
  const place: PaperPlace = {
    site,
    rateKbps: meanRateKbps(link.down.rate) ?? Number.POSITIVE_INFINITY,
    rttMs: rttMs(link),
    lossPercent: meanLossPercent(link.down.loss),
    tabs,
  };
  const { objects, bytes } = plan.sites[site]!;
  const arms = plan.arms.flatMap((arm) => {
    const stands = Object.entries(paper.arms).find(([, printed]) => standsFor(arm, printed));
    return stands ? [{ printed: stands[0], name: arm.name, server: arm.server ?? condition.server }] : [];
  });
  return [...Map.groupBy(arms, ({ server }) => server)].map(([server, own]) => ({
    place: { ...place, server },
    condition: id,
    timeoutMs,
    objects,
    bytes,
    arms: new Map(own.map(({ printed, name }) => [printed, name])),
  }));
}

/** Whether a link has only rate, delay and random loss, which are alike in both directions. */
function isPlain({ down, up }: Link): boolean {
  const alike = (of: (direction: Link['down']) => unknown) => of(down) === of(up);
  return (
    [down, up].every(
      ({ rate, loss, jitterMs, reorderPercent, duplicatePercent }) =>
        rate.kind !== 'trace' && loss.kind !== 'burst' && jitterMs + reorderPercent + duplicatePercent === 0,
    ) &&
    alike(({ rate }) => meanRateKbps(rate)) &&
    alike(({ loss }) => meanLossPercent(loss))
  );
}

function standsFor({ protocol, congestion, beside, visit, browserFlags }: Arm, printed: PaperArm): boolean {
  return (
    protocol === printed.protocol &&
    congestion === printed.congestion &&
    beside?.protocol === printed.beside?.protocol &&
    beside?.congestion === printed.beside?.congestion &&
    (visit === undefined || visit === 'cold') &&
    browserFlags === undefined
  );
}

type TrialOf = (condition: string, arm: string, block: number) => Measurement | undefined;

/** Finds trials by condition, arm and block. */
function indexTrials({ plan, measurements }: JudgedStudy): TrialOf {
  const own = measurements.filter(({ condition }) => condition !== plan.control.id);
  const index = new Map<string, Map<string, Measurement[]>>();
  for (const trial of wholeTrials(own, plan.arms)) {
    const arms = index.get(trial.condition) ?? new Map<string, Measurement[]>();
    const blocks = arms.get(trial.arm) ?? [];
    blocks[trial.block] = trial;
    index.set(trial.condition, arms.set(trial.arm, blocks));
  }
  return (condition: string, arm: string, block: number) => index.get(condition)?.get(arm)?.[block];
}

function figureOf(trial: Measurement, figure: PaperFigure): number | undefined {
  if (trial.status !== 'ok') return TIMES.has(figure) ? Number.POSITIVE_INFINITY : undefined;
  if (figure === 'lighthouse') return undefined; // Its runs are no trials.
  if (figure === 'bytes') return trial.bytesDown + trial.bytesUp;
  if (figure === 'packets') return trial.packetsDown + trial.packetsUp;
  const { bytesReceived, lastByteMs, payloadBytes } = trial;
  if (figure === 'wireDownKbps') return bytesReceived && lastByteMs && (8 * bytesReceived) / lastByteMs;
  if (figure === 'overheadDownPercent')
    return bytesReceived && payloadBytes > 0 ? 100 * (bytesReceived / payloadBytes - 1) : undefined;
  return trial[figure];
}
