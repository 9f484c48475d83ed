import { gzipSync } from 'node:zlib';
import { originFor } from '../model/arm.ts';
import type { Plan } from '../model/study.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import { writeWhole } from '../system/write-whole.ts';
import { type LighthouseScore, lighthouseScoreOf } from '../verdict/lighthouse.ts';
import type { Rig } from './rig.ts';

/** What Lighthouse said of an arm in a condition, once. */
export interface LighthouseTrial {
  readonly condition: string;
  readonly arm: string;
  /** From 0. */
  readonly run: number;
  readonly score: LighthouseScore;
}

export interface LighthouseOptions {
  /** The study's own, where each report goes. */
  readonly folder: string;
  readonly stop: AbortSignal;
  readonly judged: (trial: LighthouseTrial) => void;
}

/**
 * Has Lighthouse judge every arm in every condition as often as the plan says: conditions and arms in random order, after
 * the blocks, since it takes its quarter of a minute each time and no verdict rests on it. It comes as a first visitor.
 */
export async function runLighthouseTrials(
  plan: Plan,
  rig: Rig,
  { scores }: { readonly scores: LighthouseTrial[] },
  { folder, stop, judged }: LighthouseOptions,
): Promise<void> {
  for (let run = 0; run < plan.lighthouse; run += 1)
    for (const { id, link, ...condition } of shuffled(plan.conditions, seededRandom(plan.seed, `lighthouse ${run}`)))
      for (const { name, protocol } of shuffled(plan.arms, seededRandom(plan.seed, `lighthouse ${run} ${id}`))) {
        if (stop.aborted) return;
        await rig.openLink(link);
        const capture = await rig.judge({ ...condition, visit: 'cold', protocol });
        const number = `${scores.length + 1}`.padStart(5, '0');
        writeWhole(`${folder}/lighthouse/${number}-${name}.json.gz`, gzipSync(capture.report));
        const score = lighthouseScoreOf(originFor(protocol, 'cold'), capture);
        const trial: LighthouseTrial = { condition: id, arm: name, run, score };
        scores.push(trial);
        judged(trial);
      }
}
