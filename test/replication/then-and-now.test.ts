import { describe, expect, test } from '@jest/globals';
import { compareStudy } from '../../harness/comparison/estimate.ts';
import type { Stopping } from '../../harness/model/comparison.ts';
import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';
import type { Asked, HoldsIn, Paper, PaperPlace, PaperPlaces } from '../../harness/model/paper.ts';
import { referencePageOf } from '../../harness/model/reference.ts';
import type { Plan } from '../../harness/model/study.ts';
import type { ClaimFinding } from '../../harness/model/then-and-now.ts';
import { claimStandingOf, drawnStandingOf } from '../../harness/replication/claim-standing.ts';
import type { DrawnCase } from '../../harness/replication/drawn-answer.ts';
import { liesIn } from '../../harness/replication/places.ts';
import { describeMachinesPart } from '../../harness/replication/wording.ts';
import { judgedAs, judgeMeasurements, syntheticStudy, type Truth } from './papers/synthetic.ts';

const SITES = ['a', 'b', 'c', 'd'];
const ALL: PaperPlaces = { site: SITES, rateKbps: [1000], rttMs: [10], lossPercent: [0] };

/** A paper with one claim. */
function paperOf(
  asks: Asked,
  holdsIn: HoldsIn = 'each',
  where: readonly PaperPlaces[] = [{ ...ALL, site: ['a'] }],
): Paper {
  return {
    name: 'kramer2015',
    short: 'Test',
    citation: 'Test',
    task: 'Test',
    margin: 0.05,
    tables: [],
    notes: [],
    arms: {
      old: { called: 'Old', protocol: 'h1' },
      new: { called: 'New', protocol: 'h2' },
      newest: { called: 'Newest', protocol: 'h3' },
    },
    sites: Object.fromEntries(
      SITES.map((site, index) => [site, { objects: [10, 20, 30, 40][index]!, bytes: [3, 4, 1, 2][index]! }]),
    ),
    claims: [{ id: 'claim', says: 'it is so', where: 'table 1', published: 'so', question: { where, asks, holdsIn } }],
  };
}

function judge(paper: Paper, truth: Truth, blocks = 10, change = {}): ClaimFinding {
  const { plan, measurements } = syntheticStudy({ paper, truth, blocks, change: { seed: 3, ...change } });
  return judgeMeasured(paper, plan, measurements);
}

function judgeMeasured(paper: Paper, plan: Plan, measurements: readonly Measurement[]): ClaimFinding {
  return judgedAs(paper, plan, measurements).claims[0]!;
}

type Times = Readonly<Record<string, number | 'failed'>>;

const times =
  (of: Times, figure: keyof LoadFigures = 'pltMs'): Truth =>
  (_, arm) =>
    of[arm] === 'failed' ? 'failed' : { [figure]: of[arm] as number };

