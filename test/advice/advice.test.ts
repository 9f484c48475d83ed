import { describe, expect, test } from '@jest/globals';
import { type AdviceRequest, advise } from '../../harness/advice/advice.ts';
import { writeAdvice, writeByTree } from '../../harness/advice/advice-text.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Advice, AdviceCondition, Mix } from '../../harness/model/advice.ts';
import type { Decision } from '../../harness/model/answer.ts';
import type { Protocol } from '../../harness/model/arm.ts';
import type { TreeSubject } from '../../harness/model/tree.ts';
import { percentInWords } from '../../harness/model/wording.ts';
import { decisionOf, knownDecision } from '../comparison/decisions.ts';

const ARMS: AdviceRequest['arms'] = [
  { name: 'h1', protocol: 'h1', title: 'HTTP/1.1' },
  { name: 'h2', protocol: 'h2', title: 'HTTP/2' },
  { name: 'h3', protocol: 'h3', title: 'HTTP/3' },
];

/** How much longer loads take with each arm than with the best one. */
type Slowdowns = Readonly<Record<string, number>>;
/** A page over a link of this name; undefined where it was not measured. */
type Row = readonly [profile: string, decision: Slowdowns | Decision | undefined];

function conditionsOf(rows: readonly Row[]): readonly AdviceCondition[] {
  return rows.map(([profile, given], index) => {
    const id = `page ${index}|${profile}`;
    const decision =
      given === undefined || 'answer' in given ? (given as Decision | undefined) : knownDecision(id, given);
    return { id, title: `page ${index} over ${profile}`, site: `page ${index}`, profile, decision };
  });
}

interface Wish {
  readonly mix?: Mix;
  readonly served?: string;
  readonly arms?: AdviceRequest['arms'];
  readonly forced?: boolean;
}

function adviceOn(rows: readonly Row[], { mix, served = 'h2', arms = ARMS, forced = true }: Wish = {}): Advice {
  return advise({
    conditions: conditionsOf(rows),
    arms,
    rule: RULES.default,
    metric: 'plt',
    served,
    forced,
    mix,
  })!;
}

const equal = { h1: 1, h2: 1, h3: 1 };
const h3Wins = { h1: 1.5, h2: 1.25, h3: 1 };
const h3Loses = { h1: 1, h2: 1, h3: 1.08 };
const unsettled = (slowdowns: Readonly<Record<string, readonly number[]>>, id = 'c') =>
  decisionOf(id, slowdowns, { sureness: 'open', settled: false });

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

const ASSUMES = 'First visits: they may be slower, and were not measured.';

