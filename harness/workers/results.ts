import { join } from 'node:path';
import type { Job } from 'bullmq';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import { type BlockOrder, evidenceName } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import type { BlockResult, Brought } from '../run/block-runner.ts';
import type { TakenFilms } from '../run/films.ts';
import { lighthouseFile } from '../run/lighthouse.ts';
import { unpack } from '../store/json.ts';
import { syncFiles } from '../system/sync-files.ts';
import { writePrivate } from '../system/write-whole.ts';
import { takeBlob } from './blobs.ts';
import {
  FILMS,
  JUDGEMENT,
  type Order,
  REPORT,
  RETURNED,
  type Report,
  readMessage,
  type WorkerMachine,
} from './messages.ts';
import type { ReadResult } from './orders.ts';
import type { Connection } from './redis.ts';

/** What became of an order. */
export type Result =
  | BlockResult
  | (Brought & { readonly taken: TakenFilms })
  | (Brought & { readonly trial: LighthouseTrial });

interface ResultsOptions {
  readonly plan: Plan;
  readonly connection: Connection;
  /** The study's own, where evidence goes. */
  readonly folder: string;
  /** The session of a worker in the study. */
  readonly sessionOf: (worker: string, machine: WorkerMachine) => number;
}

/** Reads what workers return, puts their evidence into the study's folder, and refuses what is not of the order. */
export function openResults({ connection, folder, plan, sessionOf }: ResultsOptions): ReadResult {
  const { redis } = connection;
  return async (job: Job, order: Order) => {
    const returned = readMessage(RETURNED, job.returnvalue, 'what a worker returned');
    const report = unpack(await takeBlob(redis, returned.report));
    const { own, files, ...brought } = readReport(report, order, plan, returned.machine);
    for (const { name, blob } of files) writePrivate(join(folder, name), await takeBlob(redis, blob));
    // After the last of them is written.
    await syncFiles(
      folder,
      files.map(({ name }) => name),
    );
    const result = { session: sessionOf(returned.worker, returned.machine), ...brought, ...own } as unknown as Result;
    return { result, blobs: [returned.report, ...files.map(({ blob }) => blob)] };
  };
}

/** Reads a report; throws where it is not of what was ordered. */
function readReport(report: unknown, order: Order, plan: Plan, { worker: machine }: WorkerMachine) {
  if ('block' in order) {
    assertReport(report);
    assertReportOf(report, order);
    const { beganMs, warmUps, trials: told, disturbed, ...rest } = report;
    const trials = told.map((trial) => ({ ...trial, measurement: { ...trial.measurement, machine } }));
    const { serial, block } = order;
    return { own: { finished: { serial, block, beganMs, trials, disturbed }, warmUps }, ...rest };
  }
  if ('film' in order) {
    const { films, tookMs, ...rest } = readMessage(FILMS, report, 'what was filmed');
    const taken = { films: new Map(Object.entries(films)), tookMs };
    const isKnown = [...taken.films.keys()].every((arm) => plan.arms.some(({ name }) => name === arm));
    if (!isKnown || rest.files.length > 0) throw new Error('it is of other arms');
    return { own: { taken }, ...rest };
  }
  const { score, ...rest } = readMessage(JUDGEMENT, report, 'what Lighthouse said');
  if (!rest.files.every(({ name }) => name === lighthouseFile(order.judge)))
    throw new Error('its report is not its own');
  return { own: { trial: { ...order.judge, score } }, ...rest };
}

/** What was held to the schema is kept as JSON has made it: a copy of it would be three times as large in memory. */
function assertReport(value: unknown): asserts value is Report {
  readMessage(REPORT, value, 'the report of a block');
}

/** Refuses a report that is of another block than was ordered, or whose files are not its own. */
function assertReportOf({ trials, files, disturbed = [] }: Report, { block, serial }: BlockOrder): void {
  const isOwn = trials.every(
    ({ measurement }, place) =>
      measurement.condition === block.condition &&
      measurement.block === block.index &&
      measurement.arm === block.order[place],
  );
  const isWhole = trials.length === block.order.length && disturbed.every(({ arm }) => block.order.includes(arm));
  if (!isOwn || !isWhole) throw new Error('it is of another block');
  const names = files.map(({ name }) => name);
  const isNamed = (name: string) => name.split('/')[1]!.startsWith(evidenceName(serial, '')) && names.includes(name);
  if (!names.every(isNamed) || !trials.every(({ evidence }) => evidence.every(isNamed)))
    throw new Error('its evidence is not its own');
}
