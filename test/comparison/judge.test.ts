import { describe, expect, test } from '@jest/globals';
import { strongestClaim } from '../../harness/comparison/evidence.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { beat, outcomeOf } from '../../harness/comparison/outcome.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { ConditionRecord, Judgement, JudgingPlan, PairJudgement } from '../../harness/model/comparison.ts';
import { discoveryThreshold } from '../../harness/stats/e-bh.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom, shuffled } from '../../harness/stats/random.ts';
import { planFor, recordOf, type Times } from './blocks.ts';

const KRAMER = { rule: RULES.kramer2015 } as const;

function judgePair(count: number, h2: Times, h3: Times, more: Parameters<typeof planFor>[1] = {}): PairJudgement {
  const record = recordOf('c', count, { h2, h3 });
  return judgeStudy(planFor([record], more), [record]).conditions[0]!.pairs[0]!;
}

describe('one comparison, whose threshold is 60', () => {
  test.each([
    ['9 blocks of 9 are a verdict', 9, 1000, 900, {}, 'a'],
    ['8 of 8 are none', 8, 1000, 900, {}, 'undecided'],
    ['the later arm may lose', 9, 900, 1000, {}, 'b'],
    ['2 % are a tie', 9, 1000, 980, {}, 'tie'],
    ['exactly 3 % are no tie', 9, 1000, 970, {}, 'a'],
    ['kramer2015 asks for 17', 17, 1000, 900, KRAMER, 'a'],
    ['16 are too few for it', 16, 1000, 900, KRAMER, 'undecided'],
    ['9 % are a tie to it', 7, 1000, 910, KRAMER, 'tie'],
    ['a failure loses', 9, 1000, 'failed', {}, 'b'],
    ['where both fail neither is better, nor are they equally fast', 40, 'failed', 'failed', {}, 'undecided'],
    ['which is so for kramer2015, too', 40, 'failed', 'failed', KRAMER, 'undecided'],
    [
      'where both fail at times it takes longer to tell',
      15,
      [1000, 1000, 'failed'],
      [1000, 1000, 'failed'],
      {},
      'undecided',
    ],
    ['and may be told still', 100, [1000, 1000, 1000, 'failed'], [1000, 1000, 1000, 'failed'], {}, 'tie'],
    ['half and half proves nothing', 40, 1000, [900, 1100], {}, 'undecided'],
  ] as const)('%s', (_, count, h2, h3, more, verdict) => {
    expect(judgePair(count, h2, h3, more).verdict).toBe(verdict);
  });

  test('the e-value is that of the moment of the verdict, the counts are of all blocks', () => {
    // The third arm keeps the condition open.
    const record = recordOf('c', 30, { h1: [1000, 1200], h2: 2000, h3: [1100] });
    const { pairs } = judgeStudy(planFor([record]), [record]).conditions[0]!;
    const decided = pairs.find((pair) => pair.a === 'h2' && pair.b === 'h1')!;
    expect(decided).toMatchObject({ verdict: 'b', blocks: 30, bWon: 30 });
    expect(decided.decidedAfter).toBeLessThan(20);
    expect(Math.exp(decided.logEValue)).toBeCloseTo(
      (2 ** (decided.decidedAfter! + 1) - 1) / (decided.decidedAfter! + 1),
      3,
    );
  });
});

test('every hypothesis of the plan counts, so that more conditions ask for more evidence', () => {
  const clear = recordOf('clear', 20, { h2: 1000, h3: 900 });
  const unclear = (id: string) => recordOf(id, 20, { h2: 1000, h3: [900, 1100] });
  const records = [clear, unclear('x'), unclear('y'), unclear('z')];
  const { conditions, hypotheses } = judgeStudy(planFor(records), records);
  expect(hypotheses).toBe(12);
  // 240 at least: (2^11 - 1) / 11 is 186, (2^12 - 1) / 12 is 341.
  expect(conditions[0]!.pairs[0]!.decidedAfter).toBe(11);
});