describe('the link that the answer hangs on', () => {
  const h2Wins = { h1: 1.5, h2: 1, h3: 1.1 };
  const alike = { h1: 1.5, h2: 1, h3: 1 };
  const far = { h1: 1.5, h2: 1.6, h3: 1 };

  test.each<[string, readonly Row[], Advice['without']]>([
    [
      'is that without which another arm is as fast',
      [
        ['satellite', far],
        ['4g', { h1: 1.5, h2: 1.01, h3: 1 }],
        ['cable', alike],
      ],
      {
        link: 'satellite',
        best: ['h3', 'h2'],
        fasterPercent: 0,
        fromShare: expect.closeTo((1 - 0.97 * 1.005) / (0.97 * 0.595), 9) as unknown as number,
      },
    ],
    [
      'or faster',
      [
        ['satellite', far],
        ['4g', h2Wins],
        ['cable', h2Wins],
      ],
      {
        link: 'satellite',
        best: ['h2'],
        fasterPercent: expect.closeTo(100 * (1 - 1 / 1.1), 9) as unknown as number,
        fromShare: expect.closeTo((1.1 - 0.97) / (1.1 - 0.97 + 0.97 * 1.6 - 1), 9) as unknown as number,
      },
    ],
    [
      'is the one that changes most where several would',
      [
        ['4g', { h1: 1.5, h2: 1.3, h3: 1 }],
        ['satellite', far],
        ['cable', { h1: 1.5, h2: 1, h3: 1.3 }],
        ['fibre', { h1: 1.5, h2: 1, h3: 1.3 }],
      ],
      {
        link: 'satellite',
        best: ['h2'],
        fasterPercent: expect.closeTo(100 * (1 - 3.3 / 3.6), 9) as unknown as number,
        fromShare: expect.closeTo((1.2 - 0.97 * 1.1) / (1.2 - 0.97 * 1.1 + 0.97 * 1.6 - 1), 9) as unknown as number,
      },
    ],
    [
      'is none where all links say the same',
      [
        ['4g', h3Wins],
        ['fibre', h3Wins],
      ],
      undefined,
    ],
    [
      'nor where none of several decides',
      [
        ['4g', h3Wins],
        ['3g', h3Wins],
        ['cable', h3Loses],
      ],
      undefined,
    ],
    ['nor where there is one link', [['4g', h3Wins]], undefined],
    [
      // 3.8 % in favour of HTTP/3 with all of them, 2.9 % without the first.
      'nor where it moves less than the margin, though another arm comes within it',
      [
        ['4g', { h1: 2, h2: 1.06, h3: 1 }],
        ['cable', { h1: 2, h2: 1.03, h3: 1 }],
        ['fibre', { h1: 2, h2: 1.03, h3: 1 }],
      ],
      undefined,
    ],
  ])('%s', (_, rows, without) => {
    expect(adviceOn(rows).without).toEqual(without);
  });

  const EVEN: readonly Row[] = [
    ['satellite', far],
    ['cable', alike],
  ];

  test('is named in a sentence, with what remains without its visitors', () => {
    expect(adviceOn(EVEN).text).toContain(
      'Serve HTTP/3 if at least 6 % of visitors have satellite: it is then over 3 % faster. Without them keep HTTP/2 (about even).\nSure if 50 % have satellite: ',
    );
    expect(adviceOn([EVEN[0]!, ['cable', h2Wins]]).text).toContain(
      'Serve HTTP/3 if at least 20 % of visitors have satellite: it is then over 3 % faster. Without them keep HTTP/2 (9.1 % faster).\n',
    );
    expect(adviceOn([['4g', h3Wins]]).text).not.toContain('because');
  });

  test('is told beside arms that are as good, and says what the sureness is of', () => {
    const { text } = adviceOn([
      ['satellite', { h1: 1.5, h2: 1, h3: 1.4 }],
      ['cable', { h1: 1, h2: 1.02, h3: 1.1 }],
    ]);
    expect(text).toMatch(
      /^Keep HTTP\/2 if at least 10 % of visitors have satellite: it is then over 3 % faster. Without them HTTP\/1.1 and .*\nSure if 50 % have satellite: /,
    );
  });

  test.each<[string, Slowdowns, number | undefined]>([
    [
      'asks nothing of an arm that is behind with and without the link',
      { h1: 20, h2: 1, h3: 1 },
      0.03 / (0.03 + 0.97 * 1.6 - 1),
    ],
    ['is none where another arm is ahead over the link alone', { h1: 1.3, h2: 1, h3: 1.05 }, undefined],
  ])('the share from which it is enough %s', (_, elsewhere, share) => {
    const own = share === undefined ? { h1: 1, h2: 1.6, h3: 1.02 } : { h1: 2, h2: 1.6, h3: 1 };
    const { without, serve } = adviceOn([
      ['satellite', own],
      ['cable', elsewhere],
    ]);
    expect([serve, without?.fromShare]).toEqual(['h3', share === undefined ? undefined : expect.closeTo(share, 9)]);
  });

  test('is what the answer depends on where no share of it is enough', () => {
    const advice = adviceOn(EVEN);
    const { link, best, fasterPercent } = advice.without!;
    const unknown = { ...advice, without: { link, best, fasterPercent } };
    expect(writeAdvice(unknown, { conditions: [], arms: ARMS, rule: RULES.default, metric: 'plt' })).toMatch(
      /^Serve HTTP\/3, but only because of satellite: without it HTTP\/2 and HTTP\/3 are about even/,
    );
  });

  test('is what the answer depends on where a mix is given', () => {
    expect(adviceOn(EVEN, { mix: { satellite: 30, cable: 70 } }).text).toMatch(
      /^Serve HTTP\/3, but only because of satellite: without it HTTP\/2 and HTTP\/3 are about even/,
    );
  });

  test('counts by its traffic, which is not asked for twice', () => {
    const { text, without } = adviceOn(EVEN, { mix: { satellite: 60, cable: 40 } });
    expect(without).toMatchObject({ link: 'satellite' });
    expect(text).toContain('are about even.\n');
    expect(adviceOn(EVEN, { mix: { satellite: 1 } }).without).toBeUndefined();
  });
});

