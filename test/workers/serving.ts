import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Machine } from '../../harness/model/session.ts';
import { readVersion } from '../../harness/system/version.ts';
import { connect } from '../../harness/workers/redis.ts';
import { serveStudies, type WorkerOptions } from '../../harness/workers/worker.ts';
import { type FakeLabOptions, openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';

export interface Serving extends Partial<Pick<WorkerOptions, 'trust' | 'labs' | 'print' | 'pausesMs'>> {
  readonly url: string;
  readonly name: string;
  readonly stop: AbortSignal;
  readonly machine?: Partial<Machine>;
  /** What a load takes in truth; what it says that it took is another thing. */
  readonly loadMs?: number;
  readonly lab?: Partial<FakeLabOptions>;
}

/** How soon a block is taken from a worker that is not heard of: sooner than outside of tests. */
const RECOVERY = { lockMs: 1_500, lookEveryMs: 500 };
const TIMES: Readonly<Record<string, number>> = { h1: 300, h2: 200, h3: 100 };

/** A worker whose labs have nothing behind them. */
export async function serve({ url, name, stop, machine, loadMs = 1, lab, ...more }: Serving): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'photofinish-worker-'));
  try {
    await using connection = await connect(url);
    await serveStudies({
      connection,
      stop,
      name,
      scratch,
      labs: more.labs ?? 1,
      trust: more.trust ?? false,
      recovery: RECOVERY,
      print: more.print ?? (() => {}),
      pausesMs: more.pausesMs,
      world: {
        readMachine: () => ({ ...MACHINE, photofinish: readVersion(), ...machine }),
        findSites: async () => [],
        openLab: async ({ nextLaunch }) =>
          openFakeLab({
            timeOf: ({ protocol, holdMs = 0 }) => TIMES[protocol]! * (1 + 0.01 * Math.random()) + (holdMs ?? 0),
            pace: () => setTimeout(loadMs),
            nextLaunch,
            ...lab,
          }).lab,
      },
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
