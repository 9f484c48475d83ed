import { describe, expect, test } from '@jest/globals';
import { type AdviceRequest, advise } from '../../harness/advice/advice.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Advice, Mix } from '../../harness/model/advice.ts';
import type { Protocol } from '../../harness/model/arm.ts';
import {
  ARMS,
  ASSUMES,
  adviceOn,
  conditionsOf,
  equal,
  h3Loses,
  h3Wins,
  type Row,
  type Slowdowns,
  unsettled,
} from './rows.ts';

describe('what to serve', () => {
  test.each<[string, readonly Row[], Mix | undefined, Partial<Advice>]>([
    ['what is best everywhere', [['4g', h3Wins]], undefined, { serve: 'h3', asGood: [], sureness: 'sure' }],
    ['what is best, with what is as good', [['4g', h3Loses]], undefined, { serve: 'h1', asGood: ['h2'] }],
    ['anything where all are the same', [['4g', equal]], undefined, { serve: 'h1', asGood: ['h2', 'h3'] }],
    [
      'what gains more than it loses',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
      ],
      undefined,
      { serve: 'h3', asGood: [] },
    ],
    [
      'not what loses more in this traffic',
      [
        ['4g', h3Wins],
        ['fibre', { h1: 1.1, h2: 1, h3: 1.08 }],
      ],
      { '4g': 1, fibre: 19 },
      { serve: 'h2' },
    ],
    [
      'what costs least on average, however unsure',
      [['4g', unsettled({ h1: [2], h2: [1, 1.2], h3: [1.15, 1] })]],
      undefined,
      { serve: 'h3', sureness: 'open' },
    ],
  ])('%s', (_, rows, mix, expected) => {
    expect(adviceOn(rows, mix ? { mix } : {})).toMatchObject(expected);
  });

  test('of seven arms the best', () => {
    const arms = Array.from({ length: 7 }, (_, index) => ({
      name: `arm ${index}`,
      protocol: 'h2' as Protocol,
      title: `arm ${index}`,
    }));
    const slowdowns = Object.fromEntries(arms.map(({ name }, index) => [name, 1 + ((index + 3) % 7) / 10]));
    const advice = adviceOn([['4g', slowdowns]], { arms, served: 'arm 0' });
    expect(advice).toMatchObject({ serve: 'arm 4', asGood: [], gain: { over: 'arm 0' } });
  });
});

describe('the traffic', () => {
  const rows: readonly Row[] = [
    ['4g', h3Wins],
    ['4g', equal],
    ['cable', { h1: 1.02, h2: 1, h3: 1.06 }],
    ['fibre', h3Loses],
    ['dsl', h3Wins],
    ['satellite', undefined],
  ];
  const advice = adviceOn(rows, { mix: { '4g': 60, cable: 30, fibre: 10, '3g': 20, satellite: 40, wifi: 0 } });

  test('weighs what was measured, and names what was not', () => {
    expect(advice.mix).toEqual({ '4g': 0.6, cable: expect.closeTo(0.3, 12), fibre: expect.closeTo(0.1, 12) });
    expect(advice.unmeasured).toEqual(['3g', 'satellite']);
    // Half of 60 % each: 25 % slower by H2, half as much again by H1; 8 % by H3 in 10 % and 6 % in 30 %.
    expect(advice).toMatchObject({ serve: 'h3', regretPercent: expect.closeTo(0.3 * 6 + 0.1 * 8, 9) });
    expect(advice.gain.percent).toBeCloseTo(100 * (1 - 1.026 / 1.075), 9);
  });

  test('counts in what is open no page that it does not have', () => {
    // The one over a satellite; that over DSL is none of this traffic.
    expect(advice.open).toEqual({ conditions: 1, unmeasured: 1, of: 5, worthPercent: 0 });
  });

  test('is told link by link: what its visitors alone would be advised, and what they get', () => {
    expect(advice.byProfile.map(({ profile, share, serve, asGood }) => ({ profile, share, serve, asGood }))).toEqual([
      { profile: '4g', share: 0.6, serve: 'h3', asGood: [] },
      { profile: 'cable', share: expect.closeTo(0.3, 12), serve: 'h2', asGood: ['h1'] },
      { profile: 'fibre', share: expect.closeTo(0.1, 12), serve: 'h1', asGood: ['h2'] },
    ]);
    expect(advice.byProfile.map(({ gain }) => gain.percent)).toEqual([
      expect.closeTo(100 * (1 - 1 / 1.125), 9),
      expect.closeTo(-6, 9),
      expect.closeTo(-8, 9),
    ]);
  });

  test('nothing is advised where nothing of it was measured', () => {
    const request = { arms: ARMS, rule: RULES.default, metric: 'plt', served: 'h2', forced: true } as const;
    expect(advise({ ...request, conditions: [] })).toBeUndefined();
    expect(advise({ ...request, conditions: conditionsOf([['4g', undefined]]) })).toBeUndefined();
    expect(advise({ ...request, conditions: conditionsOf(rows), mix: { wifi: 1 } })).toBeUndefined();
  });
});

