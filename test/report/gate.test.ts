import { describe, expect, test } from '@jest/globals';
import type { Check, GateFindings } from '../../harness/model/gate.ts';
import { describeCheck, type GateContext, renderGate } from '../../harness/report/gate-text.ts';
import { renderJunit } from '../../harness/report/junit.ts';
import { expectGolden } from '../golden/golden.ts';
import { elementsOf } from './xml.ts';

const NEVER = Number.POSITIVE_INFINITY;

function check(more: Partial<Check>): Check {
  return {
    kind: 'max-regret',
    title: 'shop over 4g',
    condition: 'c',
    arm: 'h2',
    against: 'h3',
    unit: '%',
    limit: 5,
    estimate: 12.34,
    low: 9.76,
    high: 15.02,
    outcome: 'broken',
    blocks: 30,
    failed: 0,
    ...more,
  };
}

const plt = { kind: 'max-plt', unit: 'ms', limit: 2500, estimate: 712.4, low: 705, high: 731 } as const;
const ANSWER = { serve: 'h2', asGood: [], sureness: 'sure', marginPercent: 3, regretPercent: 10.6 } as const;
const slower = { kind: 'no-slower-than', limit: 3, estimate: 24.4, low: 20, high: 28 } as const;

describe('in a sentence', () => {
  test.each<[Partial<Check>, string]>([
    [{}, 'h2 takes 12 % longer than h3 (9.8 to 15 %); 5 % allowed [30 blocks]'],
    [{ low: 0, high: NEVER }, 'h2 takes 12 % longer than h3 (nothing is certain yet); 5 % allowed [30 blocks]'],
    [{ high: NEVER, blocks: 1 }, 'h2 takes 12 % longer than h3 (at least 9.8 %); 5 % allowed [1 block]'],
    [{ estimate: 0, low: 0, high: 0 }, 'h2 is the fastest; 5 % allowed [30 blocks]'],
    [
      { estimate: 0, low: 0, high: 2.04 },
      'h2 is the fastest so far (it may take up to 2 % longer); 5 % allowed [30 blocks]',
    ],
    [
      { estimate: 0, low: 0, high: NEVER },
      'h2 is the fastest so far (nothing is certain yet); 5 % allowed [30 blocks]',
    ],
    [
      { estimate: NEVER, low: NEVER, high: NEVER, failed: 30 },
      'how much longer h2 takes than h3 cannot be said; 5 % allowed [30 blocks, 30 failed]',
    ],
    [{ unfit: 'not measured', blocks: 0 }, 'nothing can be said of h2 (not measured); 5 % allowed'],
    [
      { low: 0, high: NEVER, outcome: 'unknown', answer: { ...ANSWER, serve: 'h3' } },
      "h2 takes 12 % longer than h3 (nothing is certain yet); 5 % allowed [30 blocks]; the study's answer: h3, within 3 % of the best (sure); h2 is expected to take 11 % longer",
    ],
    [
      { estimate: 0, low: 0, high: NEVER, answer: { ...ANSWER, sureness: 'likely', regretPercent: 0.2 } },
      "h2 is the fastest so far (nothing is certain yet); 5 % allowed [30 blocks]; the study's answer: h2, within 3 % of the best (likely)",
    ],
    [
      { low: 0, high: 20, answer: { ...ANSWER, serve: 'h3', asGood: ['h2'], regretPercent: 1.2 } },
      "h2 takes 12 % longer than h3 (0 to 20 %); 5 % allowed [30 blocks]; the study's answer: h3 or h2, within 3 % of the best (sure)",
    ],
    [plt, "h2's median load takes 712 ms (705 to 731 ms); 2500 ms allowed [30 blocks]"],
    [
      { ...plt, low: 0, high: NEVER },
      "h2's median load takes 712 ms (nothing is certain yet); 2500 ms allowed [30 blocks]",
    ],
    [
      { ...plt, estimate: NEVER, low: 600, high: NEVER, failed: 16 },
      "h2's median load does not finish (at least 600 ms); 2500 ms allowed [30 blocks, 16 failed]",
    ],
    [
      { ...plt, estimate: NEVER, low: NEVER, high: NEVER, failed: 30 },
      "h2's median load does not finish (that is certain); 2500 ms allowed [30 blocks, 30 failed]",
    ],
    [slower, 'h2 takes 24 % more time than in the earlier study (+20 to +28 %); 3 % more allowed [30 blocks]'],
    [
      { ...slower, estimate: -1.26, low: -4, high: 2.2 },
      'h2 takes 1.3 % less time than in the earlier study (−4 to +2.2 %); 3 % more allowed [30 blocks]',
    ],
    [
      { ...slower, low: -100, high: NEVER },
      'h2 takes 24 % more time than in the earlier study (nothing is certain yet); 3 % more allowed [30 blocks]',
    ],
    [
      { ...slower, estimate: NEVER, low: NEVER, high: NEVER, failed: 30 },
      'h2 finished in the earlier study, and does not now (that is certain); 3 % more allowed [30 blocks, 30 failed]',
    ],
    [
      { ...slower, estimate: NEVER, low: 12, high: NEVER, failed: 16 },
      'h2 finished in the earlier study, and does not now (at least +12 %); 3 % more allowed [30 blocks, 16 failed]',
    ],
    [
      { ...slower, estimate: -100, low: -100, high: -100 },
      'h2 finishes now, and did not in the earlier study (that is certain); 3 % more allowed [30 blocks]',
    ],
    [
      { ...slower, low: -100 },
      'h2 takes 24 % more time than in the earlier study (at most +28 %); 3 % more allowed [30 blocks]',
    ],
  ])('%#', (more, says) => {
    expect(describeCheck(check(more))).toBe(`shop over 4g: ${says}`);
  });
});

