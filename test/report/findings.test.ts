import { describe, expect, test } from '@jest/globals';
import type { MachineSummary } from '../../harness/findings/machines.ts';
import {
  type AnswerSummary,
  type ConditionSummary,
  type Summary,
  summarizeStudy,
} from '../../harness/findings/summary.ts';
import { uncountedOf } from '../../harness/findings/uncounted.ts';
import { unsettledOf } from '../../harness/findings/unsettled.ts';
import { dependsOnVisitors } from '../../harness/model/advice.ts';
import type { Plan } from '../../harness/model/study.ts';
import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { renderControls, renderFindings } from '../../harness/report/findings-text.ts';
import { describeNoAdvice } from '../../harness/report/lead-text.ts';
import { nextSteps } from '../../harness/report/next-steps.ts';
import { MACHINE } from '../fakes/machine.ts';
import { expectGolden } from '../golden/golden.ts';
import { measured, planOf } from '../study/plans.ts';
import { summaryOfMadeUp } from './made-up.ts';

const FOLDER = 'reports/out/today-2026-11-21T120000';
const WORDS = { goOn: `npm run measure -- --out ${FOLDER}`, folder: FOLDER, ownPages: '' };
const PAGE = `/home/me/photofinish/${FOLDER}/report.html`;

function textOf(summary: Summary): string {
  return renderFindings(summary, { page: PAGE, next: nextSteps(summary, WORDS) });
}

/** A study in which each link has a given number of blocks, of given times. */
function summaryOf(plan: Plan, blocks: Readonly<Record<string, number>>, times = TIMES): Summary {
  const measurements = plan.conditions.flatMap(({ id, link }) =>
    Array.from({ length: blocks[link.name] ?? 0 }, (_, block) =>
      measured({ condition: id, block, arms: times[link.name]!, launch: 1 + Math.floor(block / 3) }),
    ).flat(),
  );
  const session = { number: 1, beganMs: 0, lastMs: 60_000, machine: MACHINE, notes: [] };
  return summarizeStudy({
    plan,
    measurements,
    links: [],
    scores: [],
    sessions: [session],
    warmUps: 4,
    disturbed: 0,
    films: 3,
    references: [],
  });
}

type Outcomes = Readonly<Record<string, number | 'failed'>>;

const TIMES: Readonly<Record<string, Outcomes>> = {
  fibre: { h1: 300, h2: 200, h3: 100 },
  '4g': { h1: 1000, h2: 1000, h3: 1001 },
  cable: { h1: 500, h2: 250, h3: 252 },
};
const PLAN = planOf({ sites: ['page'], links: Object.keys(TIMES) });

function leftmostOf(tree: Tree<Leaf>): Leaf {
  return isSplit(tree) ? leftmostOf(tree.yes) : tree;
}

test('a tree that asks about links alone is left to the report where the advice has each link', () => {
  const summary = summaryOfMadeUp();
  const { without: _, ...whole } = summary.advice!;
  const byLink = { ...whole, sureness: 'likely', gain: { over: 'h2', percent: 2, interval: [-5, 8] } } as const;
  const leaf = leftmostOf(summary.tree!);
  const asking = (feature: 'rttMs' | 'objects'): Summary => ({
    ...summary,
    advice: byLink,
    tree: { feature, below: 40, yes: leaf, no: leaf },
  });
  expect(dependsOnVisitors(byLink)).toBe(true);
  expect(textOf(asking('rttMs'))).toContain('\n\nThe report has what is best by link as a decision tree.\n\n');
  expect(textOf(asking('rttMs'))).not.toMatch(/├─|Regret/);
  expect(textOf(asking('objects'))).toMatch(/^Decision tree, if you can choose by page: [\s\S]*├─[\s\S]*^Regret/m);
  expect(textOf({ ...asking('rttMs'), advice: summary.advice! })).toContain('├─');
});