describe('ratio: an arm over each other', () => {
  const faster: Asked = {
    kind: 'ratio',
    figure: 'pltMs',
    range: { below: 0.8 },
    pairs: [{ of: { arm: 'new' }, to: [{ arm: 'old' }, { arm: 'newest' }] }],
  };
  const alike: Asked = {
    kind: 'ratio',
    figure: 'pltMs',
    range: { above: 0.9, below: 1 / 0.9 },
    pairs: [{ of: { arm: 'new' }, to: [{ arm: 'old' }] }],
  };
  test.each<[string, Asked, Times, string]>([
    ['faster than both by what is claimed', faster, { new: 70, old: 100, newest: 100 }, 'holds'],
    ['faster than one by it, than the other by less', faster, { new: 70, old: 100, newest: 80 }, 'no longer'],
    ['as fast', faster, { new: 100, old: 100, newest: 100 }, 'no longer'],
    ['slower by less than a difference', faster, { new: 102, old: 100, newest: 100 }, 'no longer'],
    ['slower than both', faster, { new: 120, old: 100, newest: 100 }, 'reversed'],
    ['slower than one, faster than the other', faster, { new: 120, old: 100, newest: 200 }, 'no longer'],
    ['at the very edge of what is claimed', faster, { new: 80, old: 100, newest: 200 }, 'not comparable'],
    ['where the others fail', faster, { new: 80, old: 'failed', newest: 'failed' }, 'holds'],
    ['where it fails itself', faster, { new: 'failed', old: 100, newest: 100 }, 'reversed'],
    ['where all fail', faster, { new: 'failed', old: 'failed', newest: 'failed' }, 'not comparable'],
    ['alike', alike, { new: 103, old: 100, newest: 1 }, 'holds'],
    ['not alike', alike, { new: 130, old: 100, newest: 1 }, 'no longer'],
    ['not alike, the other way', alike, { new: 60, old: 100, newest: 1 }, 'no longer'],
    ['alike or not', alike, { new: 111, old: 100, newest: 1 }, 'not comparable'],
  ])('%s', (_, asks, of, standing) => {
    expect(judge(paperOf(asks), times(of)).standing).toBe(standing);
  });

  test('its number is the study’s own ratio, with the same interval', () => {
    const paper = paperOf(faster);
    for (const stopping of [
      { kind: 'exactly', blocks: 12 },
      { kind: 'exactly', blocks: 40 },
      { kind: 'early', until: 'proven', cap: 12 },
    ] as const) {
      const { plan, measurements } = syntheticStudy({
        paper,
        truth: times({ new: 98, old: 100, newest: 99 }),
        blocks: 12,
        change: { stopping },
      });
      const { records, judgement } = judgeMeasurements(plan, measurements);
      const own = compareStudy(plan, records, judgement).find(({ a, b }) => a === 'new' && b === 'old')!;
      const { value, interval, blocks } = judgeMeasured(paper, plan, measurements).cases[0]!.numbers[0]!;
      expect(value).toBeCloseTo(own.ratio, 12);
      expect(interval![0]).toBeCloseTo(own.interval[0], 12);
      expect(interval![1]).toBeCloseTo(own.interval[1], 12);
      expect(blocks).toBe(own.blocks);
    }
  });

  test.each([
    ['connections', 'connections'],
    ['bytes', 'bytesDown'],
    ['throughputKbps', 'throughputKbps'],
    ['fairness', 'fairness'],
    ['overheadPercent', 'overheadPercent'],
    ['wireDownKbps', 'bytesReceived'],
    ['overheadDownPercent', 'bytesReceived'],
  ] as const)('of %s', (figure, own) => {
    const asks: Asked = { ...faster, figure } as Asked;
    const others = own === 'bytesDown' ? { bytesUp: 0 } : own === 'bytesReceived' ? { payloadBytes: 1 } : {};
    const truth: Truth = (_, arm) => ({ [own]: arm === 'new' ? 50 : 100, ...others });
    expect(judge(paperOf(asks), truth).standing).toBe('holds');
  });

  const ahead: Asked = { ...faster, range: { below: 1 } };
  test.each([
    ['by more than what counts as alike', 90, 'holds'],
    ['by however little', 97, 'holds'],
    ['not at all', 100, 'no longer'],
    ['behind by as little', 103, 'no longer'],
    ['behind', 110, 'reversed'],
  ])('ahead %s', (_, own, standing) => {
    const of = times({ new: own, old: 100, newest: 100 });
    expect(judge(paperOf(ahead), of, 30)).toMatchObject({ standing, sureness: 'proven' });
    expect(judge(paperOf(ahead), of, 5)).toMatchObject({ standing, sureness: 'sure' });
    expect(judge(paperOf(ahead), of, 1).standing).toBe('not comparable');
  });

  test('of what failed there is nothing to compare, however much was measured', () => {
    const { lacks } = judge(paperOf(faster), times({ new: 'failed', old: 'failed', newest: 'failed' }));
    expect(lacks).toMatch(/^what failed leaves nothing to compare in 1 of 1/);
  });

  test('too few blocks are too little to tell, and it is said so', () => {
    const { standing, lacks, measured } = judge(paperOf(faster), times({ new: 70, old: 100, newest: 100 }), 1);
    expect(standing).toBe('not comparable');
    expect(lacks).toMatch(/^too little measured to tell in 1 of 1/);
    expect(measured).toContain('too few blocks for an interval: 1');
  });

  test('two blocks make a claim likely, and three sure', () => {
    const of = times({ new: 70, old: 100, newest: 100 });
    expect(judge(paperOf(faster), of, 2)).toMatchObject({ standing: 'holds', sureness: 'likely' });
    expect(judge(paperOf(faster), of, 3)).toMatchObject({ standing: 'holds', sureness: 'sure' });
  });

  test('an arm in another place', () => {
    const asks: Asked = {
      kind: 'ratio',
      figure: 'pltMs',
      range: { above: 1 },
      pairs: [{ of: { arm: 'new' }, to: [{ arm: 'new', at: { site: 'b' } }] }],
    };
    const paper = paperOf(asks);
    const where = [{ ...ALL, site: ['a', 'b'] }];
    const both = {
      ...paper,
      claims: [{ ...paper.claims[0]!, id: 'other', question: { ...paper.claims[0]!.question, where } }],
    };
    const { plan, measurements } = syntheticStudy({
      paper: both,
      truth: ({ site }) => ({ pltMs: site === 'a' ? 250 : 100 }),
    });
    expect(judgeMeasured(paper, plan, measurements)).toMatchObject({
      standing: 'holds',
      measured: expect.stringMatching(/^new against new of b 2\.5 times/),
    });
  });
});

