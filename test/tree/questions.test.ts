import { expect, test } from '@jest/globals';
import { membersOf } from '../../harness/stats/bits.ts';
import { answersYes, roundNumberBetween, scalesOf } from '../../harness/tree/questions.ts';
import { randomSpace, spaceOf } from './spaces.ts';

test('each way of parting the cases is asked once', () => {
  const { features } = spaceOf([
    [{ rttMs: 10, queuePackets: 1, visit: 'cold' }],
    [{ rttMs: 20, queuePackets: 2, visit: 'repeat' }],
    [{ rttMs: 30, queuePackets: 2, visit: 'repeat' }],
  ]);
  expect(scalesOf(features).map(({ questions }) => questions.map(({ split }) => split))).toEqual([
    [
      { feature: 'rttMs', below: 14 },
      { feature: 'rttMs', below: 24 },
    ],
  ]);
});

test('a case’s level says which questions of a scale it answers with yes', () => {
  const { features } = randomSpace(1, { cases: 40 });
  const scales = scalesOf(features);
  expect(scales).toHaveLength(6);
  for (const { questions, level } of scales)
    for (const [index, { split, yes }] of questions.entries()) {
      const members = [...features.keys()].filter((each) => level[each]! <= index);
      expect(membersOf(yes)).toEqual(members);
      expect([...features.keys()].filter((each) => answersYes(split, features[each]!))).toEqual(members);
    }
});

test.each([
  [18, 218, 60],
  [28, 30, 30],
  [0, 2, 1],
  [0.5, 1, 0.7],
  [5, 50, 20],
  [2000, 10_000, 4000],
  [131_071, 131_072, 131_071.5],
])('between %d and %d lies %d', (low, high, number) => {
  expect(roundNumberBetween(low, high)).toBe(number);
});