describe('the default study fits a terminal of 80 columns and 40 lines', () => {
  const finished = summaryOfMadeUp();
  const stopped = summaryOfMadeUp({ noise: 0.1, blocks: 50 });

  test.each<[string, Summary]>([
    ['finished', finished],
    ['stopped', stopped],
    ['stopped early', summaryOfMadeUp({ blocks: 9 })],
    ['with noise, so that little is sure', summaryOfMadeUp({ noise: 0.3, blocks: 400 })],
    ['with the largest tree that is shown', { ...finished, tree: largestShown(finished) }],
    ['with the largest tree that there may be', { ...finished, tree: askAgain(3, finished) }],
    [
      'where the processor decides much',
      { ...finished, conditions: finished.conditions.map((each) => withFloor(each, 0.5)) },
    ],
    ['where delay ends slow starts', { ...finished, conditions: finished.conditions.map(withSlowStart) }],
  ])('%s', (_, summary) => {
    const lines = textOf(summary).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.includes('|'))).toEqual([]);
  });

  test.each<[string, Summary]>([
    ['finished', finished],
    ['stopped', stopped],
  ])('%s, what is of most use comes first, and the path of the report last', (_, summary) => {
    const text = textOf(summary);
    const parts = [
      /^(Serve|Keep) /m,
      /^ +(?:article +shop|fibre +satellite-leo) /m,
      /, at worst .*\]$/m,
      /^Regret \(time beyond the best\)/m,
      /^(No self|Self)-test/m,
      /^Report: /m,
      /^Next:\n1\. /m,
    ];
    const places = parts.map((part) => text.search(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain(`\nReport: ${PAGE}\n`);
  });

  test('what is open has a price in minutes, and the command that settles it', () => {
    const [, minutes] = /^1\. Settle \d+ more conditions in (\d+) min:\n {3}(?=npm)/m.exec(textOf(stopped))!;
    expect(Number(minutes)).toBeGreaterThan(0);
    expect(textOf(stopped)).toContain(`:\n   ${WORDS.goOn}\n2. Measure your own page: npm run`);
    expect(textOf(finished)).not.toContain(WORDS.goOn);
  });
});

/** A condition on a machine that takes this share of h2's load time by itself. */
function withFloor(condition: ConditionSummary, share: number): ConditionSummary {
  return { ...condition, floorMs: { h1: 10, h2: share * condition.arms.h2!.pltMs! }, stolenShare: 0.1 };
}

/** A condition in which delay ended HTTP/2's slow start at five packets, if its link's delay varies. */
function withSlowStart(condition: ConditionSummary): ConditionSummary {
  if (condition.link.jitterMs === undefined) return condition;
  const { h2, ...others } = condition.arms;
  return { ...condition, arms: { ...others, h2: { ...h2!, slowStartPackets: 5 } } };
}

function leafOf(more: Partial<Leaf> = {}): Leaf {
  return {
    serve: 'h3',
    asGood: [],
    sureness: 'sure',
    regretPercent: 0.42,
    interval: [0, 1.2],
    conditions: ['a', 'b'],
    gain: { over: 'h2', percent: 12, interval: [9, 15] },
    worstPercent: 2.1,
    worstCondition: 'a',
    ...more,
  };
}

/** A tree with a given number of questions from the root to each leaf. */
function askAgain(depth: number, summary: Summary): Tree<Leaf> {
  if (depth === 0) return leafOf({ asGood: ['h1', 'h2'], conditions: summary.conditions.map(({ id }) => id) });
  const below = askAgain(depth - 1, summary);
  return { feature: 'bytesPerObject', below: 27_386.5, yes: below, no: below };
}

/** A tree of five leaves. */
function largestShown(summary: Summary): Tree<Leaf> {
  const [four, one] = [askAgain(2, summary), askAgain(0, summary)];
  return { feature: 'bytesPerObject', below: 27_386.5, yes: four, no: one };
}