describe('no verdict', () => {
  test('before three launches', () => {
    const record = recordOf('c', 30, { h2: 1000, h3: 900 });
    const late = record.blocks.map((block) => ({ ...block, launch: block.index < 20 ? block.index % 2 : 2 }));
    expect(judgeStudy(planFor([record]), [{ ...record, blocks: late }]).conditions[0]!.pairs[0]!.decidedAfter).toBe(21);
  });

  test('while more than 5 % of an arm are void', () => {
    const record = recordOf('c', 30, { h2: 1000, h3: 900 }, { voids: [{ block: 4, arm: 'h2' }] });
    const [condition] = judgeStudy(planFor([record]), [record]).conditions;
    // One of twenty is 5 %: nineteen blocks and the void one.
    expect(condition!.pairs[0]!.decidedAfter).toBe(19);
    expect(condition!.voidShares).toEqual({ h2: 1 / 20, h3: 0 });
    const many = { ...record, voids: [1, 5, 9, 13].map((block) => ({ block, arm: 'h3' })) };
    expect(judgeStudy(planFor([many]), [many]).conditions[0]).toMatchObject({ tooManyVoid: true, state: 'open' });
  });

  test('where the blocks that were void ended the condition, which are counted then', () => {
    // A second condition goes on, and with it e-BH: what the first one lacks is not to be given to it afterwards.
    const voids = Array.from({ length: 10 }, () => ({ block: 20, arm: 'h3' }));
    const broken = recordOf('broken', 20, { h2: 1000, h3: 900 }, { voids });
    const [condition] = judgeStudy(planFor([broken]), [broken]).conditions;
    expect(condition).toMatchObject({ state: 'decided', voidShares: { h3: 0 } });
    const unclear = recordOf('broken', 20, { h2: 1000, h3: [900, 1100] }, { voids });
    expect(judgeStudy(planFor([unclear]), [unclear]).conditions[0]).toMatchObject({
      ...{ state: 'broken', tooManyVoid: true, voidShares: { h2: 0, h3: 10 / 30 } },
    });
  });

  test('from blocks after the cap', () => {
    const late = Array.from({ length: 100 }, (_, index) => (index < 20 ? [900, 1100][index % 2]! : 900));
    expect(judgePair(100, 1000, late, { stopping: { kind: 'early', cap: 20 } }).verdict).toBe('undecided');
    expect(judgePair(100, 1000, late).verdict).toBe('a');
  });
});

test('what one condition could not decide by itself another may, and is not given up while it may', () => {
  // 12 of 13 blocks are evidence of 90: too little for one of six hypotheses (120), enough for two of them (60 each).
  const twelveOf13 = [1100, ...Array.from({ length: 12 }, () => 900)];
  const records = ['first', 'second'].map((id) => recordOf(id, 13, { h2: 1000, h3: twelveOf13 }));
  const plan = { ...planFor(records, { stopping: { kind: 'early', cap: 13 } }), atOnce: 1 };
  const { conditions } = judgeStudy(plan, records);
  expect(conditions.map(({ blocks, pairs }) => [blocks, pairs[0]!.verdict])).toEqual([
    [13, 'a'],
    [13, 'a'],
  ]);
});

describe('a fixed number of blocks', () => {
  const exactly = { stopping: { kind: 'exactly', blocks: 30 } } as const;
  test('is judged once it is reached, on all of them', () => {
    expect(judgePair(29, 1000, 900, exactly).verdict).toBe('undecided');
    expect(judgePair(30, 1000, 900, exactly)).toMatchObject({ verdict: 'a', decidedAfter: 30 });
    expect(judgePair(40, 1000, 900, exactly).blocks).toBe(30);
  });

  test('forgets what looked clear in between', () => {
    const turning = Array.from({ length: 30 }, (_, index) => (index < 15 ? 900 : 1100));
    expect(judgePair(30, 1000, turning).verdict).toBe('a');
    expect(judgePair(30, 1000, turning, exactly).verdict).toBe('undecided');
  });
});

describe('the state of a condition', () => {
  const stateOf = (count: number, h3: Times, cap: number) => {
    const record = recordOf('c', count, { h2: 1000, h3 });
    const { state, blocks } = judgeStudy(planFor([record], { stopping: { kind: 'early', cap } }), [record])
      .conditions[0]!;
    return { state, blocks };
  };
  test.each([
    ['open while something is undecided', 20, [900, 1100], 100, { state: 'open', blocks: 20 }],
    ['decided once nothing is', 20, 900, 100, { state: 'decided', blocks: 9 }],
    ['decided at the cap too', 20, 900, 9, { state: 'decided', blocks: 9 }],
    ['hopeless where the blocks left cannot decide it', 20, [900, 1100], 20, { state: 'hopeless', blocks: 8 }],
    ['full at the cap', 20, [900, 900, 900, 900, 900, 900, 900, 900, 1100], 9, { state: 'full', blocks: 9 }],
  ] as const)('%s', (_, count, h3, cap, expected) => {
    expect(stateOf(count, h3, cap)).toEqual(expected);
  });
});

test('an arm alone is measured up to the cap', () => {
  const record = recordOf('c', 20, { h2: 1000 });
  const judged = (cap: number) =>
    judgeStudy(planFor([record], { stopping: { kind: 'early', cap } }), [record]).conditions[0];
  expect(judged(20)).toMatchObject({ state: 'full', blocks: 20, pairs: [] });
  expect(judged(100)).toMatchObject({ state: 'open', label: { unbeaten: ['h2'] } });
});

