import { join } from 'node:path';
import type { Job } from 'bullmq';
import {
  type BlockOrder,
  evidenceName,
  type FinishedTrial,
  type MeasuredLink,
  type ReferenceLoad,
} from '../model/session.ts';
import type { BlockResult } from '../run/block-runner.ts';
import { unpack } from '../store/json.ts';
import { syncFiles } from '../system/sync-files.ts';
import { writePrivate } from '../system/write-whole.ts';
import { takeBlob } from './blobs.ts';
import { REPORT, RETURNED, type Report, readMessage, type WorkerMachine } from './messages.ts';
import type { ReadResult } from './orders.ts';
import type { Connection } from './redis.ts';

interface ResultsOptions {
  readonly connection: Connection;
  /** The study's own, where evidence goes. */
  readonly folder: string;
  /** The session of a worker in the study. */
  readonly sessionOf: (worker: string, machine: WorkerMachine) => number;
}

/** Reads what workers return, puts their evidence into the study's folder, and refuses what is not of the block. */
export function openResults({ connection, folder, sessionOf }: ResultsOptions): ReadResult {
  const { redis } = connection;
  return async (job: Job, order: BlockOrder) => {
    const returned = readMessage(RETURNED, job.returnvalue, 'what a worker returned');
    const report: unknown = unpack(await takeBlob(redis, returned.report));
    assertReport(report);
    assertReportOf(report, order);
    for (const { name, blob } of report.files) writePrivate(join(folder, name), await takeBlob(redis, blob));
    const { worker: machine } = returned.machine;
    const trials = (report.trials as unknown as readonly FinishedTrial[]).map(
      (trial): FinishedTrial => ({ ...trial, measurement: { ...trial.measurement, machine } }),
    );
    // After the last of them is written.
    await syncFiles(
      folder,
      trials.flatMap(({ evidence }) => evidence),
    );
    const result: BlockResult = {
      session: sessionOf(returned.worker, returned.machine),
      finished: { serial: order.serial, block: order.block, beganMs: report.beganMs, trials },
      warmUps: report.warmUps as unknown as BlockResult['warmUps'],
      references: report.references as unknown as readonly ReferenceLoad[],
      links: report.links as unknown as readonly MeasuredLink[],
    };
    return { result, blobs: [returned.report, ...report.files.map(({ blob }) => blob)] };
  };
}

/** What was held to the schema is kept as JSON has made it: a copy of it would be three times as large in memory. */
function assertReport(value: unknown): asserts value is Report {
  readMessage(REPORT, value, 'the report of a block');
}

/** Refuses a report that is of another block than was ordered, or whose files are not its own. */
function assertReportOf({ trials, files }: Report, { block, serial }: BlockOrder): void {
  const isOwn = trials.every(
    ({ measurement }, place) =>
      measurement.condition === block.condition &&
      measurement.block === block.index &&
      measurement.arm === block.order[place],
  );
  if (!isOwn || trials.length !== block.order.length) throw new Error('it is of another block');
  const names = files.map(({ name }) => name);
  const isNamed = (name: string) => name.split('/')[1]!.startsWith(evidenceName(serial, '')) && names.includes(name);
  if (!names.every(isNamed) || !trials.every(({ evidence }) => evidence.every(isNamed)))
    throw new Error('its evidence is not its own');
}
