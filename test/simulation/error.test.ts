import { afterAll, describe, expect, test } from '@jest/globals';
import { ALL_NULL, type falseDiscoveries, MIXED } from './error.ts';
import { natively } from './natively.ts';

const STUDIES = 2000;
const LEVEL = 0.05;

const seen: string[] = [];
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n`);
});
const note = (share: number, what: string) => seen.push(`${(100 * share).toFixed(2)} % of ${STUDIES} studies: ${what}`);

describe('where nothing is true, at most 5 % of studies claim anything, looking after every block', () => {
  test.each(Object.keys(ALL_NULL))('%s', async (name) => {
    const share = await natively<number>('./error.ts', 'shareClaimingFalsely', name, STUDIES);
    note(share, `claim anything, ${name}`);
    expect(share).toBeLessThanOrEqual(LEVEL);
  });
});

test('a sign test made for a fixed number of blocks, looked at after each, claims something in over 15 %', async () => {
  const share = await natively<number>('./error.ts', 'shareOfSignTestsClaiming', STUDIES);
  note(share, 'claim anything by a sign test looked at after each block');
  expect(share).toBeGreaterThan(0.15);
});

describe('where some is true, the mean share of false claims is at most 5 %', () => {
  test.each(Object.keys(MIXED))('%s', async (name) => {
    const found = await natively<ReturnType<typeof falseDiscoveries>>('./error.ts', 'falseDiscoveries', name, STUDIES);
    note(found.meanShare, `mean share of false claims, ${name}`);
    expect(found.meanShare).toBeLessThanOrEqual(LEVEL);
    // What is true is found, so that there is something to be false among.
    expect(found.telling).toBeGreaterThan(0.95);
  });
});
