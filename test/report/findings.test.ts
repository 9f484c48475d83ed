import { describe, expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import type { Plan } from '../../harness/model/study.ts';
import { renderControls, renderFindings } from '../../harness/report/findings-text.ts';
import { MACHINE } from '../fakes/machine.ts';
import { measured, planOf } from '../study/plans.ts';

const times: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  fibre: { h1: 300, h2: 200, h3: 100 },
  '4g': { h1: 1000, h2: 1000, h3: 1001 },
  cable: { h1: 500, h2: 250, h3: 252 },
};
const plan = planOf({ sites: ['page'], links: Object.keys(times) });

/** A study in which these conditions have so many blocks, of those times. */
function summaryAfter(blocks: Readonly<Record<string, number>>) {
  return summaryOf(plan, blocks);
}

function summaryOf(plan: Plan, blocks: Readonly<Record<string, number>>) {
  const measurements = plan.conditions.flatMap(({ id, link }) =>
    Array.from({ length: blocks[link.name] ?? 0 }, (_, block) =>
      measured({ condition: id, block, arms: times[link.name]!, launch: 1 + Math.floor(block / 3) }),
    ).flat(),
  );
  const session = { number: 1, beganMs: 0, lastMs: 60_000, machine: MACHINE, notes: [] };
  return summarizeStudy({ plan, measurements, links: [], scores: [], sessions: [session], warmUps: 4 });
}

describe('a study that is done', () => {
  const summary = summaryAfter({ fibre: 20, '4g': 20, cable: 20 });
  const lines = renderFindings(summary).split('\n');

  test('says of each condition what is fastest, and by how much', () => {
    expect(lines.filter((line) => line.startsWith('page  '))).toEqual([
      expect.stringMatching(/^page {2}fibre +300 +200 +100 +\d+ {2}h3 \(50 to 67 % before h1, h2\)$/),
      expect.stringMatching(/^page {2}4g +1000 +1000 +1001 +\d+ {2}h1 = h2 = h3 \(tie\)$/),
      expect.stringMatching(/^page {2}cable +500 +250 +252 +\d+ {2}h2 = h3 \(50 % before h1\)$/),
    ]);
  });

  test('and in its summary', () => {
    expect(summary).toMatchObject({
      finished: true,
      rule: { advantage: 0.03, share: 0.5 },
      conditions: [{ winner: ['h3'] }, { winner: ['h1', 'h2', 'h3'] }, { winner: ['h2', 'h3'] }],
      baselines: { 'always h1': {}, 'always h2': {}, 'always h3': { regretPercent: expect.closeTo(0.3) } },
      version: { chromium: '156.0' },
      wallSeconds: 60,
    });
    const { comparisons, features } = summary.conditions[0]!;
    expect(comparisons[2]).toMatchObject({ a: 'h3', b: 'h2', verdict: 'a', ratio: 0.5, share: 1 });
    expect(features).toMatchObject({ objects: 6, totalBytes: 1_000_000 });
    // What a program reads is JSON, which knows no infinity.
    expect(JSON.parse(JSON.stringify(summary)).conditions[0].comparisons[2].ci).toEqual([0.5, 0.5]);
  });

  test('has the mix as a table before the advice', () => {
    expect(
      lines.slice(
        lines.findIndex((line) => line.startsWith('traffic')),
        -2,
      ),
    ).toEqual([
      'traffic    share  best to serve            h3 takes less time than h2 by  with 95 % confidence',
      'fibre       33 %  h3                                                50 %  50 % to 50 %',
      '4g          33 %  any, as far as is known                         −0.1 %  −0.1 % to −0.1 %',
      'cable       33 %  h2 or h3                                        −0.8 %  −0.8 % to −0.8 %',
      expect.stringMatching(/^all of it +100 % +h3 +20 % +20 % to 20 %$/),
      'As measured, undecided conditions too; the advice counts what is proven alone.',
    ]);
  });

  test('ends with the advice', () => {
    expect(lines.at(-1)).toMatch(/^Serve h3 rather than h2: h3 is proven faster for 33 % of the traffic \(fibre\)/);
  });
});

