import { describe, expect, test } from '@jest/globals';
import { strongestClaim } from '../../harness/comparison/evidence.ts';
import { judgeStudy, openJudging } from '../../harness/comparison/judge.ts';
import { beat } from '../../harness/comparison/outcome.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type {
  BlockOutcomes,
  ConditionJudgement,
  ConditionRecord,
  Judgement,
  JudgingPlan,
  PairJudgement,
} from '../../harness/model/comparison.ts';
import { discoveryThreshold } from '../../harness/stats/e-bh.ts';
import { logEvidence } from '../../harness/stats/evidence.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom, shuffled } from '../../harness/stats/random.ts';
import { watchProcessorTime } from '../processor-time.ts';
import { earlyUntil, type PlanWish, planFor, recordOf, type Times } from './blocks.ts';

const KRAMER = { rule: RULES.kramer2015 } as const;

function judgeOne(record: ConditionRecord, more: PlanWish = {}): ConditionJudgement {
  return judgeStudy(planFor([record], more), [record]).conditions[0]!;
}

/** Judges a pair in a study that claims nothing else. */
function judgePair(count: number, h2: Times, h3: Times, more: PlanWish = {}): PairJudgement {
  return judgeOne(recordOf('c', count, { h2, h3 }), { onlyPairs: true, ...more }).pairs[0]!;
}

describe('one comparison alone, whose threshold is 60', () => {
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
    const record = recordOf('c', 30, { h1: [1000, 1200], h2: 2000, h3: [1100] });
    const { pairs } = judgeOne(record);
    const decided = pairs.find((pair) => pair.a === 'h2' && pair.b === 'h1')!;
    expect(decided).toMatchObject({ verdict: 'b', blocks: 30, bWon: 30 });
    expect(decided.decidedAfter).toBeLessThan(20);
    expect(Math.exp(decided.logEValue)).toBeCloseTo(
      (2 ** (decided.decidedAfter! + 1) - 1) / (decided.decidedAfter! + 1),
      3,
    );
  });
});

describe('that no other arm beats one', () => {
  const within = (count: number, times: Readonly<Record<string, Times>>, more: PlanWish = {}) =>
    judgeOne(recordOf('c', count, times), more)
      .within.filter(({ proven }) => proven)
      .map(({ arm }) => arm);
  const never = 'failed';

  test.each<[string, number, Readonly<Record<string, Times>>, PlanWish, readonly string[]]>([
    // Two of five claims are true: the threshold is 50, and 2^9 / 9 is 57.
    ['is proven of the faster one with its victory, by 8 blocks', 8, { h2: 1000, h3: 900 }, {}, ['h3']],
    ['7 are too few', 7, { h2: 1000, h3: 900 }, {}, []],
    ['is proven of both where they tie', 8, { h2: 1000, h3: 980 }, {}, ['h2', 'h3']],
    ['exactly 3 % beat it', 30, { h2: 1000, h3: 970 }, {}, ['h3']],
    ['is proven of several beside one that is beaten', 12, { h1: 1300, h2: 1000, h3: 1000 }, {}, ['h2', 'h3']],
    ['is not proven of one that some other beats in half of all blocks', 100, { h2: 1000, h3: [900, 1100] }, {}, []],
    ['nor of one that ties with one arm and is beaten by another', 40, { h1: 1000, h2: 1000, h3: 900 }, {}, ['h3']],
    [
      'by the rule of 2015 what is beaten in half of all blocks is not beaten',
      60,
      { h2: 1000, h3: [850, 1150] },
      KRAMER,
      ['h2', 'h3'],
    ],
    ['nobody beats an arm that never fails where the other always does', 9, { h2: 1000, h3: never }, {}, ['h2']],
    ['where all fail, nothing is', 60, { h2: never, h3: never }, {}, []],
    ['nor of an arm alone', 60, { h2: 1000 }, {}, []],
    ['nor where nothing is claimed but of pairs', 60, { h2: 1000, h3: 900 }, { onlyPairs: true }, []],
  ])('%s', (_, count, times, more, arms) => {
    expect(within(count, times, more)).toEqual(arms);
  });

  test('takes seven arms as well, of which one wins', () => {
    const arms = Object.fromEntries(Array.from({ length: 7 }, (_, arm) => [`arm ${arm}`, arm === 4 ? 800 : 1000]));
    const found = judgeOne(recordOf('c', 30, arms));
    expect(found.pairs).toHaveLength(21);
    expect(found.pairs.filter(({ verdict }) => verdict === 'tie')).toHaveLength(15);
    expect(found.within.filter(({ proven }) => proven).map(({ arm }) => arm)).toEqual(['arm 4']);
  });

  test('its e-value is the smallest of those against each other arm, and stands once it is proven', () => {
    const times = { h1: [1000, 1000, 1000, 1000, 930], h2: 1000, h3: [990, 960] };
    const record = recordOf('c', 60, times);
    const smallest = (count: number) => {
      const notBeaten = (rival: string) =>
        record.blocks.slice(0, count).filter((block) => !beat(block.outcomes[rival]!, block.outcomes.h2!, 0.03)).length;
      return Math.min(logEvidence(count, notBeaten('h1'), 0.5), logEvidence(count, notBeaten('h3'), 0.5));
    };
    const h2 = (count: number) => judgeOne(recordOf('c', count, times)).within.find(({ arm }) => arm === 'h2')!;
    expect(h2(12)).toEqual({ arm: 'h2', proven: false, logEValue: smallest(12) });
    const wins = recordOf('c', 60, { h1: 1100, h2: 1000, h3: [1100, 1100, 900, 1100] });
    const late = judgeOne(wins).within.find(({ arm }) => arm === 'h2')!;
    expect(late.proven).toBe(true);
    expect(late.decidedAfter).toBeLessThan(60);
    expect(judgeOne({ ...wins, blocks: wins.blocks.slice(0, late.decidedAfter!) }).within).toContainEqual(late);
  });
});

