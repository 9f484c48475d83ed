/*
 * `node workers-job.ts REDIS_URL WORKERS BLOCK_MS`: workers in one process whose rigs are false: a block takes BLOCK_MS
 * and is not loaded. All else is as in the command. It ends by a signal.
 */
import { setTimeout } from 'node:timers/promises';
import type { Lab } from '../run/lab.ts';
import type { openLabPool } from '../run/lab-pool.ts';
import { seededRandom } from '../stats/random.ts';
import { stopRequested } from '../system/stop.ts';
import { readVersion } from '../system/version.ts';
import { connect } from '../workers/redis.ts';
import { serveStudies } from '../workers/worker.ts';
import { generatedBlock } from './generated-study.ts';

const [url, workers, blockMs] = process.argv.slice(2) as [string, string, string];

async function work(number: number): Promise<void> {
  const random = seededRandom(number, 'bench workers');
  const openFalsePool: typeof openLabPool = (_, labs) => ({
    links: new Map(),
    leavesRoom: () => true,
    isFull: () => false,
    changed: () => new Promise(() => {}),
    async run(order) {
      await labs.find(0);
      if (Number(blockMs) > 0) await setTimeout(Number(blockMs));
      return { finished: generatedBlock(order, nextLaunch(), random), warmUps: [] };
    },
    film: async () => true,
    judge: async () => undefined,
  });
  let nextLaunch = () => 1;
  await using connection = await connect(url);
  await serveStudies({
    connection,
    stop: stopRequested(),
    scratch: '/tmp',
    labs: 1,
    name: `worker-${number}`,
    trust: false,
    print: () => {},
    world: {
      readMachine: () => ({
        photofinish: readVersion(),
        chromium: '0',
        servers: {},
        kernel: '0',
        cpu: 'none',
        cores: 1,
        memoryBytes: 0,
        packages: [],
      }),
      findSites: async () => [],
      openLabPool: openFalsePool,
      async openLab(options) {
        nextLaunch = options.nextLaunch ?? nextLaunch;
        return FALSE_LAB;
      },
    },
  });
}

/** What a worker asks of a lab before it takes part. */
const FALSE_LAB = {
  describe: async () => ({ driver: 'false', kernel: 'none' }),
  async [Symbol.asyncDispose]() {},
} as unknown as Lab;

await Promise.all(Array.from({ length: Number(workers) }, (_, number) => work(number)));
