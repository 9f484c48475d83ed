import { expect, test } from '@jest/globals';
import { firstAnswersOf, floorOf, isAsAsked } from '../../harness/bench/answers.ts';
import { regretOf } from '../../harness/bench/regret.ts';
import type { Summary } from '../../harness/findings/summary.ts';

type Conditions = Pick<Summary, 'conditions'>;

/** Conditions of as many links, with the medians of their arms, and what is served. */
function conditionsOf(
  each: readonly { readonly h1: number; readonly h3?: number; readonly serve?: string; readonly sureness?: string }[],
): Conditions {
  const conditions = each.map(({ h1, h3, serve, sureness = 'likely' }, place) => ({
    id: `c${place}`,
    title: `page over ${place}`,
    link: { rate: Math.floor(place / 2) },
    arms: { h1: { medianMs: h1 }, h3: { medianMs: h3 } },
    answer: serve === undefined ? undefined : { serve, sureness },
  }));
  return { conditions } as unknown as Conditions;
}

test('what answers cost is told by the medians of the longer study alone', () => {
  const truth = conditionsOf([
    { h1: 100, h3: 110 },
    { h1: 200, h3: 100 },
  ]);
  const answers = conditionsOf([
    { h1: 110, h3: 90, serve: 'h3', sureness: 'sure' },
    { h1: 200, h3: 100, serve: 'h3' },
  ]);
  const regret = regretOf(answers, truth, 3);
  expect(regret).toMatchObject({ worst: { title: 'page over 0' }, surelyWrong: 1, sure: 1 });
  expect(regret.regretPercent).toBeCloseTo(5);
  expect(regret.worst.percent).toBeCloseTo(10);
});

test('a condition without an answer costs as much as a wrong one', () => {
  const truth = conditionsOf([{ h1: 100, h3: 110 }]);
  expect(regretOf(conditionsOf([{ h1: 100 }]), truth, 3)).toMatchObject({ regretPercent: 100, sure: 0 });
});

test('the first answers are there once the last link has one', () => {
  const study = conditionsOf([{ h1: 1 }, { h1: 1 }, { h1: 1 }, { h1: 1 }]);
  expect(
    firstAnswersOf(
      study,
      new Map([
        ['c1', 30],
        ['c2', 50],
        ['c0', 40],
        ['c3', 70],
      ]),
    ),
  ).toBe(50);
  expect(firstAnswersOf(study, new Map([['c1', 30]]))).toBe(Number.POSITIVE_INFINITY);
});

test('a study must count enough loads, or have nothing left to measure', () => {
  const row = { loads: 350, finished: false, settled: 16, firstAnswersS: 60 };
  expect(isAsAsked(row)).toBe(true);
  expect(isAsAsked({ ...row, loads: 349 })).toBe(false);
  expect(isAsAsked({ ...row, loads: 349, finished: true })).toBe(true);
  expect(isAsAsked({ ...row, settled: 15, finished: true })).toBe(false);
  expect(isAsAsked({ ...row, firstAnswersS: 61 })).toBe(false);
});

test('how quick the machine was is told by all pages without a link, where that is known', () => {
  const conditions = [{ floorMs: { h1: 100, h2: 200 } }, { floorMs: { h1: 300 } }, {}];
  expect(floorOf({ conditions } as unknown as Conditions)).toBe(200);
});