test('every hypothesis of the plan counts, so that more conditions ask for more evidence', () => {
  const clear = recordOf('clear', 20, { h2: 1000, h3: 900 });
  const unclear = (id: string) => recordOf(id, 20, { h2: 1000, h3: [900, 1100] });
  const records = [clear, unclear('x'), unclear('y'), unclear('z')];
  const pairs = judgeStudy(planFor(records, { onlyPairs: true }), records);
  expect(pairs.hypotheses).toBe(12);
  // 240 at least: (2^11 - 1) / 11 is 186, (2^12 - 1) / 12 is 341.
  expect(pairs.conditions[0]!.pairs[0]!.decidedAfter).toBe(11);
  const all = judgeStudy(planFor(records), records);
  expect(all.hypotheses).toBe(20);
  // Two of 20 are true, so that each takes 200 at least.
  expect(all.conditions[0]!.pairs[0]!.decidedAfter).toBe(11);
  expect(all.conditions[0]!.within.map(({ decidedAfter }) => decidedAfter)).toEqual([undefined, 11]);
});

/** Voids of one arm, each right after the block before its own. */
const voidsOf = (arm: string, ...blocks: readonly number[]) => blocks.map((block) => ({ block, arm, at: block - 0.5 }));

describe('no proof', () => {
  test('before three launches', () => {
    const record = recordOf('c', 30, { h2: 1000, h3: 900 });
    const late = record.blocks.map((block) => ({ ...block, launch: block.index < 20 ? block.index % 2 : 2 }));
    const { pairs, within } = judgeOne({ ...record, blocks: late });
    expect(pairs[0]!.decidedAfter).toBe(21);
    expect(within.map(({ decidedAfter }) => decidedAfter)).toEqual([undefined, 21]);
  });

  test('while more than 5 % of an arm are void', () => {
    const record = recordOf('c', 30, { h2: 1000, h3: 900 }, { voids: voidsOf('h2', 4) });
    const condition = judgeOne(record);
    // One of twenty is 5 %: nineteen blocks and the void one.
    expect(condition.pairs[0]!.decidedAfter).toBe(19);
    expect(condition.within[1]!.decidedAfter).toBe(19);
    expect(condition.voidShares).toEqual({ h2: 1 / 31, h3: 0 });
    const many = judgeOne({ ...record, voids: voidsOf('h3', 1, 5, 9, 13) });
    expect(many).toMatchObject({ tooManyVoid: true, broken: false, pairs: [{ verdict: 'undecided' }] });
    expect(many.within.map(({ proven }) => proven)).toEqual([false, false]);
  });

  describe('where the blocks that were void ended the condition', () => {
    const voids = Array.from({ length: 10 }, (_, attempt) => ({ block: 20, arm: 'h3', at: 19.01 + attempt / 100 }));
    const broken = recordOf('broken', 20, { h2: 1000, h3: [900, 1100] }, { voids });

    test('they are counted then', () => {
      expect(judgeOne(broken)).toMatchObject({ broken: true, tooManyVoid: true, voidShares: { h2: 0, h3: 10 / 30 } });
      const allArms = voids.slice(1).flatMap((each) => [each, { ...each, arm: 'h2' }]);
      expect(judgeOne({ ...broken, voids: allArms })).toMatchObject({ broken: false });
      const oneLess = { ...broken, voids: voids.slice(1) };
      expect(judgeOne(oneLess)).toMatchObject({ broken: false, tooManyVoid: false, voidShares: { h3: 0 } });
    });

    test('what it lacks is not given to it afterwards, however much others discover', () => {
      // 13 of 14 blocks are evidence of 146: too little by itself, but not beside others.
      const h3 = [1100, ...Array.from({ length: 13 }, () => 900)];
      const almost = recordOf('broken', 14, { h2: 1000, h3 });
      const late = recordOf('late', 40, { h2: 1000, h3: 900 });
      const records = (own: ConditionRecord['voids']) => [
        { ...almost, voids: own },
        recordOf('open', 40, { h2: 1000, h3: [900, 1100] }),
        { ...late, blocks: late.blocks.map((block) => ({ ...block, at: 100 + block.at })) },
      ];
      const pairOf = (own: ConditionRecord['voids']) =>
        judgeStudy(planFor(records([]), { onlyPairs: true }), records(own)).conditions[0]!.pairs[0]!;
      expect(pairOf([])).toMatchObject({ verdict: 'a', decidedAfter: 14 });
      const before = voids.map((each) => ({ ...each, block: 14, at: 50 }));
      expect(pairOf(before).verdict).toBe('undecided');
      // What was void only after it was given takes nothing back.
      expect(pairOf(before.map((each) => ({ ...each, at: 1000 })))).toMatchObject({ verdict: 'a', decidedAfter: 14 });
    });

    test('and what was proven before stays', () => {
      // The third launch comes with the last block.
      const clear = recordOf('broken', 20, { h2: 1000, h3: 900 });
      const launches = clear.blocks.map((block) => ({ ...block, launch: Math.max(17, block.index) }));
      expect(judgeOne({ ...clear, blocks: launches, voids })).toMatchObject({
        broken: true,
        tooManyVoid: true,
        pairs: [{ verdict: 'a', decidedAfter: 20 }],
      });
    });
  });

  test('from blocks after the cap', () => {
    const late = Array.from({ length: 100 }, (_, index) => (index < 20 ? [900, 1100][index % 2]! : 900));
    expect(judgePair(100, 1000, late, { stopping: earlyUntil('proven', 20) }).verdict).toBe('undecided');
    expect(judgePair(100, 1000, late).verdict).toBe('a');
  });
});