describe('growth: an arm against itself', () => {
  const asks: Asked = {
    kind: 'growth',
    figure: 'pltMs',
    arms: ['new'],
    range: { above: 2 },
    dimension: 'lossPercent',
    from: 0,
    to: 2,
  };
  const where = [{ site: ['a'], rateKbps: [1000], rttMs: [10] }];
  test.each([
    ['holds', 3],
    ['no longer', 1.5],
    ['no longer', 1],
    ['reversed', 0.5],
    ['not comparable', 2],
  ])('%s: %d times', (standing, factor) => {
    const truth: Truth = ({ lossPercent }) => ({ pltMs: lossPercent === 2 ? 100 * factor : 100 });
    expect(judge(paperOf(asks, 'each', where), truth).standing).toBe(standing);
  });
});

describe('outgrows: how an arm grows, over how others do', () => {
  const asks: Asked = {
    kind: 'outgrows',
    figure: 'pltMs',
    arm: 'new',
    others: ['old', 'newest'],
    range: { above: 1 },
    dimension: 'lossPercent',
    from: 0,
    to: 2,
  };
  const where = [{ site: ['a'], rateKbps: [1000], rttMs: [10] }];
  test.each<[string, Times]>([
    ['holds', { new: 300, old: 200, newest: 100 }],
    ['no longer', { new: 200, old: 100, newest: 300 }],
    ['reversed', { new: 100, old: 200, newest: 300 }],
  ])('%s: %j', (standing, lossy) => {
    const truth: Truth = ({ lossPercent }, arm) => ({ pltMs: lossPercent === 2 ? (lossy[arm] as number) : 100 });
    expect(judge(paperOf(asks, 'each', where), truth).standing).toBe(standing);
  });
});

describe('sum: over all places together', () => {
  const asks: Asked = { kind: 'sum', figure: 'pltMs', of: 'new', to: 'old', range: { below: 1 } };
  test.each<[string, Readonly<Record<string, number>>]>([
    ['holds', { a: 50, b: 50, c: 50, d: 130 }],
    ['reversed', { a: 50, b: 50, c: 50, d: 400 }],
    ['no longer', { a: 100, b: 100, c: 100, d: 110 }],
  ])('%s: %j', (standing, own) => {
    const truth: Truth = ({ site }, arm) => ({ pltMs: arm === 'new' ? own[site!]! : 100 });
    const found = judge(paperOf(asks, 'each', [ALL]), truth);
    expect(found.standing).toBe(standing);
    expect(found.cases).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['holds', '', 'a'],
    ['holds', 'a', 'ab'],
    ['reversed', 'abc', 'ab'],
    ['not comparable', 'ab', 'cd'],
  ])('%s where it fails in (%s), and the other in (%s)', (standing, own, other) => {
    const truth: Truth = ({ site }, arm) =>
      (arm === 'new' ? own : other).includes(site!) ? 'failed' : { pltMs: arm === 'new' ? 110 : 100 };
    expect(judge(paperOf(asks, 'each', [ALL]), truth).standing).toBe(standing);
  });

  test('of those that were measured, the others being named', () => {
    const paper = paperOf(asks, 'each', [ALL]);
    const truth: Truth = (_, arm) => ({ pltMs: arm === 'new' ? 50 : 100 });
    const places = [{ site: 'a', rateKbps: 1000, rttMs: 10, lossPercent: 0 }];
    const { plan, measurements } = syntheticStudy({ paper, truth, places });
    expect(judgeMeasured(paper, plan, measurements)).toMatchObject({
      standing: 'holds',
      missing: ['b', 'c', 'd'],
      cases: [{ title: '1 of 4 together', numbers: [{ says: 'new against old (1 of 4 together)' }] }],
    });
  });
});

