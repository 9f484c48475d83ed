import { afterAll, describe, expect, test } from '@jest/globals';
import { NOISES } from './coverage.ts';
import { natively } from './natively.ts';

const noises = Object.keys(NOISES);
const seen: string[] = [];
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n`);
});

async function coverage(call: string, ...args: readonly unknown[]): Promise<number> {
  const share = await natively<number>('./coverage.ts', call, ...args);
  seen.push(`coverage ${(100 * share).toFixed(1)} %: ${call} ${args.join(', ')}`);
  return share;
}

describe.each(noises)('%s', (noise) => {
  test.each([20, 60])('the interval of Hodges and Lehmann covers 94 to 97 %% with %i blocks', async (blocks) => {
    const share = await coverage('coverageOfHodgesLehmann', noise, blocks, 8000);
    expect(share).toBeGreaterThanOrEqual(0.94);
    expect(share).toBeLessThanOrEqual(0.97);
  });

  test.each([0.9, 0.97, 1])('the interval of the median covers at least 95 %% at the stop, ratio %d', async (ratio) => {
    expect(await coverage('coverageAtStop', noise, ratio, 1000)).toBeGreaterThanOrEqual(0.95);
  });
});

test('the interval of the median covers at least 95 % even where every one of 200 blocks is looked at', async () => {
  expect(await coverage('coverageThroughout', 200, 1000)).toBeGreaterThanOrEqual(0.95);
});