test('what one condition could not prove by itself another may', () => {
  // 12 of 13 blocks are evidence of 90: too little for one of six hypotheses (120), enough for two of them (60 each).
  const twelveOf13 = [1100, ...Array.from({ length: 12 }, () => 900)];
  const records = ['first', 'second'].map((id, place) => {
    const record = recordOf(id, 13, { h2: 1000, h3: twelveOf13 });
    return { ...record, blocks: record.blocks.map((block) => ({ ...block, at: 20 * place + block.at })) };
  });
  const plan = planFor(records, { onlyPairs: true });
  const verdicts = (some: readonly ConditionRecord[]) =>
    judgeStudy(plan, some).conditions.map(({ pairs }) => pairs[0]!.verdict);
  expect(verdicts(records.slice(0, 1))).toEqual(['undecided', 'undecided']);
  expect(verdicts(records)).toEqual(['a', 'a']);
});

describe('a fixed number of blocks', () => {
  const exactly = { stopping: { kind: 'exactly', blocks: 30 } } as const;
  test('is judged once it is reached, on all of them', () => {
    expect(judgePair(29, 1000, 900, exactly).verdict).toBe('undecided');
    expect(judgePair(30, 1000, 900, exactly)).toMatchObject({ verdict: 'a', decidedAfter: 30 });
    expect(judgePair(40, 1000, 900, exactly).blocks).toBe(30);
    const { within } = judgeOne(recordOf('c', 30, { h2: 1000, h3: 900 }), exactly);
    expect(within).toEqual([
      expect.objectContaining({ arm: 'h2', proven: false }),
      expect.objectContaining({ arm: 'h3', proven: true, decidedAfter: 30 }),
    ]);
  });

  test('waits for every condition, but not for one that is broken', () => {
    const [whole, short] = [recordOf('whole', 30, { h2: 1000, h3: 900 }), recordOf('short', 20, { h2: 1000, h3: 900 })];
    const voids = Array.from({ length: 10 }, () => ({ block: 20, arm: 'h3', at: 99 }));
    const verdicts = (records: readonly ConditionRecord[]) =>
      judgeStudy(planFor(records, exactly), records).conditions.map(({ pairs }) => pairs[0]!.verdict);
    expect(verdicts([whole, short])).toEqual(['undecided', 'undecided']);
    expect(verdicts([whole, { ...short, voids }])).toEqual(['a', 'undecided']);
  });

  test('forgets what looked clear in between', () => {
    const turning = Array.from({ length: 30 }, (_, index) => (index < 15 ? 900 : 1100));
    expect(judgePair(30, 1000, turning).verdict).toBe('a');
    expect(judgePair(30, 1000, turning, exactly).verdict).toBe('undecided');
  });
});

