import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { calibrate, parseCalibrate } from '../../harness/commands/calibrate.ts';
import { measure, parseMeasure, type World } from '../../harness/commands/measure.ts';
import { parseRecord, record } from '../../harness/commands/record.ts';
import { EXIT } from '../../harness/model/exit-code.ts';
import { requestStop } from '../../harness/system/stop.ts';
import type { TurnOptions } from '../../harness/system/turn.ts';

/* A process that was asked to stop stays so: from the first test on, this one was. */

const out = join(tmpdir(), `photofinish-stopped-${process.pid}`);
const said: string[] = [];
const owns: TurnOptions['own'][] = [];
afterEach(() => {
  expect(existsSync(out)).toBe(false);
  for (const each of [said, owns]) each.splice(0);
});

/** Another has the turn: a command that asks for it has to wait, and is asked to stop meanwhile. */
async function takeTurn({ own, waits }: TurnOptions): Promise<undefined> {
  owns.push(own);
  waits({ study: 'today', out: '/elsewhere' });
  requestStop();
}

const WAITS =
  'Photofinish is at work on this machine: today, in /elsewhere. This begins once that has ended; --beside begins at once.';

function measurePage(more: Pick<World, 'takeTurn'>): Promise<number> {
  const request = parseMeasure({ site: ['https://shop.example/'], link: ['4g'], out });
  const never = () => {
    throw new Error('nothing is measured');
  };
  return measure(request, { write: (text) => said.push(text) }, { ...more, openLab: never, readMachine: never });
}

test('a study waits for its turn before it looks at a page, and one that is stopped then has begun nothing', async () => {
  expect(await measurePage({ takeTurn })).toBe(EXIT.stopped);
  expect([owns, said]).toEqual([[{ study: 'custom', out }], [`${WAITS}\n`]]);
});

test('one that is stopped while it looks at a page ends so too', async () => {
  expect(await measurePage({})).toBe(EXIT.stopped);
  expect(said).toEqual([]);
});

test('a page is recorded, and links are measured, in a turn as a study is', async () => {
  const print = (line: string) => void said.push(line);
  expect(await record(parseRecord({}, ['https://shop.example/', 'mine'], out), print, takeTurn)).toBe(EXIT.stopped);
  expect(await calibrate(parseCalibrate({}), print, takeTurn)).toBe(EXIT.stopped);
  const [recording, calibration] = [
    { study: 'record mine', out: join(out, 'mine') },
    { study: 'calibrate', out: process.cwd() },
  ];
  expect([owns, said]).toEqual([
    [recording, calibration],
    [WAITS, WAITS],
  ]);
});
