import { describe, expect, test } from '@jest/globals';
import type { Features, Leaf, Tree } from '../../harness/model/tree.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { nearestTo, pathOf, splitAsQuestion } from '../../reports/question.ts';
import { completed, readState, writeState } from '../../reports/state.ts';
import { bytes, change, interval, percent, rate, ratio, time } from '../../reports/wording.ts';

const ASKED: Features = completed({
  ...{ rateKbps: 9000, rttMs: 170, lossPercent: 0.5, objects: 50, totalBytes: 1_500_000 },
  ...{ bytesPerObject: 0, queuePackets: 0, visit: 'cold' },
});

describe('the address', () => {
  test.each([
    [{ asked: ASKED }],
    [{ asked: completed({ ...ASKED, queuePackets: 7 }, true), condition: 'a&b=c|4g|nginx|cold' }],
    [
      {
        asked: { ...ASKED, rateKbps: Number.POSITIVE_INFINITY, queuePackets: 10 },
        mix: { '4g': 60, 'rate=2mbit,rtt=9ms': 40 },
      },
    ],
  ])('keeps what was asked', (state) => {
    expect(readState(writeState(state), { asked: completed({ ...ASKED, rttMs: 1 }) })).toEqual(state);
  });

  test.each(['', '#', '#rate=fast&rtt=-1&loss=101&objects=0', '#mix=,:,a:-1', '#%E0%A4%A', '#queue=NaN'])(
    'that says nothing to the point changes nothing: %s',
    (fragment) => {
      expect(readState(fragment, { asked: ASKED })).toEqual({ asked: ASKED });
    },
  );
});

const leaf = (name: string): Leaf => ({
  leaf: [name],
  undecided: [],
  conditions: [name],
  wrong: [],
  regretPercent: 0,
  support: 1,
});
const TREE: Tree<Leaf> = {
  ...{ feature: 'rttMs', below: 90 },
  yes: leaf('h2'),
  no: {
    feature: 'lossPercent',
    below: 1,
    yes: leaf('h3'),
    no: { feature: 'visit', is: 'repeat', yes: leaf('h1'), no: leaf('h3') },
  },
};

test('the way through a tree ends where the tree ends', () => {
  const random = seededRandom(2);
  for (let each = 0; each < 200; each += 1) {
    const asked = {
      ...ASKED,
      rttMs: 200 * random(),
      lossPercent: 2 * random(),
      visit: random() < 0.5 ? 'cold' : 'repeat',
    };
    expect(pathOf(TREE, asked).leaf).toBe(follow(TREE, asked));
  }
  expect(pathOf(TREE, ASKED).steps.map(({ split, yes }) => `${splitAsQuestion(split)} ${yes}`)).toEqual([
    'RTT below 90\u00a0ms? false',
    'Loss below 1\u00a0%? true',
  ]);
});

test('the nearest that was measured has the most in common', () => {
  const place = (name: string, features: Partial<Features>, blocks = 5) => ({
    name,
    blocks,
    features: { ...ASKED, ...features },
  });
  const places = [place('slow', { rateKbps: 1000 }), place('near', { rateKbps: 10_000 }), place('unmeasured', {}, 0)];
  expect(nearestTo(ASKED, places)).toMatchObject({ name: 'near' });
  expect(nearestTo({ ...ASKED, rateKbps: Number.POSITIVE_INFINITY }, places)).toMatchObject({ name: 'near' });
  expect(nearestTo(ASKED, [])).toBeUndefined();
});

test.each([
  [time(712.44), '712 ms'],
  [time(9.04), '9.0 ms'],
  [time(1234), '1.23 s'],
  [time(64_000), '64.0 s'],
  [time(undefined), '–'],
  [time(Number.POSITIVE_INFINITY), 'never'],
  [percent(3.14), '3.1 %'],
  [percent(Number.POSITIVE_INFINITY), '∞'],
  [percent(Number.NaN), '–'],
  [change(-12), '−12 %'],
  [change(0.01), '±0 %'],
  [rate(9000), '9 Mbit/s'],
  [rate(Number.POSITIVE_INFINITY), 'unlimited'],
  [bytes(1_440_360), '1.4 MB'],
  [bytes(385), '385 B'],
  [ratio(0.714), '0.71'],
  [ratio(Number.POSITIVE_INFINITY), '∞'],
  [ratio(Number.NaN), '–'],
  [interval([0.7, 0.72]), '0.70 to 0.72'],
  [interval([0.7, Number.POSITIVE_INFINITY]), '0.70 to ∞'],
  [interval([0, Number.POSITIVE_INFINITY]), 'too few blocks for an interval'],
])('%s', (text, said) => {
  expect(text.replaceAll('\u00a0', ' ')).toBe(said);
});
