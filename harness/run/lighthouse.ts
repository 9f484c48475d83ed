import { gzipSync } from 'node:zlib';
import { lighthouseScoreOf } from '../measurement/lighthouse.ts';
import { titleOf } from '../model/condition-title.ts';
import type { StudyEnding } from '../model/event.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import type { MeasuredLink } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import type { StoreReader } from '../store/reading.ts';
import { syncFiles } from '../system/sync-files.ts';
import { writePrivate } from '../system/write-whole.ts';
import { browserOf } from './block.ts';
import { type LabPool, openLabPool } from './lab-pool.ts';
import type { Labs } from './labs.ts';
import { endingNow, type LoopOptions } from './loop.ts';

/**
 * Has Lighthouse judge every arm in every condition as often as the plan says, but for what is done already: conditions
 * and arms in random order, after the blocks, since it takes its quarter of a minute each time and no verdict rests on
 * it. It comes as a first visitor.
 */
export function runLighthouseTrials(plan: Plan, labs: Labs, options: LoopOptions): Promise<StudyEnding> {
  const { store, session, folder, stop } = options;
  const keepLink = (link: MeasuredLink) => store.addMeasuredLink(session, link);
  const shelf = { has: () => true, find: () => undefined, add() {} };
  const pool = openLabPool(plan, labs, { ...options, keepLink, shelf, onLoad() {} });
  return judgeMissing(plan, options, 1, async (wanted) => {
    while (!stop.aborted) {
      // Where something of a lab has died, in a new one.
      const trial = await judgeIn(pool, 0, { plan, wanted, folder });
      if (trial) return { session, trial };
    }
    return undefined;
  });
}

/** What Lighthouse is to judge. */
export type Wanted = Pick<LighthouseTrial, 'condition' | 'arm' | 'run'>;

/** Has some trials at once judged, until none is missing or nothing comes of one, and keeps them. */
export async function judgeMissing(
  plan: Plan,
  options: Pick<LoopOptions, 'store' | 'tell' | 'stop' | 'untilMs'>,
  atOnce: number,
  judge: (wanted: Wanted) => Promise<{ readonly session: number; readonly trial: LighthouseTrial } | undefined>,
): Promise<StudyEnding> {
  const { store, tell } = options;
  const left = missingTrials(plan, store).values();
  let ending: StudyEnding = 'finished';
  const judgeNext = async (): Promise<void> => {
    for (const wanted of left) {
      const now = endingNow(options);
      const judged = now ? undefined : await judge(wanted);
      if (!judged) {
        ending = now ?? endingNow(options) ?? 'stopped';
        return;
      }
      const { condition: id, arm, score } = judged.trial;
      store.addLighthouse(judged.session, judged.trial);
      const said = score.status === 'ok' ? { score: score.score } : { says: score.says };
      const title = titleOf(plan.conditions.find((each) => each.id === id)!, plan);
      tell({ event: 'lighthouse', condition: id, title, arm, ...said });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, judgeNext));
  return ending;
}

/** Whether Lighthouse still has something to judge. */
export function awaitsLighthouse(plan: Plan, store: StoreReader): boolean {
  return missingTrials(plan, store).length > 0;
}

function missingTrials(plan: Plan, store: StoreReader): readonly Wanted[] {
  const done = new Set(store.lighthouseTrials().map(nameOf));
  return trialsOf(plan).filter((each) => !done.has(nameOf(each)));
}

function trialsOf({ lighthouse, seed, conditions, arms }: Plan): Wanted[] {
  return Array.from({ length: lighthouse }, (_, run) =>
    shuffled(conditions, seededRandom(seed, `lighthouse ${run}`)).flatMap(({ id: condition }) =>
      shuffled(arms, seededRandom(seed, `lighthouse ${run} ${condition}`)).map(({ name }) => ({
        condition,
        arm: name,
        run,
      })),
    ),
  ).flat();
}

function nameOf({ condition, arm, run }: Wanted): string {
  return `${condition}|${arm}|${run}`;
}

/** The file of a report, whose name says of what it is, as far as a file's name may. */
export function lighthouseFile({ condition, arm, run }: Wanted): string {
  return `lighthouse/${condition.replaceAll(/[^\w.=-]+/g, '_')}-${arm}-${run + 1}.json.gz`;
}

/** Judges in a lab, and writes the report into the folder; nothing where it was asked to stop, or the lab had to be renewed. */
export function judgeIn(
  pool: Pick<LabPool, 'judge'>,
  number: number,
  { plan, wanted, folder }: { readonly plan: Plan; readonly wanted: Wanted; readonly folder: string },
): Promise<LighthouseTrial | undefined> {
  const condition = plan.conditions.find(({ id }) => id === wanted.condition)!;
  const arm = plan.arms.find(({ name }) => name === wanted.arm)!;
  const { site, device, timeoutMs } = condition;
  const { protocol, congestion, server = condition.server } = arm;
  const browser = browserOf(arm);
  return pool.judge(condition, number, async (lab) => {
    const load = { site, device, timeoutMs, protocol, visit: 'cold', server, congestion, browser } as const;
    const capture = await lab.judge(load);
    const file = lighthouseFile(wanted);
    writePrivate(`${folder}/${file}`, gzipSync(capture.report));
    await syncFiles(folder, [file]);
    return { ...wanted, score: lighthouseScoreOf(capture) };
  });
}
