import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from '@jest/globals';
import { lighthouseFile } from '../../../harness/run/lighthouse.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { start } from '../../../harness/system/process.ts';
import { inPeace } from '../../in-peace.ts';
import { startRedis } from '../../workers/redis-server.ts';
import { undisturbed } from '../figures.ts';
import { labTest } from '../lab.ts';
import { measure } from '../measure.ts';

const CLI = fileURLToPath(new URL('../../../harness/cli.ts', import.meta.url));
const { PHOTOFINISH_ENCLOSED: _, ...outside } = process.env;
// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-workers-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

labTest(
  'two workers with real labs run a study, with its evidence, calibrations, floors, films and trials of Lighthouse',
  async () => {
    await using redis = await startRedis();
    const startWorker = (name: string) =>
      start([process.execPath, CLI, 'worker', redis.url, '--name', name, '--labs', '1', '--beside'], { env: outside });
    await using _one = startWorker('one');
    await using _two = startWorker('two');
    const what = [
      '--site',
      'few-small',
      '--link',
      'rate=20mbit,rtt=60ms',
      '--exactly',
      '6',
      '--seed',
      '5',
      '--lighthouse',
      '1',
    ];
    // A worker whose lab is late, or its link not yet as it was asked, may find that the other has done it all.
    const out = await inPeace(async () => {
      const tried = mkdtempSync(join(folder, 'study-'));
      const { code, complaint } = await measure([...what, '--out', tried, '--workers', redis.url]);
      if (code !== 0 || complaint !== '') throw new Error(`${code}: ${complaint}`);
      using store = openStoreToRead(join(tried, 'study.sqlite'));
      const names = store.sessions().flatMap(({ machine }) => machine.worker ?? []);
      expect(names.toSorted()).toEqual(['one', 'two']);
      return tried;
    });
    using store = openStoreToRead(join(out, 'study.sqlite'));
    const trials = undisturbed(store.measurements());
    expect(new Set(trials.map(({ condition, block, arm }) => `${condition} ${block} ${arm}`)).size).toBe(18);
    const workers = store.sessions().filter(({ machine }) => machine.worker);
    for (const { number } of workers) {
      expect(store.measuredLinks().some(({ session, calibration }) => session === number && calibration.ok)).toBe(true);
      expect(store.referenceLoads().some(({ session, pltMs }) => session === number && pltMs !== undefined)).toBe(true);
    }
    const evidence = [...store.trials()].flatMap((trial) => trial.evidence);
    expect(evidence.length).toBeGreaterThanOrEqual(18);
    expect(evidence.filter((file) => !existsSync(join(out, file)))).toEqual([]);
    const [condition] = store.filmed();
    for (const arm of ['h1', 'h2', 'h3']) expect(store.filmOf(condition!, arm)!.frames.length).toBeGreaterThan(1);
    const judged = store.lighthouseTrials();
    expect(judged.map(({ arm, score }) => `${arm} ${score.status}`).toSorted()).toEqual(['h1 ok', 'h2 ok', 'h3 ok']);
    for (const trial of judged) expect(existsSync(join(out, lighthouseFile(trial)))).toBe(true);
  },
  240_000,
);
