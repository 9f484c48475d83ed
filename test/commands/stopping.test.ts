import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import { EXIT } from '../../harness/model/exit-code.ts';
import { requestStop } from '../../harness/system/stop.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';

const scratch = mkdtempSync(join(tmpdir(), 'photofinish-stopping-'));
afterAll(() => rmSync(scratch, { recursive: true }));

test('who asks a study to stop is told at once that it will, once, and has a report of what was loaded', async () => {
  const out = join(scratch, 'study');
  const said: string[] = [];
  let saidAtOnce: readonly string[] = [];
  let loads = 0;
  const request = parseMeasure({ site: ['few-small'], link: ['fibre'], exactly: '9', seed: '3', out });
  const code = await measure(
    request,
    { write: (text: string) => said.push(text) },
    {
      readMachine: () => MACHINE,
      openLab: async () =>
        openFakeLab({
          timeOf: () => 100,
          async pace() {
            loads += 1;
            if (loads !== 12) return;
            requestStop();
            saidAtOnce = [...said];
          },
        }).lab,
    },
  );
  const stops = /Photofinish stops once what is under way has ended/;
  expect(code).toBe(EXIT.stopped);
  expect(saidAtOnce.at(-1)).toMatch(stops);
  expect(said.filter((text) => stops.test(text))).toHaveLength(1);
  expect(said.join('')).toMatch(/^Report: .*report\.html$/m);
});
