import { join } from 'node:path';
import { RULES } from '../comparison/rules.ts';
import { UNLIMITED } from '../model/link.ts';
import type { Study } from '../model/study.ts';
import { measurementsOf, runBlock } from '../run/block.ts';
import { openLab } from '../run/lab.ts';
import { readMachine } from '../run/machine.ts';
import { factsOf, findSite } from '../run/sites.ts';
import { median, percentile } from '../stats/order.ts';
import { openStore, STORE_FILE } from '../store/store.ts';
import { planStudy } from '../study/plan.ts';
import { openBenchFolder } from './folder.ts';

const BLOCKS = 34;
const SITE = 'few-small';
const ARMS = ['h1', 'h2', 'h3'] as const;
/** What a trial may cost beyond its page load, at the median. */
const OVERHEAD_MS_MAX = 200;

/** `photofinish bench overhead`: what a trial costs beyond its page load, as JSON; 1 where that is too much. */
export async function benchOverhead(print: (line: string) => void): Promise<number> {
  using folder = openBenchFolder('overhead');
  const trials = await measureTrials(folder.path);
  const overheads = trials.map(({ allMs, pltMs }) => allMs - pltMs);
  const round = (ms: number) => Number(ms.toFixed(1));
  const overheadMsMedian = round(median(overheads));
  print(
    JSON.stringify({
      ...{ bench: 'overhead', site: SITE, link: UNLIMITED.name, loads: trials.length },
      ...{ overheadMsMedian, overheadMsP95: round(percentile(overheads, 0.95)) },
      archiveAndJudgeMsMedian: round(median(trials.map(({ allMs, trialMs }) => allMs - trialMs))),
      pltMsMedian: round(median(trials.map(({ pltMs }) => pltMs))),
    }),
  );
  return overheadMsMedian <= OVERHEAD_MS_MAX ? 0 : 1;
}

interface TimedTrial {
  /** With everything: archive, proofs, and its part of writing the block down. */
  readonly allMs: number;
  /** From the first call for the load to the last. */
  readonly trialMs: number;
  readonly pltMs: number;
}

/** Whole blocks as a study runs them, each stored; of each trial an equal part of what its block took. */
async function measureTrials(folder: string): Promise<TimedTrial[]> {
  const site = findSite(SITE);
  const plan = planStudy(STUDY, () => factsOf(site));
  using store = openStore(join(folder, STORE_FILE));
  store.writeStudy({ study: STUDY, plan });
  const session = store.beginSession(readMachine(), Date.now(), []);
  await using lab = await openLab({ sites: [site] });
  await lab.setLink(UNLIMITED);
  await lab.relaunch();
  const trials: TimedTrial[] = [];
  for (let index = 0; index < BLOCKS; index += 1) {
    const beganMs = performance.now();
    const block = { condition: plan.conditions[0]!.id, index, order: ARMS };
    const finished = await runBlock(plan, lab, { block, serial: index + 1, folder });
    store.addBlock(session, finished);
    const tookMs = performance.now() - beganMs;
    const loads = measurementsOf(finished).map((measured) => {
      if (measured.status !== 'ok') throw new Error(`block ${index}: ${measured.reason}: ${measured.says}`);
      return { trialMs: measured.pltMs + measured.overheadMs, pltMs: measured.pltMs };
    });
    const beside = (tookMs - loads.reduce((sum, { trialMs }) => sum + trialMs, 0)) / loads.length;
    trials.push(...loads.map((load) => ({ ...load, allMs: load.trialMs + beside })));
  }
  return trials;
}

const STUDY: Study = {
  name: 'overhead',
  grids: [{ sites: [SITE], links: [UNLIMITED], servers: ['nginx'], visits: ['cold'] }],
  arms: ARMS.map((protocol) => ({ name: protocol, protocol })),
  ...{ device: 'desktop', rule: RULES.default, metric: 'plt', lighthouse: 0, seed: 1 },
  stopping: { kind: 'exactly', blocks: BLOCKS },
  served: 'h2',
};
