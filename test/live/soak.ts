/*
 * `npm run test:soak -- [LOADS] [HOURS]`: measures a study of 5,000 loads, or as many as that, for two hours at most, and
 * looks every minute, or fifty times in all, at whether memory, open files, processes, namespaces and temporary files stay as
 * they are. Writes what it saw and a picture of it to `reports/out/soak`, and ends with 1 where something grows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import { furnishEnclosure, isEnclosed, runEnclosed } from '../../harness/system/enclosure.ts';
import type { Argv } from '../../harness/system/process.ts';
import { PROJECT } from '../../harness/system/tools.ts';
import { coursesOf, renderCsv, renderPlot } from './soak/flatness.ts';
import { FIGURES, type Sample, takeSample } from './soak/samples.ts';

const ARMS = 3;
const SAMPLES = 50;
const TO = `${PROJECT}reports/out/soak`;

async function soak(loads: number, hours: number): Promise<number> {
  mkdirSync(TO, { recursive: true });
  const out = mkdtempSync(join(TO, 'study-'));
  const samples: Sample[] = [];
  const beganMs = performance.now();
  let [measured, bad, sampledMs] = [0, 0, Number.NEGATIVE_INFINITY];
  const everyMs = Math.min(60_000, (3_600_000 * hours) / SAMPLES);
  const write = (text: string) => {
    const event = JSON.parse(text) as StudyEvent;
    if (event.event !== 'block') return;
    measured += event.trials.length;
    bad += event.trials.filter(({ status }) => status !== 'ok').length;
    const nowMs = performance.now();
    if (nowMs - sampledMs < everyMs) return;
    sampledMs = nowMs;
    samples.push(takeSample({ loads: measured, minutes: (nowMs - beganMs) / 60_000 }));
    print(`${measured} loads, ${bad} of them not good; ${JSON.stringify(samples.at(-1))}`);
  };
  try {
    const asked = { site: ['few-small'], link: ['fibre'], exactly: `${Math.ceil(loads / ARMS)}`, seed: '7', out };
    const request = parseMeasure({ ...asked, budget: `${Math.max(0.1, 60 * hours)}` });
    await measure({ ...request, json: true, labs: 1, beside: true }, { write });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  const minutes = Math.round((performance.now() - beganMs) / 60_000);
  const courses = coursesOf(samples);
  for (const { figure, middle, end, isFlat } of courses)
    print(
      `${isFlat ? 'flat ' : 'GROWS'} ${FIGURES[figure]}: ${middle.toFixed(1)} in the middle, ${end.toFixed(1)} at the end`,
    );
  const title = `${measured} loads in ${minutes} minutes, ${bad} of them not good`;
  writeFileSync(`${TO}/soak.csv`, renderCsv(samples));
  writeFileSync(`${TO}/soak.svg`, renderPlot(samples, title));
  print(`${title}; ${TO}/soak.csv, ${TO}/soak.svg`);
  return courses.every(({ isFlat }) => isFlat) ? 0 : 1;
}

function print(line: string): void {
  writeFileSync(1, `${line}\n`);
}

if (isEnclosed()) {
  await furnishEnclosure();
  const [loads = '5000', hours = '2'] = process.argv.slice(2);
  process.exit(await soak(Number(loads), Number(hours)));
}
const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
process.exitCode = await runEnclosed(own as unknown as Argv);