test('where a core decided, it is said beside the times', () => {
  const summary = summaryAfter({ fibre: 6, '4g': 6, cable: 6 });
  expect(renderFindings(summary)).not.toContain('CPU-bound');
  const [first, ...others] = summary.conditions;
  const text = renderFindings({ ...summary, conditions: [{ ...first!, cpuBoundShare: 0.25 }, ...others] });
  expect(text).toMatch(/^page +fibre +300 +200 +100 +6 +25 % /m);
  expect(text).toMatch(/^page +cable +500 +250 +252 +6 +0 % /m);
  expect(text).toMatch(
    /In 1 of 3 conditions a core was saturated in a tenth of the loads or more, .* in the times \(column CPU-bound\)\.$/m,
  );
  const robbed = { ...first!, cpuBoundShare: 0.25, stolenShare: 0.074 };
  expect(renderFindings({ ...summary, conditions: [robbed, ...others] })).toContain(
    'had a part in the times; its own host gave up to 7 % of its processor to others',
  );
});

test('a clock that was put back takes no time off', () => {
  const session = { number: 1, beganMs: 0, lastMs: 60_000, machine: MACHINE, notes: [] };
  const sessions = [session, { ...session, number: 2, beganMs: 3_600_000, lastMs: 5_000 }];
  const found = { plan, measurements: [], links: [], scores: [], sessions, warmUps: 0 };
  expect(summarizeStudy(found).wallSeconds).toBe(60);
});

test('an arm alone is not compared, and one that never finishes has no time', () => {
  const alone = planOf({ sites: ['page'], links: ['fibre'], arms: [{ name: 'h2', protocol: 'h2' }] });
  expect(renderFindings(summaryOf(alone, { fibre: 3 }))).toMatch(/^page +fibre +200 +3 +nothing to compare it with$/m);
  const summary = summaryAfter({ fibre: 3, '4g': 3, cable: 3 });
  const [first, ...others] = summary.conditions;
  const failing = { ...first!, arms: { ...first!.arms, h3: { ok: 0, failed: 3, void: 0 } } };
  expect(renderFindings({ ...summary, conditions: [failing, ...others] })).toMatch(
    /^page +fibre +300 +200 +fails +3 /m,
  );
});

test('what has not been measured, or not enough, is called so', () => {
  const text = renderFindings(summaryAfter({ fibre: 4 }));
  expect(text).toMatch(/page {2}fibre +300 +200 +100 +0 {2}undecided so far/);
  expect(text).toMatch(/page {2}cable .* {2}0 {2}not measured yet/);
});

test.each([
  [
    { verdict: 'tie', passed: true, blocks: 12 },
    { found: true, blocks: 9 },
    /its twin tie \(12 blocks\); .* of 52 ms is found \(9/,
  ],
  [{ verdict: 'a', passed: false, blocks: 30 }, { found: true, blocks: 9 }, /its twin DIFFER, which they must not/],
  [{ verdict: 'undecided', passed: true, blocks: 30 }, { found: false, blocks: 30 }, /not told apart .* is NOT FOUND/],
  [
    { verdict: 'undecided', passed: true, blocks: 4 },
    { found: false, open: true, blocks: 4 },
    /not found yet: too few/,
  ],
  [{ verdict: 'undecided', passed: true, blocks: 0 }, { found: false, blocks: 0 }, /^No control/],
])('controls %j and %j', (aa, planted, says) => {
  const found = {
    verdict: planted.found ? 'b' : 'undecided',
    passed: planted.found,
    open: false,
    delayMs: 52,
    ...planted,
  };
  expect(renderControls({ condition: 'c', aa: { open: false, ...aa }, planted: found } as never)).toMatch(says);
});
