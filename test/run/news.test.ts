import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { judgePlan } from '../../harness/comparison/judge-plan.ts';
import type { Answer, Decision } from '../../harness/model/answer.ts';
import type { ConditionState } from '../../harness/model/comparison.ts';
import type { StudyEvent, WorkerProgress } from '../../harness/model/event.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { FinishedBlock } from '../../harness/model/session.ts';
import { type NewsSource, openNews } from '../../harness/run/news.ts';
import { knownDecision } from '../comparison/decisions.ts';
import { measured, planOf } from '../study/plans.ts';

const plan = planOf({ sites: ['a'], links: ['fibre', '4g'], stopping: { kind: 'early', until: 'settled', cap: 40 } });
const [first, second] = plan.conditions.map(({ id }) => id) as [string, string];

/** What is told of one state of a study after the other. */
function told(sources: readonly NewsSource[], measurements: readonly Measurement[] = []): StudyEvent[] {
  const events: StudyEvent[] = [];
  const news = openNews(plan, measurements, { tell: (event) => events.push(event) });
  for (const source of sources) news.judge(source);
  return events;
}

const withoutProgress = (events: readonly StudyEvent[]) => events.filter(({ event }) => event !== 'progress');

const NOTHING = judgeStudy(plan, []);

/** A state in which nothing is proven. */
function source(decisions: readonly (Partial<Answer> | undefined)[], states: readonly ConditionState[]): NewsSource {
  const ids = [first, second];
  return {
    judgement: NOTHING,
    decisions: decisions.map(
      (more, place): Decision | undefined => more && knownDecision(ids[place]!, { h1: 1.5, h2: 1.25, h3: 1 }, more),
    ),
    states,
  };
}

const none = source([undefined, undefined], ['open', 'open']);

describe('an answer is told', () => {
  const sureness = (each: 'open' | 'likely' | 'sure', blocks = 4) => ({ sureness: each, settled: false, blocks });

  test('when there is one, with what it says', () => {
    const events = withoutProgress(told([none, source([undefined, sureness('likely', 2)], ['open', 'open'])]));
    expect(events).toEqual([
      {
        event: 'answer',
        condition: second,
        title: 'a over 4g',
        serve: 'h3',
        asGood: [],
        sureness: 'likely',
        blocks: 2,
        gain: { over: 'h2', percent: 0, interval: [0, 0] },
      },
    ]);
  });

  test.each<[string, Partial<Answer>, Partial<Answer>, number]>([
    ['when it is another one', sureness('likely'), { ...sureness('likely'), serve: 'h2' }, 1],
    ['when it is surer', sureness('open'), sureness('likely'), 1],
    ['when it is less sure', sureness('sure'), sureness('likely', 5), 1],
    ['not when it is less sure by blocks of other conditions alone', sureness('sure'), sureness('likely'), 0],
    ['not when it rests on more blocks alone', sureness('likely', 4), sureness('likely', 5), 0],
    ['nor when others are as good', sureness('likely'), { ...sureness('likely'), asGood: ['h1'] }, 0],
  ])('%s', (_, before, after, count) => {
    const events = told([source([before, undefined], ['open', 'open']), source([after, undefined], ['open', 'open'])]);
    expect(events.filter(({ event }) => event === 'answer')).toHaveLength(count);
  });

  test('with how sure the one before was', () => {
    const [before, after] = [sureness('sure'), sureness('open', 5)];
    const events = told([source([before, undefined], ['open', 'open']), source([after, undefined], ['open', 'open'])]);
    expect(events.filter(({ event }) => event === 'answer')).toMatchObject([{ sureness: 'open', before: 'sure' }]);
  });

  test('once, however often other conditions take it back and give it again', () => {
    const [sure, likely] = ['sure', 'likely'].map((each) =>
      source([sureness(each as 'sure' | 'likely'), undefined], ['open', 'open']),
    );
    const events = withoutProgress(told([none, sure!, likely!, sure!, likely!, sure!]));
    expect(events).toMatchObject([{ event: 'answer', sureness: 'sure' }]);
    const later = source([sureness('likely', 5), undefined], ['open', 'open']);
    expect(withoutProgress(told([none, sure!, likely!, later]))).toMatchObject([
      { sureness: 'sure' },
      { sureness: 'likely', before: 'sure', blocks: 5 },
    ]);
  });

  test('but not those that earlier sessions had', () => {
    expect(withoutProgress(told([source([sureness('sure'), sureness('open')], ['settled', 'open'])]))).toEqual([]);
  });
});

