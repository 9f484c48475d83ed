import { gzipSync } from 'node:zlib';
import { lighthouseScoreOf } from '../measurement/lighthouse.ts';
import { titleOf } from '../model/condition-title.ts';
import { LabError } from '../model/errors.ts';
import type { StudyEnding } from '../model/event.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import type { MeasuredLink } from '../model/session.ts';
import type { Arm, Condition, Plan } from '../model/study.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import type { StoreReader } from '../store/reading.ts';
import { syncFiles } from '../system/sync-files.ts';
import { writePrivate } from '../system/write-whole.ts';
import { browserOf } from './block.ts';
import type { Lab } from './lab.ts';
import { openLinkOf, renewDead } from './lab-pool.ts';
import type { Labs } from './labs.ts';
import { endingNow, type LoopOptions } from './loop.ts';

/**
 * Has Lighthouse judge every arm in every condition as often as the plan says, but for what is done already: conditions
 * and arms in random order, after the blocks, since it takes its quarter of a minute each time and no verdict rests on
 * it. It comes as a first visitor.
 */
export async function runLighthouseTrials(plan: Plan, labs: Labs, options: LoopOptions): Promise<StudyEnding> {
  const { store, session, tell } = options;
  for (const { condition, arm, run } of missingTrials(plan, store)) {
    const ending = endingNow(options);
    if (ending) return ending;
    const trial = await judgeOrAgain(plan, labs, { condition, arm, run }, options);
    if (!trial) return 'stopped';
    store.addLighthouse(session, trial);
    const { score } = trial;
    const said = score.status === 'ok' ? { score: score.score } : { says: score.says };
    tell({ event: 'lighthouse', condition: condition.id, title: titleOf(condition, plan), arm: arm.name, ...said });
  }
  return 'finished';
}

/** Judges in a new lab where something of the one before has died; nothing where it was asked to stop meanwhile. */
async function judgeOrAgain(
  plan: Plan,
  labs: Labs,
  wanted: Wanted,
  options: LoopOptions,
): Promise<LighthouseTrial | undefined> {
  const { condition } = wanted;
  const { store, session } = options;
  const keepLink = (link: MeasuredLink) => store.addMeasuredLink(session, link);
  for (let died = 1; ; died += 1) {
    const lab = await labs.find(0);
    try {
      if (!(await openLinkOf(plan, lab, condition, { ...options, keepLink }))) return undefined;
      return await judge(lab, wanted, options.folder);
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      await renewDead(lab, condition, { ...options, died, error });
    }
  }
}

/** Whether Lighthouse still has something to judge. */
export function awaitsLighthouse(plan: Plan, store: StoreReader): boolean {
  return missingTrials(plan, store).length > 0;
}

function missingTrials(plan: Plan, store: StoreReader): readonly Wanted[] {
  const done = new Set(store.lighthouseTrials().map(nameOf));
  return trialsOf(plan).filter(
    ({ condition, arm, run }) => !done.has(nameOf({ condition: condition.id, arm: arm.name, run })),
  );
}

interface Wanted {
  readonly condition: Condition;
  readonly arm: Arm;
  readonly run: number;
}

function trialsOf({ lighthouse, seed, conditions, arms }: Plan): Wanted[] {
  return Array.from({ length: lighthouse }, (_, run) =>
    shuffled(conditions, seededRandom(seed, `lighthouse ${run}`)).flatMap((condition) =>
      shuffled(arms, seededRandom(seed, `lighthouse ${run} ${condition.id}`)).map((arm) => ({ condition, arm, run })),
    ),
  ).flat();
}

function nameOf({ condition, arm, run }: Pick<LighthouseTrial, 'condition' | 'arm' | 'run'>): string {
  return `${condition}|${arm}|${run}`;
}

/** Judges an arm in a condition; the report's name says which, as far as a file's name may. */
async function judge(lab: Lab, { condition, arm, run }: Wanted, folder: string): Promise<LighthouseTrial> {
  const { id, site, device, timeoutMs } = condition;
  const { protocol, congestion, server = condition.server } = arm;
  const load = {
    site,
    device,
    timeoutMs,
    protocol,
    visit: 'cold',
    server,
    congestion,
    browser: browserOf(arm),
  } as const;
  const capture = await lab.judge(load);
  const file = `lighthouse/${id.replaceAll(/[^\w.=-]+/g, '_')}-${arm.name}-${run + 1}.json.gz`;
  writePrivate(`${folder}/${file}`, gzipSync(capture.report));
  await syncFiles(folder, [file]);
  const score = lighthouseScoreOf(capture);
  return { condition: id, arm: arm.name, run, score };
}
