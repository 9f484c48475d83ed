import { expect, test } from '@jest/globals';
import { parseCores, watchHost } from '../../harness/system/host-load.ts';
import { inPeace } from '../in-peace.ts';

test('ticks of each core: idle or waiting, and all, guests counted once', () => {
  const text = 'cpu  30 0 10 200 4 0 2 1 5 0\ncpu0 10 1 5 100 2 0 1 0 5 0\ncpu1 20 0 5 100 2 0 1 1 0 0\nintr 1\n';
  expect(parseCores(text)).toEqual([
    { idle: 102, stolen: 0, all: 119 },
    { idle: 102, stolen: 1, all: 129 },
  ]);
});

test('a core that computes is seen to be busy', async () => {
  await inPeace(async () => {
    const look = watchHost();
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
    const { cores, stalledShare, stolenShare } = look();
    expect(Math.max(...cores)).toBeGreaterThan(0.7);
    for (const share of cores) expect(share).toBeLessThanOrEqual(1);
    expect(stolenShare).toBeGreaterThanOrEqual(0);
    expect(stolenShare).toBeLessThan(0.5);
    if (stalledShare !== undefined) expect(stalledShare).toBeLessThanOrEqual(1);
  });
}, 90_000);
