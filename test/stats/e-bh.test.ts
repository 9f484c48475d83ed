import { expect, test } from '@jest/globals';
import { discoveryThreshold } from '../../harness/stats/e-bh.ts';
import { seededRandom } from '../../harness/stats/random.ts';

const logs = (eValues: readonly number[]) => eValues.map((each) => Math.log(each));
const threshold = (eValues: readonly number[], hypotheses: number) =>
  Math.exp(discoveryThreshold(logs(eValues), hypotheses, 0.05));

test.each([
  ['none', [], 3, Number.POSITIVE_INFINITY],
  ['one, large enough alone', [61], 3, 60],
  ['one, too small', [59], 3, Number.POSITIVE_INFINITY],
  ['two, each too small alone', [31, 30.5], 3, 30],
  ['a large one does not help a small one', [10_000, 25], 3, 60],
  ['the third brings in all three', [50, 41, 40.5], 6, 40],
  ['hypotheses that are not given count', [100], 6, Number.POSITIVE_INFINITY],
])('%s', (_, eValues, hypotheses, expected) => {
  const found = threshold(eValues, hypotheses);
  if (expected === Number.POSITIVE_INFINITY) expect(found).toBe(expected);
  else expect(found).toBeCloseTo(expected, 9);
});

test('is e-BH by its definition, for any e-values', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 500; round += 1) {
    const hypotheses = 1 + Math.floor(40 * random());
    const eValues = Array.from({ length: hypotheses }, () => Math.exp(9 * random()));
    const discovered = (count: number) => eValues.filter((e) => e >= hypotheses / (0.05 * count)).length >= count;
    const most = Array.from({ length: hypotheses }, (_, index) => hypotheses - index).find(discovered) ?? 0;
    expect(eValues.filter((e) => e >= threshold(eValues, hypotheses))).toHaveLength(most);
  }
});