test('a tree that leaves no room for the rest is in the report alone', () => {
  const summary = summaryOfMadeUp({ blocks: 60 });
  const told = (tree: Tree<Leaf>) => textOf({ ...summary, tree });
  expect(told(largestShown(summary))).toMatch(
    /^Decision tree, if you can choose by page: size of an object below 27\.39 kB\?$/m,
  );
  expect(told(askAgain(3, summary))).toMatch(/^The decision tree is too large for the terminal: the report has it\.$/m);
});

describe('a grid of pages and links', () => {
  const plan = planOf({ sites: ['article', 'shop'], links: ['fibre', '4g', 'cable'] });
  const nothing = summaryOf(plan, {});
  const answer = (more: Partial<AnswerSummary> & { readonly percent?: number } = {}): AnswerSummary => {
    const { percent = 12, ...others } = more;
    return {
      serve: 'h3',
      asGood: [],
      sureness: 'sure',
      regretPercent: 0.2,
      chanceAboveMargin: 0.01,
      settled: true,
      gain: { over: 'h2', percent, interval: [percent - 3, percent + 3] },
      blocks: 4,
      arms: {},
      ...others,
    };
  };
  const answers: readonly (AnswerSummary | undefined)[] = [
    answer({ sureness: 'proven', percent: 21.4 }),
    answer({ asGood: ['h2'] }),
    answer({ serve: 'h2', percent: 0 }),
    answer({ sureness: 'likely', asGood: ['h1'], settled: false }),
    answer({ sureness: 'open', percent: 4.4, settled: false }),
    answer({ sureness: 'likely', percent: 9, predicted: true, blocks: 0, settled: false }),
  ];
  const summary: Summary = {
    ...nothing,
    conditions: nothing.conditions.map((condition, index) => ({ ...condition, answer: answers[index]! })),
    tree: {
      feature: 'rttMs',
      below: 60,
      yes: leafOf({ asGood: ['h2'], sureness: 'proven' }),
      no: {
        feature: 'rateKbps',
        below: 35_000,
        yes: leafOf({ conditions: ['c'], regretPercent: 0 }),
        no: leafOf({ serve: 'h1', sureness: 'open' }),
      },
    },
    regret: {
      tree: { meanPercent: 0.34, worstPercent: 2.1, leftOutMeanPercent: 0.9, leftOutWorstPercent: 4 },
      'always h1': { meanPercent: 41.3, worstPercent: 120 },
      'always h2': { meanPercent: 9, worstPercent: 35 },
      'always h3': { meanPercent: 1, worstPercent: 8 },
    },
    finished: false,
    leftSeconds: 190,
    advice: {
      mix: { fibre: 1, '4g': 1, cable: 1 },
      unmeasured: [],
      serve: 'h3',
      asGood: [],
      sureness: 'sure',
      regretPercent: 1,
      gain: answer().gain,
      worst: { condition: 'shop|4g', percent: 9, slowerIn: 1, than: 'h2' },
      assumesKnownH3: true,
      byProfile: [],
      open: { conditions: 3, unmeasured: 1, of: 6, worthPercent: 0.7 },
      text: 'Serve HTTP/3. Sure: under 5 % chance that another is over 3 % faster.\nMean gain: 12 % of page load time over HTTP/2 (95 % interval 9 to 15 %).\nHTTP/3 is slower than HTTP/2 in shop over 4g, by 9 %.\nNot settled: 3 of 6 conditions; better choices there would gain at most 0.7 %.',
    },
  };

  test('has a mark of sureness and the gain in each cell, and a line that says what they mean', () => {
    expectGolden('findings.txt', `${textOf(summary)}\n`);
  });

  test('is turned where only that fits, and is a list where neither does', () => {
    const links = ['rate=50mbit,rtt=218ms,loss=2%', 'rate=10mbit,rtt=218ms,loss=2%', 'rate=2mbit,rtt=218ms,loss=2%'];
    const turned = textOf(summaryOf(planOf({ sites: ['article', 'shop'], links }), {}));
    expect(turned).toMatch(/^ +article +shop\n50 Mbit\/s, 218 ms, 2 % loss +– +–\n/m);
    const sites = Array.from({ length: 9 }, (_, index) => `page-number-${index}`);
    const listed = textOf(summaryOf(planOf({ sites, links }), {}));
    expect(listed).toMatch(/^condition +h1 ms +h2 ms +h3 ms +serve\npage-number-0 over 50 Mbit\/s,/m);
  });

  test('is a list, too, where conditions differ in something else, with what each arm takes', () => {
    const grids = (['cold', 'repeat'] as const).map((visit) => ({ ...gridOf(PLAN), visits: [visit] }));
    const several = summaryOf(planOf({ grids }), { fibre: 6, '4g': 6, cable: 6 });
    const text = textOf(several);
    expect(text).toMatch(/^page over fibre \(cold\) +300 +200 +100 {2}h3\*+ \+50%$/m);
    expect(text).toMatch(/^page over cable \(repeat\) +500 +250 +252 {2}h2=h3\*+$/m);
    const [first, ...others] = several.conditions;
    const [slow, quicker] = [0.4, 0.3].map((share) =>
      textOf({ ...several, conditions: [withFloor(first!, share), ...others] }),
    );
    expect(slow).toMatch(/^page over fibre \(cold\) +300 +200 +100 +40 % {2}h3/m);
    expect(quicker).toMatch(/^page over fibre \(cold\) +300 +200 +100 {2}h3/m);
    const failing = { ...first!, arms: { ...first!.arms, h3: { ok: 0, failed: 6, void: 0 } } };
    expect(textOf({ ...several, conditions: [failing, ...others] })).toMatch(
      /^page over fibre \(cold\) +300 +200 +fails /m,
    );
  });
});