/** A study of six conditions of which some are clear, some ties, some neither. */
function mixedRecords(seed: number, count = 60): ConditionRecord[] {
  const random = seededRandom(seed);
  return [0.8, 0.9, 0.95, 0.97, 1, 1.05].map((ratio, condition) =>
    recordOf(`${condition}`, count, {
      h1: Array.from({ length: count }, () => 1000 * Math.exp(0.05 * normalDeviate(random))),
      h2: Array.from({ length: count }, () => 1000 * ratio * Math.exp(0.05 * normalDeviate(random))),
      h3: Array.from({ length: count }, () =>
        random() < 0.1 ? 'failed' : 900 * Math.exp(0.02 * normalDeviate(random)),
      ),
    }),
  );
}

const verdictsOf = ({ conditions }: Judgement) =>
  conditions.flatMap(({ condition, pairs }) =>
    pairs.map(({ a, b, verdict, decidedAfter }) => ({ condition, a, b, verdict, decidedAfter })),
  );

describe('for any study', () => {
  const seeds = Array.from({ length: 25 }, (_, seed) => seed);

  test.each(seeds)('a verdict once given stands: seed %i', (seed) => {
    const records = mixedRecords(seed);
    const plan = planFor(records, { stopping: { kind: 'early', cap: 60 } });
    const last = verdictsOf(judgeStudy(plan, records));
    for (let rounds = 1; rounds < 60; rounds += 1) {
      const sofar = records.map((record) => ({ ...record, blocks: record.blocks.slice(0, rounds) }));
      const given = verdictsOf(judgeStudy(plan, sofar)).filter(({ verdict }) => verdict !== 'undecided');
      expect(last).toEqual(expect.arrayContaining(given));
    }
  });

  test.each(seeds)('it is e-BH after every round, written out, and giving up loses nothing: seed %i', (seed) => {
    const records = mixedRecords(seed);
    for (const rule of [RULES.default, RULES.kramer2015]) {
      const plan = planFor(records, { rule, stopping: { kind: 'early', cap: 60 } });
      expect(verdictsOf(judgeStudy(plan, records))).toEqual(writtenOut(plan, records));
    }
  });

  test.each(seeds)('neither the order of blocks nor those of an unfinished round matter: seed %i', (seed) => {
    const records = mixedRecords(seed, 20);
    const plan = planFor(records);
    const mixed = records.map((record, index) => ({
      ...record,
      blocks: shuffled(record.blocks, seededRandom(seed)).filter((block) => index % 2 === 0 || block.index < 15),
    }));
    const whole = records.map((record) => ({ ...record, blocks: record.blocks.slice(0, 15) }));
    expect(judgeStudy(plan, mixed)).toEqual(judgeStudy(plan, whole));
  });
});

/** The rule word for word, without any thought of cost: conditions go on to the cap unless all of theirs is decided. */
function writtenOut(plan: JudgingPlan, records: readonly ConditionRecord[]) {
  const { rule, stopping } = plan;
  const pairs = records.flatMap(({ condition, blocks }) =>
    [
      ['h2', 'h1'],
      ['h3', 'h1'],
      ['h3', 'h2'],
    ].map(([a, b]) => ({ condition, blocks, a: a!, b: b!, verdict: 'undecided', eValue: 0, decidedAfter: 0 })),
  );
  for (let round = 1; round <= (stopping.kind === 'early' ? stopping.cap : 0); round += 1) {
    const strongest = pairs.map(({ blocks, a, b, verdict, eValue }) => {
      if (verdict !== 'undecided') return [verdict, eValue] as const;
      const won = (x: string, y: string) =>
        blocks.slice(0, round).filter((block) => beat(outcomeOf(block, x), outcomeOf(block, y), rule.advantage)).length;
      return strongestClaim({ blocks: round, aWon: won(a, b), bWon: won(b, a) }, rule);
    });
    if (new Set(records[0]!.blocks.slice(0, round).map((block) => block.launch)).size < 3) continue;
    const eValues = strongest.map(([, eValue]) => eValue);
    const threshold = discoveryThreshold(eValues, 3 * pairs.length, 0.05);
    for (const [index, pair] of pairs.entries())
      if (pair.verdict === 'undecided' && eValues[index]! >= threshold)
        Object.assign(pair, { verdict: strongest[index]![0], eValue: eValues[index], decidedAfter: round });
  }
  return pairs.map(({ condition, a, b, verdict, decidedAfter }) => ({
    condition,
    a,
    b,
    verdict,
    decidedAfter: decidedAfter === 0 ? undefined : decidedAfter,
  }));
}

test('48 conditions, 3 arms and 100 rounds are judged in well under a second', () => {
  const records = Array.from({ length: 8 }, (_, part) => mixedRecords(part, 100)).flatMap((part, index) =>
    part.map((record) => ({ ...record, condition: `${index} ${record.condition}` })),
  );
  const plan = planFor(records);
  const start = performance.now();
  judgeStudy(plan, records);
  expect(performance.now() - start).toBeLessThan(1000);
});