const CHECKS = [
  check({}),
  check({
    title: 'all of the traffic',
    kind: 'max-mix-regret',
    outcome: 'held',
    limit: 10,
    estimate: 4,
    low: 2,
    high: 6,
  }),
  check({ ...plt, outcome: 'held', arm: 'h3' }),
  check({ ...slower, title: 'shop over cable', outcome: 'unknown', estimate: 3, low: -1, high: 8 }),
  check({ title: 'shop over cable', outcome: 'unknown', low: 0, high: 21, answer: { ...ANSWER, serve: 'h3' } }),
];
const FINDINGS: GateFindings = { outcome: 'broken', passed: false, checks: CHECKS, comparisons: 7 };
const CONTEXT: GateContext = {
  study: 'shop',
  asked: ['--max-regret 5%', '--no-slower-than main'],
  strict: false,
  fewestBlocks: 9,
  notes: ['Chromium was 156.0, is 157.0'],
};

test('as text', () => {
  const strict = { ...CONTEXT, strict: true, notes: [] };
  const unknown = { ...FINDINGS, outcome: 'unknown', checks: CHECKS.slice(1) } as const;
  const all = [
    renderGate(FINDINGS, CONTEXT),
    renderGate({ ...unknown, passed: true }, { ...CONTEXT, notes: [] }),
    renderGate({ ...unknown, passed: false }, strict),
    renderGate({ ...unknown, outcome: 'held', passed: true, checks: CHECKS.slice(1, 3) }, strict),
  ];
  expectGolden('gate.txt', `${all.join('\n\n---\n\n')}\n`);
});

test('what would make the unknown known', () => {
  const unknownAfter = (blocks: number) => {
    const checks = [check({ outcome: 'unknown', blocks })];
    return renderGate({ ...FINDINGS, outcome: 'unknown', passed: true, checks }, CONTEXT);
  };
  expect(unknownAfter(8)).toContain(
    'need 9 blocks in a condition: npx photofinish measure --exactly 9 or more gives them.',
  );
  expect(unknownAfter(9)).toContain('A study with more blocks tells more (measure --exactly N).');
});

describe('as JUnit has it', () => {
  const origin = { hostname: 'ci', atMs: Date.UTC(2026, 10, 21, 12, 0, 5, 123) };

  test('a test for each check', () => {
    expectGolden('gate-junit.xml', renderJunit(FINDINGS, CONTEXT, origin));
  });

  test('unknown is a failure with --strict, and is skipped without', () => {
    const [relaxed, strict] = [false, true].map((each) =>
      elementsOf(renderJunit(FINDINGS, { ...CONTEXT, strict: each }, origin)),
    );
    const counted = (elements: ReturnType<typeof elementsOf>) =>
      elements.find(({ name }) => name === 'testsuite')!.attributes;
    expect(counted(relaxed!)).toMatchObject({ tests: '5', failures: '1', skipped: '2', errors: '0' });
    expect(counted(strict!)).toMatchObject({ tests: '5', failures: '3', skipped: '0', errors: '0' });
    const named = (name: string) => relaxed!.filter((each) => each.name === name);
    expect([named('failure').length, named('skipped').length]).toEqual([1, 2]);
  });

  test.each([
    ['</testsuite>', '</testsuite>'],
    ['"\'&<>', '"\'&<>'],
    ['a\tb\nc\rd', 'a\tb\nc\rd'],
    [']]>', ']]>'],
    ['nul \u0000, escape \u001b[31m, \uFFFE', 'nul \uFFFD, escape \uFFFD[31m, \uFFFD'],
    ['half a pair \uD83D', 'half a pair \uFFFD'],
    ['a whole one 😀, \u202E\u2028', 'a whole one 😀, \u202E\u2028'],
    ['&amp;', '&amp;'],
  ])('a name such as %j stays a name', (name, read) => {
    const checks = [check({ title: name, arm: name, unfit: name })];
    const xml = renderJunit(
      { ...FINDINGS, checks },
      { ...CONTEXT, study: name, asked: [name], notes: [name] },
      { ...origin, hostname: name },
    );
    const elements = elementsOf(xml);
    const named = (which: string) => elements.find((each) => each.name === which)!;
    expect(named('testcase').attributes.name).toBe(`${read}: ${read}, 5 %`);
    expect(named('testsuite').attributes).toMatchObject({ name: `photofinish gate ${read}`, hostname: read });
    expect(named('failure').attributes.message).toContain(read);
    expect(named('failure').text).toContain(read);
    expect(elements.filter((each) => each.name === 'property').at(-1)!.attributes.value).toBe(read);
  });
});