describe('each page over all its links', () => {
  type Grid = Readonly<Record<string, Readonly<Record<string, Slowdowns | undefined>>>>;
  const adviceOf = (pages: Grid, wish: Wish & Pick<AdviceRequest, 'tree'> = {}) => {
    const conditions = Object.entries(pages).flatMap(([page, links]) =>
      Object.entries(links).map(([profile, slowdowns]): AdviceCondition => {
        const id = `${page}|${profile}`;
        const decision = slowdowns && knownDecision(id, slowdowns);
        return { id, title: `${page} over ${profile}`, site: page, profile, decision };
      }),
    );
    const { served = 'h2', forced = true, ...rest } = wish;
    return advise({ conditions, arms: ARMS, rule: RULES.default, metric: 'plt', served, forced, ...rest })!;
  };
  const h1Wins = { h1: 1, h2: 1.2, h3: 1.3 };
  const TWO: Grid = { shop: { '4g': h3Wins, fibre: h3Loses }, blog: { '4g': h1Wins, fibre: h1Wins } };

  test('has an arm of its own, by the traffic of its links', () => {
    const { byPage } = adviceOf(TWO, { mix: { '4g': 3, fibre: 1 } });
    expect(byPage!.map(({ site, serve }) => ({ site, serve }))).toEqual([
      { site: 'shop', serve: 'h3' },
      { site: 'blog', serve: 'h1' },
    ]);
    expect(byPage![0]!.regretPercent).toBeCloseTo(0.25 * 8, 9);
    expect(byPage![1]!.gain).toMatchObject({ over: 'h2', percent: expect.closeTo(100 * (1 - 1 / 1.2), 9) });
    expect(byPage!.map(({ arms }) => arms.h2!.regretPercent)).toEqual([
      expect.closeTo(0.75 * 25, 9),
      expect.closeTo(20, 9),
    ]);
  });

  test('a page that lacks a link is none of them', () => {
    const { byPage } = adviceOf({ ...TWO, shop: { '4g': h3Wins, fibre: undefined } });
    expect(byPage!.map(({ site }) => site)).toEqual(['blog']);
  });

  test('links count in each page as they do in the traffic, whatever other pages lack', () => {
    const { byPage, byPagePercent } = adviceOf({ shop: { '4g': h3Wins, fibre: h3Loses }, blog: { fibre: h1Wins } });
    // 8 % slower in half of its traffic.
    expect(byPage![0]).toMatchObject({ site: 'shop', serve: 'h3', regretPercent: expect.closeTo(4, 9) });
    expect(byPagePercent).toBeCloseTo(2, 9);
  });

  test('a page that was never measured keeps what a choice by page costs from being told', () => {
    const { byPagePercent } = adviceOf({ ...TWO, news: { '4g': undefined, fibre: undefined } });
    expect(byPagePercent).toBeUndefined();
  });

  test.each<[string, Grid]>([
    ['there is one page', { shop: TWO.shop! }],
    ['there is one link', { shop: { '4g': h3Wins }, blog: { '4g': h1Wins } }],
  ])('has no advice where %s', (_, pages) => {
    expect(adviceOf(pages).byPage).toBeUndefined();
  });

  test('is told to be cheaper than one protocol for everything, where it is', () => {
    const tree = { percent: 1, asks: ['link'] as const };
    const two = adviceOf(TWO, { tree });
    const gain = percentInWords(100 * (1 - 102 / (100 + two.regretPercent)));
    expect(two.text).toContain(`\nChoosing by page would gain ${gain} (any server can, with a host name for each).\n`);
    const alike: Grid = { shop: { '4g': h3Wins, fibre: h1Wins }, blog: { '4g': h3Wins, fibre: h1Wins } };
    const one = adviceOf(alike, { tree });
    expect(one.text).toContain(
      `Better still: choosing by link would gain ${percentInWords(100 * (1 - 101 / (100 + one.regretPercent)))} over HTTP/`,
    );
    expect(adviceOf(alike, { tree }).text).not.toContain('by page');
    const partly: Grid = { ...TWO, shop: { '4g': h3Wins, fibre: undefined } };
    expect(adviceOf(partly, { tree }).text).not.toContain('by page');
  });
});

