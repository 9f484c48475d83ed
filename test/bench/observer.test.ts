import { expect, test } from '@jest/globals';
import { describeRows } from '../../harness/bench/observer.ts';

const row = (estimate: number, low: number, high: number) => ({
  site: 's',
  link: 'l',
  loadsMs: [100],
  bareMs: [100],
  ratio: { estimate, low, high },
});

test.each([
  ['all are light', [row(1, 0.98, 1.02), row(1.01, 0.99, 1.03)], true],
  ['one is above what is asked by what may be chance', [row(0.99, 0.97, 1.01), row(1.04, 0.97, 1.1)], true],
  ['one is proven to be heavier', [row(0.99, 0.97, 1.01), row(1.03, 1.01, 1.05)], false],
  ['one is heavier, and less so than is allowed', [row(1.015, 1.005, 1.02)], true],
  ['each may be heavier by chance, and all together are', [row(1.03, 0.97, 1.08), row(1.05, 0.98, 1.1)], false],
])('%s: %#', (_, rows, holds) => {
  expect(describeRows(rows).holds).toBe(holds);
});
