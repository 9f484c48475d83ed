import { describe, expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import { PAPER_NAMES } from '../../harness/model/paper.ts';
import { renderFindings } from '../../harness/report/findings-text.ts';
import { describeCounts, renderThenAndNow } from '../../harness/report/then-and-now-text.ts';
import { expectGolden } from '../golden/golden.ts';
import { planOf } from '../study/plans.ts';
import { paperStudy } from './paper-pages.ts';

const CONTEXT = { page: 'report.html', next: [] };
const summaries = PAPER_NAMES.map((name) => summarizeStudy(paperStudy(name)));

test('the terminal’s text of each paper is what it was', () => {
  expectGolden(
    'then-and-now.txt',
    `${summaries.map(({ thenAndNow }) => renderThenAndNow(thenAndNow!)).join('\n\n')}\n`,
  );
});

test('on the terminal the claims come after the answer', () => {
  const text = renderFindings(summaries[0]!, CONTEXT);
  expect(text).toContain('\n\nThen and now: of the 17 claims of Krämer 2015 ');
  expect(text.indexOf('Then and now')).toBeGreaterThan(text.indexOf('Serve '));
});

test('a study that repeats no paper has no such part', () => {
  const plan = planOf();
  const summary = summarizeStudy({
    plan,
    measurements: [],
    links: [],
    scores: [],
    sessions: [],
    warmUps: 0,
    disturbed: 0,
    films: 0,
    references: [],
  });
  expect(summary.thenAndNow).toBeUndefined();
  expect(renderFindings(summary, CONTEXT)).not.toContain('Then and now');
});

describe('printed tables beside ours', () => {
  const [, dncs, , goncalves] = summaries.map(({ thenAndNow }) => thenAndNow!.tables);
  test('row by row, in the paper’s units, with an interval', () => {
    const row = goncalves![0]!.rows.find(({ labels }) => labels.join() === 'nginx,SPDY,50')!;
    expect(row).toMatchObject({ arm: 'h2', condition: expect.stringMatching(/\|nginx\|cold\|10$/) });
    const [connections, seconds, megabytes] = row.cells;
    expect(connections).toMatchObject({ published: 5, measured: expect.closeTo(21, 0), loads: 10 });
    expect(seconds).toMatchObject({ published: 10.05, measured: expect.closeTo(8.4, 0) });
    expect(megabytes).toMatchObject({ published: 7, measured: expect.closeTo(5, 0) });
    const [low, high] = seconds!.interval!;
    expect(low).toBeLessThan(seconds!.measured!);
    expect(high).toBeGreaterThan(seconds!.measured!);
  });
  test('where there is none of ours, theirs alone', () => {
    const row = goncalves![0]!.rows.find(({ labels }) => labels.join() === 'gwan,HTTP,50')!;
    expect(row).toEqual({
      labels: ['gwan', 'HTTP', '50'],
      cells: [{ published: 30 }, { published: 11.03 }, { published: 6.7 }],
    });
  });
  test('Lighthouse’s scores: few runs have a median and no interval', () => {
    const row = dncs![1]!.rows.find(({ labels }) => labels.join() === 'global-master,HTTP/3')!;
    expect(row.cells).toEqual([{ published: 97, measured: 93, loads: 3 }]);
  });
});

test('the printed tree beside ours', () => {
  const { tree } = summaries[0]!.thenAndNow!;
  expect(tree!.leaves.map(({ published }) => published.length)).toEqual([3, 3, 1, 1]);
  expect(tree!.leaves.at(-1)).toMatchObject({ published: ['QUIC'], measured: [['h3']] });
});

test.each([
  [['holds'], '1 holds'],
  [['holds', 'holds', 'reversed', 'no longer'], '2 hold, 1 is reversed and 1 no longer does'],
  [['not comparable', 'not comparable'], '2 are not comparable'],
] as const)('%j: %s', (standings, says) => {
  expect(describeCounts(standings.map((standing) => ({ standing, missing: [] })))).toBe(says);
});

test('what is told of part of its places is told as far as that was measured', () => {
  const claims = (['holds', 'no longer'] as const).flatMap((standing) =>
    [[], ['b', 'c']].map((missing) => ({ standing, missing })),
  );
  expect(describeCounts(claims)).toBe('2 hold (1 as far as measured) and 2 no longer do (1 as far as measured)');
});
