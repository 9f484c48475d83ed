import { expect, test } from '@jest/globals';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { ratioOfMedians } from '../../harness/stats/ratio-of-medians.ts';

test('the interval has the true ratio about as often as it says, and its seed determines it', () => {
  const random = seededRandom(3);
  const draw = (typical: number) => Array.from({ length: 40 }, () => typical * Math.exp(0.06 * normalDeviate(random)));
  let covered = 0;
  for (let study = 0; study < 100; study += 1) {
    const { estimate, low, high } = ratioOfMedians(draw(110), draw(100), seededRandom(study));
    if (low <= 1.1 && high >= 1.1) covered += 1;
    expect(low <= estimate && estimate <= high).toBe(true);
  }
  expect(covered).toBeGreaterThanOrEqual(88);
  const [values, others] = [draw(110), draw(100)];
  const again = () => ratioOfMedians(values, others, seededRandom(5));
  expect(again()).toEqual(again());
});

test('what drifts in both alike is in neither', () => {
  const drift = Array.from({ length: 40 }, (_, index) => 100 + 20 * index);
  const { estimate, low, high } = ratioOfMedians(
    drift.map((ms) => 1.05 * ms),
    drift,
    seededRandom(1),
  );
  for (const each of [estimate, low, high]) expect(each).toBeCloseTo(1.05, 9);
});
