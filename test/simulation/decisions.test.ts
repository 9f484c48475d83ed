import { afterAll, describe, expect, test } from '@jest/globals';
import type { Calibration } from '../../harness/bench/decisions/calibration.ts';
import { SCENARIOS } from '../../harness/bench/decisions/generated.ts';
import { natively } from './natively.ts';

const seen: string[] = [];
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n`);
});
const note = (what: string, figures: Calibration) => {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  seen.push(
    `${what}: ${percent(figures.settled / figures.conditions)} settled after ${figures.meanBlocks.toFixed(1)} blocks; sure, wrong ${percent(figures.settledWrong)}; likely, wrong ${percent(figures.likelyWrong)}; true regret ${percent(figures.meanRegret)}`,
  );
};

describe('the blocks of the 2015 study in random order: what is called sure is so in 95 %, what is called likely in 80 %', () => {
  test.each([
    ['default', 8.7],
    ['kramer2015', 6],
  ] as const)('%s', async (rule, blocks) => {
    const figures = await natively<Calibration>('./decisions.ts', 'replayed', rule, 20);
    note(`replays, ${rule}`, figures);
    expect(figures.settledWrong).toBeLessThanOrEqual(0.05);
    expect(figures.likelyWrong).toBeLessThanOrEqual(0.2);
    expect(figures.meanRegret).toBeLessThanOrEqual(0.01);
    expect(figures.meanBlocks).toBeLessThanOrEqual(blocks);
  });
});

const STUDIES = 200;
/** Near its bound a share of so few studies may lie on either side of it: it was 5.6 % of 200, and 4.5 % of 800. */
const STUDIES_NEAR_THE_BOUND = 800;

describe('generated studies, looked at after every block', () => {
  const settles = SCENARIOS.flatMap((scenario, index) =>
    // What costs much is for the bench: noise of 50 %, and machines that differ in nothing but their speed.
    scenario.ratios !== 'a hair beyond the margin' && scenario.noise !== 0.5 && scenario.machines?.interaction !== 0
      ? [{ ...scenario, index }]
      : [],
  );
  test.each(settles)('ratios $ratios, $shape noise of $noise, machines: $machines', async ({ index, ...scenario }) => {
    const { ratios, shape, noise, machines } = scenario;
    const isNear = ratios === 'spread over ±4 %' && machines !== undefined;
    const studies = isNear ? STUDIES_NEAR_THE_BOUND : STUDIES;
    const figures = await natively<Calibration>('./decisions.ts', 'generated', index, studies);
    const rigs = machines ? `, ${machines.count} machines, interaction ${machines.interaction}` : '';
    note(`${ratios}, ${shape}, ${noise}${rigs}`, figures);
    expect(figures.settledWrong).toBeLessThanOrEqual(0.05);
    expect(figures.likelyWrong).toBeLessThanOrEqual(0.2);
    expect(figures.meanRegret).toBeLessThanOrEqual(0.01);
  });
});