describe('the gain', () => {
  test.each<[string, Slowdowns, string, number]>([
    ['is less time', h3Wins, 'h2', 20],
    ['is none where the same is served', { h1: 1.3, h2: 1, h3: 1.3 }, 'h2', 0],
    ['is over any arm that is served', h3Wins, 'h1', 100 / 3],
  ])('%s', (_, slowdowns, served, percent) => {
    const { gain } = adviceOn([['4g', slowdowns]], { served });
    expect(gain).toEqual({
      over: served,
      percent: expect.closeTo(percent, 9),
      interval: [expect.closeTo(percent, 9), expect.closeTo(percent, 9)],
    });
  });

  test('has the sign of the choice: what is advised never takes longer, where all is known', () => {
    for (const slowdowns of [h3Wins, h3Loses, equal, { h1: 1, h2: 9, h3: 1.01 }])
      for (const served of ['h1', 'h2', 'h3'])
        expect(adviceOn([['4g', slowdowns]], { served }).gain.percent).toBeGreaterThanOrEqual(0);
  });

  test('has an interval as wide as what is not known', () => {
    const { gain } = adviceOn([['4g', unsettled({ h1: [3], h2: [1.1, 1.2, 1.3, 1.4], h3: [1] })]]);
    const [low, high] = gain.interval;
    expect(low).toBeCloseTo(100 * (1 - 1 / 1.1), 9);
    expect(high).toBeCloseTo(100 * (1 - 1 / 1.4), 9);
  });
});

describe('the worst case', () => {
  test.each<[string, readonly Row[], Advice['worst']]>([
    [
      'is where most is lost beside what is served today',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
        ['cable', { h1: 1, h2: 1.05, h3: 1.06 }],
      ],
      { condition: 'page 1|fibre', percent: expect.closeTo(8, 9) as unknown as number, slowerIn: 2, than: 'h2' },
    ],
    [
      'or beside the best arm there, where nothing is changed',
      [
        ['4g', { h1: 1.1, h2: 1, h3: 1.1 }],
        ['fibre', { h1: 1.01, h2: 1.05, h3: 1 }],
      ],
      { condition: 'page 1|fibre', percent: expect.closeTo(5, 9) as unknown as number, slowerIn: 1, than: 'h3' },
    ],
    ['is none where nothing is lost', [['4g', h3Wins]], undefined],
    [
      'nor where that is rounded to nothing',
      [
        ['4g', h3Wins],
        ['fibre', { h1: 1, h2: 1, h3: 1.004 }],
      ],
      undefined,
    ],
  ])('%s', (_, rows, worst) => {
    expect(adviceOn(rows).worst).toEqual(worst);
  });

  test('is told with the conditions beside it in which loads take longer, too', () => {
    const other: Row = ['cable', { h1: 1, h2: 1.05, h3: 1.2 }];
    const rows: readonly Row[] = [
      ['4g', h3Wins],
      ['3g', h3Wins],
      ['fibre', h3Loses],
    ];
    expect(adviceOn(rows).text).toContain('\nHTTP/3 is slower than HTTP/2 in page 2 over fibre, by 8 %.\n');
    expect(adviceOn([...rows, other]).text).toContain(
      '\nHTTP/3 is slower in 2 of 4 conditions, at worst by 14 %: page 3 over cable.\n',
    );
  });

  test('is none of a link that this traffic does not have', () => {
    const rows: readonly Row[] = [
      ['4g', h3Wins],
      ['fibre', h3Loses],
    ];
    expect(adviceOn(rows, { mix: { '4g': 1 } }).worst).toBeUndefined();
  });
});

test('the best case is where most is gained beside what is served today, if anything is to change', () => {
  const rows: readonly Row[] = [
    ['4g', h3Wins],
    ['3g', { h1: 1, h2: 1.5, h3: 1.1 }],
    ['fibre', h3Loses],
  ];
  const best = (percent: number) => ({
    condition: 'page 1|3g',
    percent: expect.closeTo(percent, 9) as unknown as number,
  });
  // HTTP/3 is advised, and over 3g HTTP/1.1 is better still.
  expect(adviceOn(rows)).toMatchObject({ serve: 'h3', best: best(100 * (1 - 1.1 / 1.5)) });
  expect(adviceOn(rows, { served: 'h3' }).best).toBeUndefined();
  expect(adviceOn(rows.slice(2)).best).toBeUndefined();
});

test('what is open is worth what the best answers there may still cost', () => {
  const rows: readonly Row[] = [
    ['4g', h3Wins],
    ['4g', unsettled({ h1: [2], h2: [1, 1.4], h3: [1.1, 1] }, 'open')],
    ['fibre', undefined],
  ];
  // The regret of its own best arm, which is 5 %, in half of the traffic that was measured.
  expect(adviceOn(rows).open).toEqual({ conditions: 2, unmeasured: 1, of: 3, worthPercent: expect.closeTo(2.5, 9) });
});

test.each<[string, Slowdowns, boolean, boolean]>([
  ['HTTP/3 is forced', h3Wins, true, true],
  ['browsers find HTTP/3 by themselves', h3Wins, false, false],
  ['another protocol is advised', { h1: 1.2, h2: 1, h3: 1.2 }, true, false],
])('where %s', (_, slowdowns, forced, assumes) => {
  const { assumesKnownH3, text } = adviceOn([['4g', slowdowns]], { forced });
  expect(assumesKnownH3).toBe(assumes);
  expect(text.includes(ASSUMES)).toBe(assumes);
});

test('an arm that speaks HTTP/3 under another name assumes it, too', () => {
  const arms: AdviceRequest['arms'] = [
    { name: 'quic bbr', protocol: 'h3', title: 'quic bbr' },
    { name: 'tcp', protocol: 'h2', title: 'tcp' },
  ];
  expect(adviceOn([['4g', { 'quic bbr': 1, tcp: 1.2 }]], { arms, served: 'tcp' }).assumesKnownH3).toBe(true);
});
