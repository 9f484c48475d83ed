import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { Summary } from '../../harness/findings/summary.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { undisturbed } from './figures.ts';
import { measure } from './measure.ts';

/*
 * The short form of every study that repeats a paper, with fewer blocks: that all of it runs, that the proofs hold, and
 * that physics does. A file for each, so that those that wait for slow links run side by side.
 */

const folder = mkdtempSync('/var/tmp/photofinish-presets-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A segment of TCP with all its headers, down to Ethernet's. */
export const FULL_FRAME_BYTES = 1_514;

export interface Load extends Extract<Measurement, { status: 'ok' }> {
  /** Bytes of the frames that reached the server's interface, which lack those that the link lost. */
  readonly arrivedUp: number;
}

export interface Repeated {
  readonly summary: Summary;
  readonly loads: readonly Load[];
  /** The median of a figure over one arm’s loads, in the conditions whose names contain `among`. */
  readonly median: (figure: keyof Load, arm: string, among?: string) => number;
  readonly mean: (figure: keyof Load, arm: string) => number;
}

/** A block that was run again has the name of the one that it replaces, whose loads do not count. */
function nameOf({ condition, block, arm }: Measurement): string {
  return `${condition} ${block} ${arm}`;
}

/** Runs the short form of a study with a given number of blocks of each condition. */
export async function repeat(study: string, blocks: number): Promise<Repeated> {
  const out = mkdtempSync(join(folder, `${study}-`));
  const words = ['--study', study, '--quick', '--exactly', `${blocks}`, '--seed', '11', '--out', out];
  const { code, complaint, events } = await measure(words);
  // Where it dies, what was told last says what it was at.
  expect({ code, complaint, last: events.at(-1)?.event }).toEqual({ code: 0, complaint: '', last: 'ended' });
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  using store = openStoreToRead(join(out, 'study.sqlite'));
  const trials = new Map([...store.trials()].map(({ id, measurement }) => [nameOf(measurement), id]));
  const loads = undisturbed(store.measurements())
    .filter((each) => each.status === 'ok')
    .map((each) => ({
      ...each,
      arrivedUp: store.captureOf(trials.get(nameOf(each))!).wire!.server.received.bytes,
    }));
  const valuesOf = (figure: keyof Load, arm: string, among = '') =>
    loads
      .filter((each) => each.arm === arm && each.condition.includes(among))
      .map((each) => each[figure] as number)
      .toSorted((a, b) => a - b);
  return {
    summary,
    loads,
    median(...which) {
      const values = valuesOf(...which);
      return values[Math.floor(values.length / 2)] ?? Number.NaN;
    },
    mean(...which) {
      const values = valuesOf(...which);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    },
  };
}
