import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { Summary } from '../../harness/findings/summary.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { inPeace } from '../in-peace.ts';
import { undisturbed } from './figures.ts';
import { labTest } from './lab.ts';
import { type Ended, measure } from './measure.ts';

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-study-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Loads take long enough for a tenth to be more than what a busy machine adds by chance.
const SMALL = ['--site', 'few-small', '--link', 'rate=20mbit,rtt=80ms', '--seed', '5'];

labTest(
  'a small study ends with a settled answer, a control that saw its delay, and a twin that it could not tell apart',
  async () => {
    const studies: (Ended & { readonly summary: Summary })[] = [];
    const made: (readonly Measurement[])[] = [];
    await inPeace(async () => {
      const out = mkdtempSync(join(folder, 'small-'));
      const ended = await measure([...SMALL, '--arms', 'h1,h3', '--blocks', '60', '--out', out]);
      if (ended.code !== 0) throw new Error(ended.complaint);
      const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
      using store = openStoreToRead(join(out, 'study.sqlite'));
      made.push(store.measurements());
      studies.push({ ...ended, summary });
      // An arm is told from its twin by chance, though in no more than one study of twenty.
      expect(summary.controls).toMatchObject({ planted: { found: true }, aa: { passed: true } });
    });
    for (const measurements of made) undisturbed(measurements);
    for (const { code, complaint, events, summary } of studies) {
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
      // Three round trips against four, and two more for the other connections.
      expect(summary.conditions[0]).toMatchObject({
        state: 'settled',
        answer: { serve: 'h3', asGood: [], settled: true },
        arms: { h1: { failed: 0 } },
      });
      expect(summary.loads.failed).toBe(0);
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['began', 'calibrated', 'answer', 'closed', 'ended']),
      );
    }
  },
  300_000,
);