function gridOf({ conditions }: Plan) {
  return { sites: ['page'], links: conditions.map(({ link }) => link), servers: ['nginx'] };
}

describe('few conditions have their figures', () => {
  const text = textOf(summaryOf(PLAN, { fibre: 6, '4g': 6 }));

  test('below what to serve and how sure that is', () => {
    expect(text).toMatch(
      /^page over fibre: serve h3 \(50 % faster than h2\), (sure|proven) after \d+ blocks\n {2}arm +median ms /m,
    );
    expect(text).toMatch(/^ {2}h3 +100 +100 +6 +0 +6 /m);
    expect(text).toMatch(/^page over 4g: serve h\d, h\d or h\d \(as good\), (sure|proven) after/m);
  });

  test('where there are any', () => {
    expect(text).toMatch(/^page over cable: not measured yet; the tree predicts: serve h/m);
    const failing = { fibre: { h1: 'failed', h2: 'failed', h3: 'failed' } } as const;
    const one = planOf({ sites: ['page'], links: ['fibre'] });
    expect(textOf(summaryOf(one, { fibre: 3 }, failing))).toMatch(/^page over fibre: no load finished\n/m);
    expect(textOf(summaryOf(one, { fibre: 1 }))).toMatch(/^page over fibre: too few blocks to say\n/m);
    expect(textOf(summaryOf(one, {}))).toMatch(/^page over fibre: not measured yet\n/m);
    expect(textOf(summaryOf(one, { fibre: 1 }))).toMatch(/^There is no answer yet: a condition needs two blocks/);
    expect(textOf(summaryOf(one, {}))).toMatch(/^Nothing is measured yet/);
  });

  test('where no load finished that is the answer, with the commonest reason, and there is nothing to settle', () => {
    const failing = { fibre: { h1: 'failed', h2: 'failed', h3: 'failed' } } as const;
    const summary = summaryOf(planOf({ sites: ['page'], links: ['fibre'] }), { fibre: 3 }, failing);
    expect(textOf(summary)).toMatch(/^None of 9 loads finished\. The commonest reason: timeout\. /);
    expect(describeNoAdvice(summary).headline).toBe('No load finished');
    expect(unsettledOf(summary.conditions)).toEqual({ conditions: 0, getMore: 0 });
  });

  test('an arm alone is not compared', () => {
    const alone = planOf({ sites: ['page'], links: ['fibre'], arms: [{ name: 'h2', protocol: 'h2' }] });
    const summary = summaryOf(alone, { fibre: 3 });
    const told = textOf(summary);
    expect([summary.advice, summary.tree, summary.conditions[0]!.answer]).toEqual([undefined, undefined, undefined]);
    expect(describeNoAdvice(summary).headline).toBe('One protocol was measured');
    expect(told).toMatch(/^page over fibre: one arm, nothing to compare it with\n/m);
    expect(told).not.toMatch(/Serve|Keep|regret/);
  });
});

