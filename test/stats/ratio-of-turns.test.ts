import { expect, test } from '@jest/globals';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { ratioOfTurns, type TurnPair } from '../../harness/stats/ratio-of-turns.ts';

const random = seededRandom(4);
/** Two loads of a page, which are off by some percent each, and all by what the machine is off. */
const draw = (typical: number, machine: number) =>
  Array.from({ length: 2 }, () => typical * machine * Math.exp(0.02 * normalDeviate(random)));
/** A phase of the machine that lasts for a turn. */
const phase = () => Math.exp(0.02 * normalDeviate(random));

function drawPairs(count: number): readonly TurnPair[] {
  return Array.from({ length: count }, () => {
    const [own, other] = [phase(), phase()];
    return {
      values: new Map([
        ['short', draw(110, own)],
        ['long', draw(9_000, own)],
        ['own', draw(1, own)],
      ]),
      others: new Map([
        ['short', draw(100, other)],
        ['long', draw(10_000, other)],
        ['theirs', draw(1, other)],
      ]),
    };
  });
}

test('the interval has the true ratio about as often as it says, though the machine has phases', () => {
  // A tenth longer and a tenth shorter: by the long cell alone it would be 0.9.
  const truth = Math.sqrt(1.1 * 0.9);
  for (const pairs of [2, 4, 6, 12]) {
    let covered = 0;
    for (let study = 0; study < 400; study += 1) {
      const { low, high } = ratioOfTurns(drawPairs(pairs));
      if (low <= truth && high >= truth) covered += 1;
    }
    // 380 are expected; fewer than 366 come by chance once in a thousand times.
    expect([pairs, covered >= 366]).toEqual([pairs, true]);
  }
});

test('what drifts in both turns of a pair alike is in neither', () => {
  const cells = (ms: number) => new Map([['page', [ms, ms]]]);
  const pairs = [100, 150, 225].map((ms) => ({ values: cells(1.05 * ms), others: cells(ms) }));
  const { estimate, low, high } = ratioOfTurns(pairs);
  for (const each of [estimate, low, high]) expect(each).toBeCloseTo(1.05, 9);
});

test('a load that takes many times as long as others changes nothing', () => {
  const cells = (ms: number, odd: number) =>
    new Map(['a', 'b', 'c', 'd'].map((name, place) => [name, [place === 0 ? odd : ms]]));
  const pairs = [100, 200].map((ms) => ({ values: cells(1.05 * ms, 9 * ms), others: cells(ms, ms) }));
  expect(ratioOfTurns(pairs).estimate).toBeCloseTo(1.05, 9);
});

test('one pair of turns tells no interval', () => {
  expect(() => ratioOfTurns(drawPairs(1))).toThrow('1 pairs');
});