describe('follows: requests more than bytes', () => {
  const asks: Asked = { kind: 'follows', figure: 'pltMs', arms: ['old', 'new'] };
  test.each<[string, readonly number[]]>([
    ['holds', [100, 200, 300, 400]],
    ['reversed', [300, 400, 100, 200]],
    ['not comparable', [100, 100, 100, 100]],
  ])('%s: %j', (standing, own) => {
    const truth: Truth = ({ site }) => ({ pltMs: own[SITES.indexOf(site!)]! });
    expect(judge(paperOf(asks, 'each', [ALL]), truth).standing).toBe(standing);
  });
  test('two places always lie on a line', () => {
    const truth: Truth = ({ site }) => ({ pltMs: SITES.indexOf(site!) + 1 });
    expect(judge(paperOf(asks, 'each', [{ ...ALL, site: ['a', 'b'] }]), truth).standing).toBe('not comparable');
  });
});

describe('beats: by the study’s own verdicts', () => {
  const asks: Asked = { kind: 'beats', arm: 'newest', others: ['old', 'new'] };
  test.each<[string, string, Times, number]>([
    ['holds', 'proven', { newest: 50, new: 100, old: 100 }, 20],
    ['no longer', 'proven', { newest: 50, new: 50, old: 100 }, 20],
    ['no longer', 'proven', { newest: 75, new: 50, old: 100 }, 20],
    ['reversed', 'proven', { newest: 200, new: 100, old: 100 }, 20],
    ['holds', 'sure', { newest: 50, new: 100, old: 100 }, 7],
    ['holds', 'likely', { newest: 50, new: 100, old: 100 }, 3],
    ['no longer', 'sure', { newest: 75, new: 50, old: 100 }, 7],
  ])('%s, %s: %j in %d blocks', (standing, sureness, of, blocks) => {
    const found = judge(paperOf(asks), times(of), blocks, { rule: { advantage: 0.1, share: 0.5 } });
    expect(found).toMatchObject({ standing, sureness });
  });
  test('where something else decided, nothing', () => {
    expect(judge(paperOf(asks), times({ newest: 50, new: 100, old: 100 }), 20, { metric: 'lcp' })).toMatchObject({
      standing: 'not comparable',
      lacks: 'what decided here is lcp, not the load time',
    });
  });
});

describe('completes: where another does not', () => {
  const asks: Asked = { kind: 'completes', arm: 'newest', other: 'old' };
  test.each<[string, string, Times, number]>([
    ['holds', 'proven', { newest: 100, old: 'failed', new: 1 }, 6],
    // Two things are asked: each must be the clearer to be not so.
    ['no longer', 'sure', { newest: 100, old: 100, new: 1 }, 6],
    ['no longer', 'proven', { newest: 100, old: 100, new: 1 }, 7],
    ['no longer', 'proven', { newest: 'failed', old: 'failed', new: 1 }, 7],
    ['reversed', 'proven', { newest: 'failed', old: 100, new: 1 }, 7],
    ['holds', 'likely', { newest: 100, old: 'failed', new: 1 }, 5],
    ['holds', 'likely', { newest: 100, old: 'failed', new: 1 }, 3],
  ])('%s, %s: %j in %d blocks', (standing, sureness, of, blocks) => {
    const found = judge(paperOf(asks), times(of), blocks);
    expect(found).toMatchObject({ standing, sureness });
    expect(found.measured).toContain(`of ${blocks} completed`);
  });

  test('counts the loads of those places that have some', () => {
    const paper = paperOf(asks, 'each', [ALL]);
    const { plan, measurements } = syntheticStudy({ paper, truth: times({ newest: 100, old: 'failed', new: 1 }) });
    const measuredIn = (count: number) => {
      const some = plan.conditions.slice(0, count).map(({ id }) => id);
      return judgeMeasured(
        paper,
        plan,
        measurements.filter(({ condition }) => some.includes(condition)),
      ).measured;
    };
    expect(measuredIn(3)).toBe('newest: 30 of 30 completed; old: 0 of 30 completed');
    expect(measuredIn(0)).toBe('open in 4 of 4');
  });
});