describe('that a condition gets no more blocks is told', () => {
  test.each<[ConditionState, ConditionState, boolean]>([
    ['open', 'settled', true],
    ['open', 'proven', true],
    ['open', 'full', true],
    ['open', 'hopeless', true],
    ['open', 'broken', true],
    ['settled', 'settled', false],
    ['settled', 'open', false],
  ])('%s, then %s: %p', (before, after, closes) => {
    const events = withoutProgress(
      told([source([undefined, undefined], [before, 'open']), source([undefined, undefined], [after, 'open'])]),
    );
    expect(events).toEqual(closes ? [{ event: 'closed', condition: first, title: 'a over fibre', state: after }] : []);
  });
});

test('progress counts answers, what is settled, and what is closed', () => {
  const some = [
    ...measured({ condition: first, block: 0, arms: { h1: 3, h2: 'failed', h3: 'void' } }),
    ...measured({ condition: first, block: 0, arms: { h1: 3, h2: 2, h3: 1 } }),
  ];
  const [progress] = told([source([{ settled: true }, undefined], ['settled', 'open'])], some);
  expect(progress).toMatchObject({
    event: 'progress',
    closed: 1,
    conditions: 2,
    answered: 1,
    settled: 1,
    decided: 0,
    comparisons: 6,
    loads: 5,
    serves: [{ arm: 'h3', conditions: 1 }],
    labs: [],
  });
});

describe('time left', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  /** What is left after ten seconds in which loads of thirty were made. */
  const leftMs = (does: readonly { readonly title: string }[]) => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    const events: StudyEvent[] = [];
    const measurements: Measurement[] = [];
    const news = openNews(plan, measurements, { tell: (event) => events.push(event) });
    const state = source([undefined, undefined], ['open', 'open']);
    news.judge(state);
    news.workers([{ name: 'one', does, loads: 0 } as unknown as WorkerProgress]);
    jest.advanceTimersByTime(10_000);
    const [typical] = measured({ condition: first, block: 0, arms: { h2: 1 } });
    const overheadMs = typical?.status === 'ok' ? typical.overheadMs : Number.NaN;
    measurements.push(...measured({ condition: first, block: 0, arms: { h2: 30_000 - overheadMs } }));
    news.judge(state);
    const last = events.findLast(({ event }) => event === 'progress');
    return last?.event === 'progress' ? last.leftMs! : Number.NaN;
  };

  test('is divided by how many loads go on at once on other machines', () => {
    const [idle, working] = [leftMs([]), leftMs([{ title: first }])];
    expect(working / idle).toBeCloseTo(1 / 3, 2);
  });
});

test('in a whole study verdicts are told once each, before the answer and the end of their condition', () => {
  const blocks = Array.from({ length: 12 }, (_, block) =>
    [first, second].flatMap((condition) =>
      measured({ condition, block, arms: { h1: 300, h2: 200, h3: 100 }, launch: Math.floor(block / 3) }),
    ),
  );
  const proven = { ...plan, stopping: { kind: 'early', until: 'proven', cap: 40 } } as const;
  const events = withoutProgress(told(blocks.map((_, count) => judgePlan(proven, blocks.slice(0, count + 1).flat()))));
  const own = events.filter((event) => 'condition' in event && event.condition === first);
  expect(own.map(({ event }) => event)).toEqual([
    'answer',
    'answer',
    'verdict',
    'verdict',
    'verdict',
    'answer',
    'closed',
  ]);
  expect(own.at(-1)).toMatchObject({ event: 'closed', condition: first, state: 'proven' });
  expect(events.filter(({ event }) => event === 'verdict')).toHaveLength(6);
});

test('progress has what each lab is at: a condition and the arm whose load is on its way, until its block is finished', () => {
  const events: StudyEvent[] = [];
  const news = openNews(plan, [], { tell: (event) => events.push(event) });
  const labsNow = () => events.flatMap((event) => (event.event === 'progress' ? [event.labs] : [])).at(-1);
  const blockOf = (condition: string) => ({ condition, index: 0, order: ['h2'] });
  news.judge(none);
  news.start(blockOf(first));
  news.start(blockOf(second));
  news.load(blockOf(second), 'h3');
  expect(labsNow()).toEqual([{ title: 'a over fibre' }, { title: 'a over 4g', arm: 'h3' }]);
  news.finish({ serial: 0, block: blockOf(first), trials: [] } as unknown as FinishedBlock);
  news.judge(none);
  expect(labsNow()).toEqual([{ title: 'a over 4g', arm: 'h3' }]);
});
