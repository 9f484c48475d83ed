import { wholeTrials } from '../comparison/records.ts';
import type { Comparison, Judgement } from '../model/comparison.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import { type Link, meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Paper, PaperArm, PaperFigure, PaperPlace } from '../model/paper.ts';
import type { Arm, Condition, Plan } from '../model/study.ts';
import { anytimeMedian } from '../stats/anytime-median.ts';
import { hodgesLehmann } from '../stats/signed-rank.ts';
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
}

export interface MeasuredSource extends Source {
  readonly spots: readonly OwnSpot[];
}

/** Our measurements as a paper's claims ask for them: those blocks that the study's verdicts rest on. */
export function measuredSource(paper: Paper, study: JudgedStudy): MeasuredSource {
  const { plan, judgement, comparisons } = study;
  const spots = plan.conditions.flatMap((condition) => spotsOf(condition, plan, paper));
  const blocks = new Map(judgement.conditions.map((each) => [each.condition, each.blocks]));
  const trialOf = indexTrials(study);
  const own = (spot: Spot) => spot as OwnSpot;
  return {
    spots,
    has: (arm) => spots.some(({ arms }) => arms.has(arm)),
    nameOf: (spot, arm) => own(spot).arms.get(arm),
    blocksOf: (spot) => blocks.get(own(spot).condition) ?? 0,
    valueOf(spot, arm, figure, block) {
      const name = own(spot).arms.get(arm);
      const trial = name === undefined ? undefined : trialOf(own(spot).condition, name, block);
      return trial && figureOf(trial, figure);
    },
    verdictOf(spot, arm, other) {
      const [name, against] = [own(spot).arms.get(arm), own(spot).arms.get(other)];
      const pair = comparisons.find(
        ({ condition, a, b }) =>
          condition === own(spot).condition && [a, b].every((each) => [name, against].includes(each)),
      );
      return pair && standingOf(pair, name!);
    },
    // The estimate of the study's own comparisons.
    estimate: (values, confidence) =>
      plan.stopping.kind === 'exactly' ? hodgesLehmann(values, confidence) : anytimeMedian(values, confidence),
  };
}

function standingOf({ a, verdict }: Comparison, arm: string): PairStanding {
  if (verdict === 'tie' || verdict === 'undecided') return verdict;
  return (verdict === 'a') === (a === arm) ? 'faster' : 'slower';
}

/** A condition with each of the servers that its arms have. */
function spotsOf(condition: Condition, plan: Plan, paper: Paper): OwnSpot[] {
  const { link, visit, tabs, site, device, id } = condition;
  if (visit !== 'cold' || device !== 'desktop' || !isPlain(link)) return [];
  const place: PaperPlace = {
    site,
    rateKbps: meanRateKbps(link.down.rate) ?? Number.POSITIVE_INFINITY,
    rttMs: rttMs(link),
    lossPercent: meanLossPercent(link.down.loss),
    ...(tabs !== undefined && { tabs }),
  };
  const { objects, bytes } = plan.sites[site]!;
  const arms = plan.arms.flatMap((arm) => {
    const stands = Object.entries(paper.arms).find(([, printed]) => standsFor(arm, printed));
    return stands ? [{ printed: stands[0], name: arm.name, server: arm.server ?? condition.server }] : [];
  });
  return [...Map.groupBy(arms, ({ server }) => server)].map(([server, own]) => ({
    place: { ...place, server },
    condition: id,
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

/** Finds trials by condition, arm and block. */
function indexTrials({ plan, measurements }: JudgedStudy) {
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