test('why what is open stays open', () => {
  const few = planOf({ sites: ['page'], links: ['fibre'], stopping: { kind: 'exactly', blocks: 2 } });
  expect(textOf(summaryOf(few, { fibre: 2 })).replaceAll('\n', ' ')).toMatch(
    /Not settled: 1 of 1 .*\. This study allows no more than 2 blocks in a condition \(--exactly\)\. /,
  );
});

test.each([
  ['settled', 'Settle the condition, about'],
  ['proven', 'Prove the answers, or that there is no proof, about'],
] as const)('what a study until %s is after', (until, says) => {
  const plan = planOf({ sites: ['page'], links: ['fibre'], stopping: { kind: 'early', until, cap: 40 } });
  expect(textOf(summaryOf(plan, { fibre: 2 })).replaceAll('\n', ' ')).toContain(says);
});

test('the mix has a table where it was told', () => {
  const blocks = { fibre: 6, '4g': 6, cable: 6 };
  expect(textOf(summaryOf(PLAN, blocks))).not.toMatch(/^traffic/m);
  const mixed = textOf(summaryOf({ ...PLAN, mix: { fibre: 60, '4g': 40 } }, blocks));
  expect(mixed).toMatch(/^traffic +share +best for it +gain of h3 over h2 +95 % interval\nfibre +60 % +h3\*+ +50 % /m);
});

test('a machine that slowed loads down is named', () => {
  const summary = summaryOf(PLAN, { fibre: 6, '4g': 6, cable: 6 });
  expect(textOf(summary)).not.toContain('processor');
  const [first, ...others] = summary.conditions;
  const robbed = { ...withFloor(first!, 0.4), stolenShare: 0.074 };
  const text = textOf({ ...summary, conditions: [robbed, ...others] });
  expect(text).toMatch(/^ {2}arm +median ms +p95 ms +processor ms /m);
  expect(text).toMatch(/^ {2}h2 +200 +200 +80 /m);
  expect(text.replaceAll('\n', ' ')).toContain(
    'In 1 of 3 conditions the processor takes over a third of the load time; the host of this machine gave up to 7 % of it to others.',
  );
});

test('machines that differ are named, and those of which too little is known', () => {
  const summary = summaryOf(PLAN, { fibre: 6, '4g': 6, cable: 6 });
  const textWith = (...verdicts: readonly MachineSummary['aa'][]) => {
    const machines = verdicts.map((aa, place): MachineSummary => {
      const says = aa === 'differs' ? ['its pages take 12 % longer (8 to 16) than on the others'] : [];
      return { name: `rig-${place}`, is: 'a machine', loads: 9, aa, says };
    });
    return textOf({ ...summary, machines }).replaceAll('\n', ' ');
  };
  expect(textWith('alike', 'alike')).toContain('Measured on 2 machines, none of which differs from the others.');
  expect(textWith('alike', 'differs')).toContain(
    'Measured on 2 machines. rig-1: its pages take 12 % longer (8 to 16) than on the others.',
  );
  expect(textWith('undecided', 'alike', 'undecided')).toContain(
    'Measured on 3 machines. Too few loads tell if pages take as long on rig-0 and rig-2 as on the others.',
  );
  expect(textWith('undecided')).toContain('Measured on 1 machine.');
});

