import { expect, test } from '@jest/globals';
import { growthsOf, measureWorkers } from '../../harness/bench/workers.ts';
import { inPeace } from '../in-peace.ts';
import { startRedis } from '../workers/redis-server.ts';

test('the bench of workers, in short: three workers do about three times the blocks of one, and a block costs the coordinator little', async () => {
  // Live tests that run meanwhile may leave this one next to nothing of the processor.
  const text = await inPeace(async () => {
    await using redis = await startRedis();
    const said: string[] = [];
    await measureWorkers((line) => said.push(line), {
      url: redis.url,
      scaling: { workers: [1, 3], blockMs: 300, forMs: 6_000 },
      real: { workers: [], settleMs: 0, forMs: 0 },
      many: { workers: 5, blocks: 480 },
    });
    const [, share] = /^ +3 +\d+ +([\d.]+)$/m.exec(said.join('\n'))!;
    expect(Number(share)).toBeGreaterThan(0.7);
    return said.join('\n');
  });
  expect(text).toMatch(/^ +480 +\d+ +[\d.]+ +-?\d+ +\d+ +\d+$/m);
  expect(text).toMatch(/^a block late costs at most 1\.25 times one early: processor × [\d.]+, heap × /m);
}, 300_000);

test('a cost that grows with the number of blocks shows, whatever the first part and the end came to', () => {
  const part = (cost: number) => ({
    blocks: 1,
    seconds: 1,
    residentBytes: 1,
    cpuMsPerBlock: cost,
    heapBytesPerBlock: 100,
    storeBytesPerBlock: 100 * cost,
  });
  const costs = [50, 1, 1, 3, 3, 9, 3, 3, 5, 5, 90];
  expect(growthsOf(costs.map(part))).toEqual([
    { what: 'processor', growth: 2 },
    { what: 'heap', growth: 1 },
    { what: 'store', growth: 2 },
  ]);
});