describe('while a study lacks blocks that were asked for, it proves no more than one that may stop at any moment', () => {
  const of = { newest: 100, new: 100, old: 'failed' } as const;
  const standingOf = (asks: Asked, stopping: Stopping) => judge(paperOf(asks), times(of), 6, { stopping });
  test.each<[string, Asked]>([
    [
      'ratios',
      { kind: 'ratio', figure: 'pltMs', pairs: [{ of: { arm: 'new' }, to: [{ arm: 'old' }] }], range: { below: 1 } },
    ],
    ['what completes', { kind: 'completes', arm: 'new', other: 'old' }],
  ])('of %s', (_, asks) => {
    expect(standingOf(asks, { kind: 'exactly', blocks: 6 }).sureness).toBe('proven');
    expect(standingOf(asks, { kind: 'exactly', blocks: 7 }).sureness).toBe('sure');
    expect(standingOf(asks, { kind: 'early', until: 'settled', cap: 7 }).sureness).toBe('sure');
  });

  test('of its tables', () => {
    const paper: Paper = {
      ...paperOf({ kind: 'beats', arm: 'new', others: ['old'] }),
      tables: [
        {
          title: 'Times',
          where: 'table 1',
          labels: ['arm'],
          columns: [{ title: 'seconds', decimals: 2, unit: 1000, figure: 'pltMs' }],
          rows: [{ labels: ['new'], place: { site: 'a' }, arm: 'new', figures: [0.1] }],
        },
      ],
    };
    const cellOf = (stopping: Stopping) => {
      const { plan, measurements } = syntheticStudy({ paper, truth: times(of), blocks: 6, change: { stopping } });
      return judgedAs(paper, plan, measurements).tables[0]!.rows[0]!.cells[0]!;
    };
    expect(cellOf({ kind: 'exactly', blocks: 6 })).toMatchObject({ loads: 6, interval: expect.anything() });
    expect(cellOf({ kind: 'exactly', blocks: 7 })).toMatchObject({ loads: 6, interval: undefined });
  });
});

test('a case that lacks several arms is one case', () => {
  const paper = paperOf({
    kind: 'ratio',
    figure: 'pltMs',
    pairs: [{ of: { arm: 'newest' }, to: [{ arm: 'new' }] }],
    range: { below: 1 },
  });
  const own = syntheticStudy({ paper, truth: times({ old: 1 }), arms: ['old'], change: { seed: 3 } });
  expect(judgeMeasured(paper, own.plan, own.measurements)).toMatchObject({
    missingCases: 1,
    missing: ['Newest', 'New'],
  });
});

describe('a machine that takes more than a third of the load time', () => {
  const truth: Truth = (_, arm) => ({ pltMs: arm === 'old' ? 100 : 50, connections: arm === 'old' ? 6 : 1 });
  const pairs = [{ of: { arm: 'new' }, to: [{ arm: 'old' }] }];
  const asks = (figure: 'pltMs' | 'connections'): Asked => ({ kind: 'ratio', figure, pairs, range: { below: 0.9 } });
  /** Judges a claim with a floor in the first of two places alone. */
  const judgeOver = (figure: 'pltMs' | 'connections', floorMs: number) => {
    const paper = paperOf(asks(figure), 'each', [{ ...ALL, site: ['a', 'b'] }]);
    const { plan, measurements } = syntheticStudy({ paper, truth, change: { seed: 3 } });
    const page = referencePageOf(plan.conditions[0]!);
    const references = [{ page, arm: 'new', watched: false, pltMs: floorMs }];
    return judgedAs(paper, plan, measurements, references).claims[0]!;
  };
  test('has a part in times, where it does, and it is said so', () => {
    const found = judgeOver('pltMs', 20);
    expect(found).toMatchObject({ standing: 'holds', cpuBoundCases: 1 });
    expect(describeMachinesPart(found)).toBe(
      'This machine’s processor takes more than a third of the load time in 1 of 2 places.',
    );
    expect(judgeOver('pltMs', 15)).toMatchObject({ standing: 'holds', cpuBoundCases: 0 });
  });
  test('and none in what is counted', () => {
    const found = judgeOver('connections', 20);
    expect(found).toMatchObject({ standing: 'holds', cpuBoundCases: 0 });
    expect(describeMachinesPart(found)).toBeUndefined();
  });
});

