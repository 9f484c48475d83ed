import { describe, expect, test } from '@jest/globals';
import { logEvidence, successesNeeded } from '../../harness/stats/evidence.ts';

const eValue = (trials: number, successes: number, share: number) => Math.exp(logEvidence(trials, successes, share));

/** The likelihood ratio of p to the share, averaged over p uniform on (share, 1], by Simpson's rule. */
function integrated(trials: number, successes: number, share: number): number {
  const steps = 20_000;
  const ratio = (p: number) => (p / share) ** successes * ((1 - p) / (1 - share)) ** (trials - successes);
  let sum = 0;
  for (let step = 0; step <= steps; step += 1) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2;
    sum += weight * ratio(share + ((1 - share) * step) / steps);
  }
  return sum / (3 * steps);
}

function binomial(trials: number, successes: number, share: number): number {
  let probability = (1 - share) ** trials;
  for (let k = 1; k <= successes; k += 1) probability *= (((trials - k + 1) / k) * share) / (1 - share);
  return probability;
}

test.each([
  [0, 0, 0.5],
  [1, 1, 0.5],
  [7, 3, 0.5],
  [40, 31, 0.5],
  [100, 12, 0.5],
  [100, 100, 0.5],
  [25, 20, 0.7],
  [60, 20, 0.7],
  [30, 30, 1 - 0.7],
  [50, 10, 1 - 0.7],
])('%i trials, %i successes, share %d: as integrated', (trials, successes, share) => {
  expect(eValue(trials, successes, share) / integrated(trials, successes, share)).toBeCloseTo(1, 9);
});

describe('what the specification says of it', () => {
  test.each([
    [0.5, 9],
    [0.7, 17],
  ])('above a share of %d a threshold of 60 takes %i blocks at least', (share, blocks) => {
    expect(eValue(blocks, blocks, share)).toBeGreaterThanOrEqual(60);
    expect(eValue(blocks - 1, blocks - 1, share)).toBeLessThan(60);
  });

  test('18 blocks of 18 come to the e-value in the interface', () => {
    expect(Math.trunc(eValue(18, 18, 0.5))).toBe(27594);
  });
});

describe.each([0.5, 0.7, 1 - 0.7])('where the true share is at the limit, %d,', (share) => {
  test.each([1, 9, 60])('its mean after %i trials is 1, and below the limit no more', (trials) => {
    const mean = (truth: number) =>
      Array.from({ length: trials + 1 }, (_, k) => binomial(trials, k, truth) * eValue(trials, k, share)).reduce(
        (sum, part) => sum + part,
        0,
      );
    expect(mean(share)).toBeCloseTo(1, 10);
    expect(mean(share - 0.1)).toBeLessThanOrEqual(1);
  });

  test('each trial leaves its mean where it was', () => {
    for (const [trials, successes] of [
      [0, 0],
      [5, 5],
      [12, 3],
      [80, 61],
    ] as const) {
      const next =
        share * eValue(trials + 1, successes + 1, share) + (1 - share) * eValue(trials + 1, successes, share);
      expect(next / eValue(trials, successes, share)).toBeCloseTo(1, 10);
    }
  });

  test('it ever reaches 20 within 400 trials in at most 5 %, computed exactly', () => {
    let alive = [1];
    let reached = 0;
    for (let trials = 1; trials <= 400; trials += 1) {
      const next = Array.from({ length: trials + 1 }, (_, k) => {
        return (alive[k] ?? 0) * (1 - share) + (alive[k - 1] ?? 0) * share;
      });
      const needed = successesNeeded(trials, share, Math.log(20));
      reached += next.slice(needed).reduce((sum, part) => sum + part, 0);
      alive = next.map((part, k) => (k >= needed ? 0 : part));
    }
    expect(reached).toBeLessThanOrEqual(0.05);
    expect(reached).toBeGreaterThan(0.02);
  });
});

test('it does not certify losers: few successes are no evidence for many', () => {
  for (const successes of [0, 10, 50]) expect(logEvidence(100, successes, 0.5)).toBeLessThan(0);
  expect(logEvidence(1000, 100, 0.5)).toBeLessThan(0);
});

test('thousands of trials neither overflow nor lose their digits', () => {
  expect(logEvidence(5000, 5000, 0.5)).toBeCloseTo(5001 * Math.log(2) - Math.log(5001), 6);
  // Laplace: the divergence times n, less half the logarithm of what a mixture costs.
  const divergence = 0.6 * Math.log(0.6 / 0.5) + 0.4 * Math.log(0.4 / 0.5);
  const laplace = 5000 * divergence + Math.log(2) + 0.5 * Math.log((2 * Math.PI * 0.24) / 5000);
  expect(logEvidence(5000, 3000, 0.5)).toBeCloseTo(laplace, 2);
});

test('the successes needed reach the threshold, and one less does not', () => {
  for (const [trials, share, threshold] of [
    [9, 0.5, 60],
    [100, 0.5, 60],
    [100, 0.7, 8640],
    [12, 1 - 0.7, 60],
  ] as const) {
    const needed = successesNeeded(trials, share, Math.log(threshold));
    expect(eValue(trials, needed, share)).toBeGreaterThanOrEqual(threshold);
    expect(eValue(trials, needed - 1, share)).toBeLessThan(threshold);
  }
  expect(successesNeeded(5, 0.5, Math.log(60))).toBe(6);
});
