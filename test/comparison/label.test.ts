import { expect, test } from '@jest/globals';
import { labelArms, notBeaten } from '../../harness/comparison/label.ts';
import type { Verdict } from '../../harness/model/comparison.ts';

const ARMS = ['h1', 'h2', 'h3'];
const label = (h2h1: Verdict, h3h1: Verdict, h3h2: Verdict) =>
  labelArms(ARMS, [
    { a: 'h2', b: 'h1', verdict: h2h1 },
    { a: 'h3', b: 'h1', verdict: h3h1 },
    { a: 'h3', b: 'h2', verdict: h3h2 },
  ]);

test.each<[string, Verdict, Verdict, Verdict, string[], string[], string[]]>([
  ['h3 beats both', 'tie', 'a', 'a', ['h3'], [], ['h1', 'h2']],
  ['two beat the third but not each other', 'a', 'a', 'tie', ['h2', 'h3'], [], ['h1']],
  ['all tie', 'tie', 'tie', 'tie', ['h1', 'h2', 'h3'], [], []],
  ['nothing is decided', 'undecided', 'undecided', 'undecided', [], ['h1', 'h2', 'h3'], []],
  ['h3 beats h1, the rest is undecided', 'undecided', 'a', 'undecided', [], ['h2', 'h3'], ['h1']],
  ['h1 beats h2 and ties with h3, which is undecided against h2', 'b', 'tie', 'undecided', ['h1'], ['h3'], ['h2']],
  ['each beats the next in a circle', 'a', 'b', 'a', [], ['h1', 'h2', 'h3'], []],
])('%s', (_, h2h1, h3h1, h3h2, unbeaten, open, beaten) => {
  expect(label(h2h1, h3h1, h3h2)).toEqual({ unbeaten, open, beaten });
  expect(notBeaten(ARMS, { unbeaten, open, beaten })).toEqual(ARMS.filter((arm) => !beaten.includes(arm)));
});