describe('in words', () => {
  test.each<[string, readonly Row[], Wish, string]>([
    [
      'a clear winner',
      [['4g', h3Wins]],
      {},
      `Serve HTTP/3. Sure: under 5 % chance that another is over 3 % faster.\nGain: 20 % of page load time over HTTP/2 (95 % interval 20 to 20 %).\n${ASSUMES}\nSettled: every answer.`,
    ],
    [
      'one that loses somewhere, and one page that is not clear yet',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
        ['cable', unsettled({ h1: [2], h2: [1.1, 1.2, 1], h3: [1, 1, 1.03] }, 'page 2|cable')],
      ],
      {},
      `Serve HTTP/3 if at least 12 % of visitors have 4g (mobile), the rest evenly spread: it is then over 3 % faster. Without them keep HTTP/2 (about even).\nBest by link: HTTP/3 for 4g and cable; HTTP/1.1 or HTTP/2 for fibre.\nSure if 33 % have 4g: under 5 % chance that another is over 3 % faster.\nMean gain: 8.1 % of page load time over HTTP/2 (95 % interval 4.3 to 11 %).\nHTTP/3 is slower than HTTP/2 in page 1 over fibre, by 8 %.\n${ASSUMES}\nNot settled: 1 of 3 conditions; a better choice there would gain at most 0.3 %.`,
    ],
    [
      'nothing to change, though it costs something somewhere',
      [
        ['4g', { h1: 1.2, h2: 1, h3: 1.2 }],
        ['fibre', { h1: 1.2, h2: 1.04, h3: 1 }],
      ],
      {},
      'Keep HTTP/2 if at least 30 % of visitors have 4g (mobile): it is then over 3 % faster. Without them HTTP/3 is 3.8 % faster than HTTP/2.\nSure if 50 % have 4g: under 5 % chance that another is over 3 % faster.\nHTTP/2 is slower than HTTP/3 in page 1 over fibre, by 4 %.\nSettled: every answer.',
    ],
    [
      'nothing to change, and another one as good',
      [['4g', { h1: 1.2, h2: 1, h3: 1.01 }]],
      {},
      'Keep HTTP/2: HTTP/3 is within 3 % of the best too. This is sure.\nSettled: every answer.',
    ],
    [
      'nothing to change, and all as good',
      [['4g', { h1: 1.01, h2: 1, h3: 1.01 }]],
      {},
      'Keep HTTP/2: HTTP/1.1 and HTTP/3 are within 3 % of the best too. This is sure.\nSettled: every answer.',
    ],
    [
      'two as good, of which one is served',
      [['4g', { h1: 1.2, h2: 1.02, h3: 1 }]],
      { forced: false },
      'Serve HTTP/3 or HTTP/2: both are within 3 % of the best. This is sure.\nGain: 2 % of page load time over HTTP/2 (95 % interval 2 to 2 %).\nSettled: every answer.',
    ],
    [
      'all as good',
      [['4g', { h1: 1, h2: 1.001, h3: 1.002 }]],
      {},
      'Serve HTTP/1.1, HTTP/2 or HTTP/3: all are within 3 % of the best. This is sure.\nGain: 0.1 % of page load time over HTTP/2 (95 % interval 0.1 to 0.1 %).\nSettled: every answer.',
    ],
    [
      'an early answer',
      [
        [
          '4g',
          decisionOf(
            'c',
            { h1: [2], h2: [1, 1.2, 1.2, 1.2, 1.2, 1.2], h3: [1.2, 1, 1, 1, 1, 1] },
            { sureness: 'likely', settled: false },
          ),
        ],
      ],
      { forced: false },
      'Serve HTTP/3. This is likely, but not sure yet.\nGain: 17 % of page load time over HTTP/2 (95 % interval −20 to 17 %).\nNot settled: 1 of 1 condition; a better choice there would gain at most 3.4 %.',
    ],
    [
      'what is hardly known',
      [['4g', unsettled({ h1: [2], h2: [1, 1.3], h3: [1.2, 1] })]],
      { forced: false },
      'Serve HTTP/3. This is far from sure yet.\nGain: 23 % of page load time over HTTP/2 (95 % interval −20 to 23 %).\nNot settled: 1 of 1 condition; a better choice there would gain at most 10 %.',
    ],
    [
      'links that were not measured',
      [
        ['4g', h3Loses],
        ['dsl', undefined],
        ['fibre', undefined],
      ],
      { served: 'h1', mix: { '4g': 1, dsl: 1, fibre: 1, '3g': 1 } },
      'Keep HTTP/1.1: HTTP/2 is within 3 % of the best too. This is sure.\nNot measured: dsl, fibre and 3g, which your traffic has too.\nNot settled: 2 of 3 conditions, which are not measured.',
    ],
    [
      'pages that were not measured, and one that is not clear',
      [
        ['4g', { h1: 1.2, h2: 1, h3: 1.2 }],
        ['4g', unsettled({ h1: [2], h2: [1, 1, 1.04], h3: [1.3, 1.2, 1] })],
        ['4g', undefined],
        ['4g', undefined],
      ],
      {},
      'Keep HTTP/2. Sure: under 5 % chance that another is over 3 % faster.\nNot settled: 3 of 4 conditions; 2 of them are not measured, a better choice for the other would gain at most 0.7 %.',
    ],
    [
      'one arm alone',
      [['4g', { h2: 1 }]],
      { arms: ARMS.slice(1, 2) },
      'Serve HTTP/2: nothing else was measured.\nSettled: every answer.',
    ],
    [
      'arms of other names',
      [['4g', { cubic: 1.2, bbr: 1 }]],
      {
        arms: [
          { name: 'cubic', protocol: 'h2', title: 'cubic' },
          { name: 'bbr', protocol: 'h2', title: 'bbr' },
        ],
        served: 'cubic',
      },
      'Serve bbr. Sure: under 5 % chance that another is over 3 % faster.\nGain: 17 % of page load time over cubic (95 % interval 17 to 17 %).\nSettled: every answer.',
    ],
  ])('%s', (_, rows, wish, text) => {
    expect(adviceOn(rows, wish).text).toBe(text);
  });

  test('what is slower than today is said to be', () => {
    const advice = adviceOn([['4g', h3Wins]], { forced: false });
    const gain = { over: 'h2', percent: -2, interval: [-5, 1] } as const;
    expect(writeAdvice({ ...advice, gain }, { conditions: [], arms: ARMS, rule: RULES.default, metric: 'plt' })).toBe(
      'Serve HTTP/3. Sure: under 5 % chance that another is over 3 % faster.\nGain: −2 % of page load time over HTTP/2 (95 % interval −5 to 1 %).\nSettled: every answer.',
    );
  });

  test('by the rule of 2015 its margin is named', () => {
    const advice = adviceOn([['4g', { h1: 1.2, h2: 1, h3: 1.01 }]]);
    expect(writeAdvice(advice, { conditions: [], arms: ARMS, rule: RULES.kramer2015, metric: 'plt' })).toMatch(
      /within 10 % of the best/,
    );
  });
});

