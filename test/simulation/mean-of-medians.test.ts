import { afterAll, expect, jest, test } from '@jest/globals';
import type { Coverage } from './mean-of-medians.ts';
import { natively } from './natively.ts';

jest.setTimeout(60_000);

const seen: string[] = [];
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n`);
});
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

async function coverage(...args: readonly [string, number, number]): Promise<Coverage> {
  const found = await natively<Coverage>('./mean-of-medians.ts', 'coverageOfMean', ...args, 200);
  const [stopping, conditions, ratio] = args;
  seen.push(
    `the mean of medians covers ${percent(found.covered)} (resampling ${percent(found.bootstrap)}), ${percent(found.meanWidth)} wide: ${stopping}, ${conditions} conditions, ratio ${ratio}`,
  );
  return found;
}

test.each([
  ['fixed', 1, 0.9, 0.12],
  ['fixed', 6, 0.9, 0.07],
  ['stopped', 1, 0.85, 0.13],
  ['stopped', 6, 0.6, 0.22],
  ['stopped', 6, 0.85, 0.1],
  ['stopped', 15, 0.85, 0.09],
] as const)(
  '%s: over %i conditions of ratio %d the interval covers 95 %%, and is no wider than %d on average',
  async (stopping, conditions, ratio, most) => {
    const { covered, bounded, meanWidth } = await coverage(stopping, conditions, ratio);
    // 200 studies of which 95 % are covered have 93 % or more with a chance of nine in ten.
    expect(covered).toBeGreaterThanOrEqual(0.93);
    expect(bounded).toBe(1);
    expect(meanWidth).toBeLessThan(most);
  },
);

test('resampling, which knows nothing of the stop, covers less than it says', async () => {
  expect((await coverage('stopped', 1, 0.84)).bootstrap).toBeLessThan(0.93);
});