describe('the order of time', () => {
  const times = { h2: 1000, h3: [...Array.from({ length: 12 }, () => 900), ...Array.from({ length: 28 }, () => 1100)] };

  test('decides what is seen first', () => {
    // Where h3 comes first, its twelve victories are evidence before there is any doubt.
    const record = recordOf('c', 40, times);
    expect(judgeOne(record, { onlyPairs: true }).pairs[0]).toMatchObject({ verdict: 'a', decidedAfter: 9 });
    // Blocks are numbered as they were planned: the record's order says nothing.
    expect(judgeOne({ ...record, blocks: record.blocks.toReversed() }, { onlyPairs: true }).pairs[0]).toMatchObject({
      verdict: 'a',
      decidedAfter: 9,
    });
  });

  test('a block that was run again after its successors holds them up until it is there', () => {
    const record = recordOf('c', 12, { h2: 1000, h3: 900 });
    const late = record.blocks.map((block) => (block.index === 5 ? { ...block, at: 11.5 } : block));
    expect(judgeOne({ ...record, blocks: late.filter(({ index }) => index !== 5) })).toMatchObject({ blocks: 5 });
    expect(judgeOne({ ...record, blocks: late })).toMatchObject({ blocks: 12 });
    // Another condition's blocks, in the meantime, are looked at without them.
    const other = recordOf('other', 12, { h2: 1000, h3: 900 });
    const looks = (blocks: readonly BlockOutcomes[]) =>
      judgeStudy(planFor([record, other], { onlyPairs: true }), [{ ...record, blocks }, other]).conditions.map(
        ({ pairs }) => pairs[0]!.decidedAfter,
      );
    expect(looks(record.blocks)).toEqual([9, 9]);
    // Alone the other takes 120, which is ten blocks; both together take 60.
    expect(looks(late)).toEqual([9, 10]);
  });

  test('block by block it comes to the same as all at once', () => {
    const record = recordOf('c', 40, times);
    const plan = planFor([record]);
    const judging = openJudging(plan);
    for (const [count, block] of record.blocks.entries()) {
      judging.take('c', block);
      expect(judging.judgement()).toEqual(judgeStudy(plan, [{ ...record, blocks: record.blocks.slice(0, count + 1) }]));
    }
  });
});