test('the summary for programs', () => {
  const summary = summaryOf(PLAN, { fibre: 20, '4g': 20, cable: 20 });
  expect(summary).toMatchObject({
    finished: true,
    served: 'h2',
    rule: { advantage: 0.03, share: 0.5 },
    wallSeconds: 60,
    conditions: [
      { title: 'page over fibre', answer: { serve: 'h3', asGood: [], gain: { over: 'h2', percent: 50 } } },
      { title: 'page over 4g' },
      { title: 'page over cable', answer: { serve: 'h2', asGood: ['h3'] } },
    ],
    version: { chromium: '156.0' },
  });
  // What a program reads is JSON, which knows no infinity.
  expect(JSON.parse(JSON.stringify(summary)).conditions[0].comparisons[2].ci).toEqual([0.5, 0.5]);
});

test('how many loads were not to count, of all that were made', () => {
  const summary = summaryOf(PLAN, { fibre: 2, '4g': 2 });
  expect(summary.loads).toMatchObject({ counted: 12, control: 0, warmup: 4, reference: 0, film: 3 });
  expect(textOf(summary)).toMatch(/^12 loads .*from nginx.* in 60 s, 0 failed; 7 not counted\.$/m);
  const loads = { ...summary.loads, control: 9, reference: 6, void: 1, superseded: 2 };
  expect(uncountedOf(loads)).toEqual({ loads: 22, of: 37 });
  expect(textOf({ ...summary, loads }).replaceAll('\n', ' ')).toContain(
    '22 not counted. 1 load was void, so its block was measured again.',
  );
  const disturbed = (loads: number) => textOf({ ...summary, loads: { ...summary.loads, disturbed: loads } });
  expect(disturbed(1)).toContain('8 not counted.');
});

test('a clock that was put back takes no time off', () => {
  const session = { number: 1, beganMs: 0, lastMs: 60_000, machine: MACHINE, notes: [] };
  const sessions = [session, { ...session, number: 2, beganMs: 3_600_000, lastMs: 5_000 }];
  const found = {
    plan: PLAN,
    measurements: [],
    links: [],
    scores: [],
    sessions,
    warmUps: 0,
    disturbed: 0,
    films: 0,
    references: [],
  };
  expect(summarizeStudy(found).wallSeconds).toBe(60);
});

test.each([
  [
    { verdict: 'tie', passed: true, blocks: 12 },
    { found: true, blocks: 9 },
    'Self-test passed: the same protocol twice ties, a delay of 52 ms is found.',
  ],
  [
    { verdict: 'a', passed: false, blocks: 30 },
    { found: true, blocks: 9 },
    'Self-test FAILED: the same protocol twice differs after 30 blocks.',
  ],
  [
    { verdict: 'undecided', passed: true, blocks: 30 },
    { found: false, blocks: 30 },
    'Self-test FAILED: a delay of 52 ms that was added on purpose is not found in 30 blocks.',
  ],
  [
    { verdict: 'undecided', passed: true, blocks: 4 },
    { found: false, open: true, blocks: 4 },
    'Self-test: the same protocol twice is alike; the delay added on purpose is not found yet.',
  ],
  [
    { verdict: 'undecided', passed: true, blocks: 0 },
    { found: false, blocks: 0 },
    'No self-test: the study has too few blocks for one.',
  ],
])('controls %j and %j', (aa, planted, says) => {
  const found = {
    verdict: planted.found ? 'b' : 'undecided',
    passed: planted.found,
    open: false,
    delayMs: 52,
    ...planted,
  };
  expect(renderControls({ condition: 'c', aa: { open: false, ...aa }, planted: found } as never)).toBe(says);
});
