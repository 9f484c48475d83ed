import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { Summary } from '../../harness/report/summary.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { inPeace } from '../in-peace.ts';
import { labTest } from './lab.ts';
import { type Ended, measure } from './measure.ts';

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-study-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function trialsIn(out: string): string[] {
  using store = openStoreToRead(join(out, 'study.sqlite'));
  return store.measurements().map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
}

const SMALL = ['--site', 'few-small', '--link', 'rate=20mbit,rtt=20ms', '--seed', '5'];

labTest(
  'a small study ends with verdicts, a control that saw its delay, and a twin that it could not tell apart',
  async () => {
    const studies: (Ended & { readonly summary: Summary })[] = [];
    await inPeace(async () => {
      const out = mkdtempSync(join(folder, 'small-'));
      const ended = await measure([...SMALL, '--arms', 'h1,h3', '--blocks', '20', '--out', out]);
      if (ended.code !== 0) throw new Error(ended.complaint);
      const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
      studies.push({ ...ended, summary });
      // In a delay of a tenth that is hardly longer than what a busy machine adds by chance.
      expect(summary.controls.planted).toMatchObject({ found: true });
    });
    for (const { code, complaint, events, summary } of studies) {
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
      // Three round trips against four, and two more for the other connections.
      expect(summary.conditions[0]).toMatchObject({ winner: ['h3'], state: 'decided', arms: { h1: { failed: 0 } } });
      expect(summary.controls.aa).toMatchObject({ passed: true });
      expect(summary.loads).toMatchObject({ failed: 0, void: 0 });
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['began', 'calibrated', 'verdict', 'ended']),
      );
    }
  },
  300_000,
);

labTest(
  'killed three times and stopped once, a study goes on each time and is the study that it would have been',
  async () => {
    const out = join(folder, 'broken-off');
    const words = [...SMALL, '--exactly', '8', '--out', out];
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
    const trials = trialsIn(out);
    expect(new Set(trials).size).toBe(trials.length);
    expect(trials).toHaveLength(24);
    expect(told.size).toBe(8);
  },
  180_000,
);