test('what has no block yet is part of the judgement, and of no plan nothing is', () => {
  const records = [recordOf('c', 3, { h2: 1000, h3: 900 }), recordOf('other', 3, { h2: 1000, h3: 900 })];
  const { conditions } = judgeStudy(planFor(records.slice(0, 1)), records);
  expect(conditions.map(({ condition }) => condition)).toEqual(['c']);
  const [none] = judgeStudy(planFor(records), []).conditions;
  expect(none).toMatchObject({ condition: 'c', blocks: 0, launches: 0, broken: false, tooManyVoid: false });
  expect(none!.pairs[0]).toMatchObject({ verdict: 'undecided', blocks: 0 });
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

/** All that is proven, with the moment. */
function proofsOf({ conditions }: Judgement) {
  return conditions.flatMap(({ condition, pairs, within }) => [
    ...pairs.map(({ a, b, verdict, decidedAfter }) => ({ condition, a, b, claim: verdict, decidedAfter })),
    ...within.map(({ arm, proven, decidedAfter }) => ({
      condition,
      a: arm,
      b: 'every other',
      claim: proven ? 'tie' : 'undecided',
      decidedAfter,
    })),
  ]);
}

const provenIn = (judgement: Judgement) => proofsOf(judgement).filter(({ claim }) => claim !== 'undecided');

/**
 * The records of a study as far as it came by some moment. Its blocks come in any order of conditions, some of them are
 * void once or again and again, and some are run again only after those that follow them.
 */
function eventful(seed: number): (until: number) => readonly ConditionRecord[] {
  const random = seededRandom(seed, 'eventful');
  let at = 0;
  const records = mixedRecords(seed).map((record): ConditionRecord => {
    const breaksAt = random() < 0.3 ? 12 + Math.floor(40 * random()) : Number.POSITIVE_INFINITY;
    const begins = 100 * Math.floor(2 * random());
    at = begins;
    const voids: { block: number; arm: string; at: number }[] = [];
    const blocks = record.blocks.slice(0, breaksAt).map((block) => {
      at += 6 * random();
      if (random() < 0.02) {
        voids.push({ block: block.index, arm: 'h2', at });
        return { ...block, at: at + 10 * random() };
      }
      return { ...block, at };
    });
    if (breaksAt < record.blocks.length)
      for (let attempt = 0; attempt < 10; attempt += 1) {
        at += 3 * random();
        voids.push({ block: breaksAt, arm: 'h3', at });
      }
    return { ...record, blocks, voids };
  });
  return (until) =>
    records.map((record) => ({
      ...record,
      blocks: record.blocks.filter((block) => block.at <= until),
      voids: record.voids.filter((each) => each.at <= until),
    }));
}

describe('for any study', () => {
  const seeds = Array.from({ length: 25 }, (_, seed) => seed);

  test.each(seeds)('what is proven stays so, with its moment, whenever the study is broken off: seed %i', (seed) => {
    const upTo = eventful(seed);
    const plan = planFor(upTo(Number.POSITIVE_INFINITY), { stopping: earlyUntil('proven', 60) });
    const last = proofsOf(judgeStudy(plan, upTo(Number.POSITIVE_INFINITY)));
    let most = 0;
    for (let until = 0; until < 500; until += 15) {
      const given = provenIn(judgeStudy(plan, upTo(until)));
      expect(last).toEqual(expect.arrayContaining(given));
      most = Math.max(most, given.length);
    }
    expect(most).toBeGreaterThan(3);
  });

  test.each(seeds)('it is e-BH after every block, written out: seed %i', (seed) => {
    const records = mixedRecords(seed, 40);
    for (const rule of [RULES.default, RULES.kramer2015]) {
      const plan = planFor(records, { rule, stopping: earlyUntil('proven', 40) });
      expect(proofsOf(judgeStudy(plan, records))).toEqual(writtenOut(plan, records));
    }
  });

  test.each(seeds)('neither the order in a record nor blocks after a gap matter: seed %i', (seed) => {
    const records = mixedRecords(seed, 20);
    const plan = planFor(records);
    const mixed = records.map((record) => ({
      ...record,
      blocks: shuffled(record.blocks, seededRandom(seed)).filter(({ index }) => index !== 15),
    }));
    const whole = records.map((record) => ({ ...record, blocks: record.blocks.slice(0, 15) }));
    expect(judgeStudy(plan, shuffled(mixed, seededRandom(seed)))).toEqual(judgeStudy(plan, whole));
  });
});

/** The rule word for word, without any thought of cost: all e-values anew after every block of any condition. */
function writtenOut({ rule }: JudgingPlan, records: readonly ConditionRecord[]) {
  const arms = ['h1', 'h2', 'h3'];
  const claims = records.flatMap((record) =>
    [
      ...[
        ['h2', 'h1'],
        ['h3', 'h1'],
        ['h3', 'h2'],
      ].map(([a, b]) => ({ a: a!, b: b! })),
      ...arms.map((arm) => ({ a: arm, b: 'every other' })),
    ].map((names) => ({
      ...names,
      record,
      claim: 'undecided',
      eValue: 0,
      decidedAfter: undefined as number | undefined,
    })),
  );
  const taken = new Map(records.map((record) => [record, 0]));
  const evidenceOf = ({ record, a, b }: (typeof claims)[number]): readonly [claim: string, eValue: number] => {
    const count = taken.get(record)!;
    const blocks = record.blocks.slice(0, count);
    const won = (x: string, y: string) =>
      blocks.filter((block) => beat(block.outcomes[x]!, block.outcomes[y]!, rule.advantage)).length;
    if (b !== 'every other') return strongestClaim({ blocks: count, aWon: won(a, b), bWon: won(b, a) }, rule);
    const against = arms
      .filter((other) => other !== a)
      .map((other) => logEvidence(count, count - won(other, a), 1 - rule.share));
    return ['tie', Math.min(...against)];
  };
  for (let round = 0; round < records[0]!.blocks.length; round += 1)
    for (const record of records) {
      taken.set(record, round + 1);
      const open = claims.filter(({ claim }) => claim === 'undecided');
      const mayBeProven = open.filter(
        (each) => new Set(each.record.blocks.slice(0, taken.get(each.record)!).map(({ launch }) => launch)).size >= 3,
      );
      const frozen = claims.filter(({ claim }) => claim !== 'undecided').map(({ eValue }) => eValue);
      const found = mayBeProven.map((each) => [each, ...evidenceOf(each)] as const);
      const threshold = discoveryThreshold(
        [...frozen, ...found.map(([, , eValue]) => eValue)],
        records.length * (3 * 3 + 3),
        0.05,
      );
      for (const [each, claim, eValue] of found)
        if (eValue >= threshold) Object.assign(each, { claim, eValue, decidedAfter: taken.get(each.record) });
    }
  return claims.map(({ record, a, b, claim, decidedAfter }) => ({
    condition: record.condition,
    a,
    b,
    claim,
    decidedAfter,
  }));
}

test('48 conditions, 3 arms and 100 rounds are judged in well under a second', () => {
  const records = Array.from({ length: 8 }, (_, part) => mixedRecords(part, 100)).flatMap((part, index) =>
    part.map((record) => ({ ...record, condition: `${index} ${record.condition}` })),
  );
  const plan = planFor(records);
  const usedMs = watchProcessorTime();
  judgeStudy(plan, records);
  expect(usedMs()).toBeLessThan(1000);
});