describe('in how many places', () => {
  type Answer = 'so' | 'not so' | 'opposite' | 'open';
  const answers = (counts: Partial<Record<Answer, number>>, isSurelyNot = false) =>
    Object.entries(counts).flatMap(([answer, count]) =>
      Array.from({ length: count }, () => ({
        answer: answer as Answer,
        isSurelyNot: isSurelyNot && answer === 'not so',
      })),
    );
  test.each<[HoldsIn, Partial<Record<Answer, number>>, number, string]>([
    ['each', {}, 0, 'not comparable'],
    ['each', {}, 9, 'not comparable'],
    ['each', { so: 5 }, 0, 'holds'],
    ['each', { so: 5 }, 3, 'holds'],
    ['each', { so: 4, open: 1 }, 0, 'not comparable'],
    ['each', { opposite: 5 }, 0, 'reversed'],
    ['each', { opposite: 4, 'not so': 1 }, 0, 'no longer'],
    // One of twenty may be chance; three are not.
    ['each', { so: 19, 'not so': 1 }, 0, 'not comparable'],
    ['each', { so: 17, 'not so': 3 }, 0, 'no longer'],
    ['not each', { so: 5 }, 0, 'no longer'],
    ['not each', { so: 1, 'not so': 4 }, 0, 'holds'],
    ['not each', { so: 4, open: 1 }, 0, 'not comparable'],
    [{ moreThan: 0.5 }, { so: 3 }, 0, 'holds'],
    [{ moreThan: 0.5 }, { so: 2, 'not so': 1 }, 0, 'holds'],
    [{ moreThan: 0.5 }, { so: 1, 'not so': 2 }, 0, 'no longer'],
    [{ moreThan: 0.5 }, { so: 13, 'not so': 11 }, 0, 'not comparable'],
    [{ moreThan: 0.5 }, { so: 16, 'not so': 8 }, 0, 'holds'],
    [{ moreThan: 0.5 }, { so: 16 }, 8, 'holds'],
    [{ moreThan: 0.5 }, { so: 3 }, 21, 'not comparable'],
    [{ moreThan: 0.5 }, { opposite: 20, so: 4 }, 0, 'reversed'],
    [{ moreThan: 0.5 }, { opposite: 10, 'not so': 10, so: 4 }, 0, 'no longer'],
    [{ moreThan: 0.4 }, { so: 22, 'not so': 26 }, 0, 'holds'],
    [{ moreThan: 0.4 }, { so: 20, 'not so': 28 }, 0, 'not comparable'],
    [{ moreThan: 0.4 }, { so: 10, 'not so': 38 }, 0, 'no longer'],
  ])('%j of %j and %d not measured: %s', (holdsIn, counts, missing, standing) => {
    expect(claimStandingOf(answers(counts), missing, holdsIn)).toBe(standing);
  });

  test('one that is not so beyond doubt is enough', () => {
    expect(claimStandingOf(answers({ so: 19, 'not so': 1 }, true), 0, 'each')).toBe('no longer');
  });
});

describe('where intervals tell nothing, draws', () => {
  const draws = (doubt: number) => new Float64Array(1000).map((_, draw) => Number(draw >= 1000 * doubt));
  const spotOf = (place: number) =>
    ({ place: { site: `${place}` }, objects: 1, bytes: 1 }) as DrawnCase['spots'][number];
  const spots = Array.from({ length: 8 }, (_, place) => spotOf(place));
  /** A case that is not so, but for this doubt. */
  const notSo = (doubt: number, spot: DrawnCase['spots'][number]): DrawnCase => ({
    spots: [spot],
    so: new Float64Array(1000),
    opposite: new Float64Array(1000),
    not: draws(doubt),
    parts: 2,
    intervals: [undefined, undefined],
    isSparse: false,
  });
  const of = (doubt: number, where = spots) =>
    drawnStandingOf(
      where.map((spot) => notSo(doubt, spot)),
      0,
      'each',
    );

  // Three loads of which none fails leave this doubt that most do.
  test('of many places say together what none of so many says by itself', () => {
    expect(of(1 / 16)).toEqual({ standing: 'no longer', sureness: 'likely' });
    expect(of(1 / 32)).toEqual({ standing: 'no longer', sureness: 'sure' });
  });

  test('of one place count once, and such as say nothing add nothing', () => {
    expect(
      of(
        1 / 16,
        spots.map(() => spots[0]!),
      ),
    ).toEqual({ standing: 'not comparable' });
    expect(of(1 / 2)).toEqual({ standing: 'not comparable' });
  });
});

test.each<[string, PaperPlace, boolean]>([
  ['unlimited is no rate', { rateKbps: 1000 }, false],
  ['unlimited', { rateKbps: Number.POSITIVE_INFINITY }, true],
  ['anywhere', {}, true],
  ['without tabs', { tabs: 10 }, false],
])('a place: %s', (_, asked, lies) => {
  const spot = { place: { site: 'a', rateKbps: Number.POSITIVE_INFINITY, rttMs: 0 }, objects: 1, bytes: 1 };
  expect(liesIn(spot, asked)).toBe(lies);
});