describe('one protocol for everything is a compromise', () => {
  const rows: readonly Row[] = [
    ['4g', h3Wins],
    ['lossy', { h1: 1, h2: 1.9, h3: 1.8 }],
  ];
  const withTree = (percent: number | undefined, asks: readonly TreeSubject[] = ['page', 'link']) =>
    advise({
      conditions: conditionsOf(rows),
      arms: ARMS,
      rule: RULES.default,
      metric: 'plt',
      served: 'h2',
      forced: true,
      tree: percent === undefined ? undefined : { percent, asks },
    })!;

  test('where a tree costs less by more than the margin: that is said, with what it gains', () => {
    const advice = withTree(16);
    expect([advice.serve, advice.regretPercent]).toEqual(['h1', 25]);
    expect(advice.byTreePercent).toBe(16);
    expect(advice.text).toContain(
      'Better still: choosing by page and link would gain 7.2 % over HTTP/1.1 (by page any server can, with a host name for each; by link only a CDN can).\n',
    );
    expect(advice.text).toMatch(/^Serve HTTP\/1.1/);
  });

  test('where it costs less by more than ten percentage points, the tree is the advice', () => {
    const { text } = withTree(1.2);
    const [first, second] = text.split('\n');
    expect(first).toBe(
      'No protocol is good everywhere. Choosing by page and link would gain 19 % over HTTP/1.1, as the decision tree says (by page any server can, with a host name for each; by link only a CDN can).',
    );
    expect(second).toMatch(/^If it has to be one, serve HTTP\/1.1/);
  });

  test('and what a choice by page alone gains stands last', () => {
    const advice = { ...withTree(1.2), byPagePercent: 10 };
    expect(writeByTree(advice, () => 'HTTP/1.1')).toEqual([
      'No protocol is good everywhere.',
      'Choosing by page and link would gain 19 % over HTTP/1.1, as the decision tree says (by page any server can, with a host name for each; by link only a CDN can); by page alone 12 %.',
    ]);
  });

  test('not where it asks about links alone, which a server does not see', () => {
    const { text } = withTree(1.2, ['link']);
    expect(text).toMatch(/^Serve HTTP\/1.1/);
    expect(text).toContain('Better still: choosing by link would gain 19 % over HTTP/1.1 (only a CDN can).\n');
  });

  test.each([undefined, 22.1, 25])('not where the tree costs %p %', (treePercent) => {
    const advice = withTree(treePercent);
    expect(advice.byTreePercent).toBeUndefined();
    expect(advice.text).not.toContain('decision tree');
  });
});
