import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { StudyEvent } from '../../../harness/model/event.ts';
import type { Measurement } from '../../../harness/model/measurement.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { undisturbed } from '../figures.ts';
import { labTest } from '../lab.ts';
import { measure } from '../measure.ts';

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-killed-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function measurementsIn(out: string): readonly Measurement[] {
  using store = openStoreToRead(join(out, 'study.sqlite'));
  return store.measurements();
}

labTest(
  'killed three times and stopped once, a study goes on each time and is the study that it would have been',
  async () => {
    const out = join(folder, 'study');
    const words = [
      '--site',
      'few-small',
      '--link',
      'rate=20mbit,rtt=20ms',
      '--seed',
      '5',
      '--exactly',
      '8',
      '--out',
      out,
    ];
    const told = new Set<number>();
    const after = (blocks: number, signal: NodeJS.Signals) => {
      let heard = 0;
      return (event: StudyEvent, pid: number) => {
        if (event.event !== 'block') return;
        told.add(event.serial);
        heard += 1;
        // Somewhere in the next block.
        if (heard === blocks) setTimeout(() => process.kill(pid, signal), 100 * (blocks - 1));
      };
    };
    for (const blocks of [1, 2, 1]) expect((await measure(words, after(blocks, 'SIGKILL'))).code).toBe('SIGKILL');
    const stopped = await measure(['--out', out], after(1, 'SIGINT'));
    expect([stopped.code, stopped.events.at(-1)]).toEqual([4, expect.objectContaining({ ending: 'stopped' })]);
    const whole = await measure(['--out', out], after(Number.POSITIVE_INFINITY, 'SIGKILL'));
    expect([whole.code, whole.complaint]).toEqual([0, '']);
    const measurements = measurementsIn(out);
    const trials = undisturbed(measurements).map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
    expect(new Set(trials).size).toBe(trials.length);
    expect(trials).toHaveLength(24);
    expect(told.size).toBe(measurements.length / 3);
  },
  180_000,
);
