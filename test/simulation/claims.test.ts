import { afterAll, describe, expect, test } from '@jest/globals';
import { CLAIM_SCENARIOS, type ClaimTally } from './claims.ts';
import { natively } from './natively.ts';

const seen: string[] = [];
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n`);
});

function note({ claims, told, wrong }: ClaimTally, what: string): void {
  const parts = (['proven', 'sure', 'likely'] as const).map((each) => `${wrong[each]} of ${told[each]} ${each}`);
  seen.push(`claims of papers, ${what}: wrong ${parts.join(', ')} (${claims} asked)`);
}

const generated = (name: string, studies: number) =>
  natively<ClaimTally>('./claims.ts', 'generatedClaims', name, studies);

describe('of studies, hardly any calls a claim sure that is false, whatever is true', () => {
  test.each(Object.keys(CLAIM_SCENARIOS))('%s', async (name) => {
    const tally = await generated(name, CLAIM_SCENARIOS[name]!.places === 1 ? 400 : 40);
    note(tally, name);
    expect((tally.wrong.proven + tally.wrong.sure) / tally.claims).toBeLessThanOrEqual(0.05);
    expect(tally.wrong.likely / tally.claims).toBeLessThanOrEqual(0.2);
  });
});

test('of what is called sure at most 5 % is wrong, and of what is called likely 20 %', async () => {
  for (const name of ['one place', 'one place, noisy']) {
    const { told, wrong } = await generated(name, 1000);
    expect((wrong.proven + wrong.sure) / (told.proven + told.sure)).toBeLessThanOrEqual(0.05);
    expect(wrong.likely / told.likely).toBeLessThanOrEqual(0.2);
  }
});

test.each([
  [3, 0.75],
  [6, 0.8],
])('the 2015 study: %d blocks of each condition tell most claims, and hardly any wrongly', async (blocks, share) => {
  const tally = await natively<ClaimTally>('./claims.ts', 'replayedClaims', blocks, 20);
  note(tally, `the 2015 study of ${blocks} blocks`);
  const { claims, told, wrong } = tally;
  expect((told.sure + told.likely) / claims).toBeGreaterThan(share);
  expect(wrong.sure / told.sure).toBeLessThanOrEqual(0.05);
  expect(wrong.likely / told.likely).toBeLessThanOrEqual(0.2);
});
