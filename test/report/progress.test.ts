import { describe, expect, test } from '@jest/globals';
import type { StudyEvent } from '../../harness/model/event.ts';
import { describeRange, describeTime, renderEvent } from '../../harness/report/progress.ts';
import { showJson, showProgress } from '../../harness/report/terminal.ts';

const progress = (more = {}): StudyEvent => ({
  ...{ event: 'progress', closed: 1, conditions: 20, decided: 4, comparisons: 60, loads: 96, elapsedMs: 61_000 },
  ...more,
});

test.each<[StudyEvent, string[]]>([
  [
    { event: 'began', study: 'today', seed: 7, out: '/x', conditions: 20, arms: ['h1', 'h2'], loads: 0 },
    ['today: 20 conditions × h1, h2, seed 7'],
  ],
  [
    { event: 'began', study: 'today', seed: 7, out: '/x', conditions: 1, arms: ['h1', 'h2'], loads: 12 },
    ['today: 1 condition × h1, h2, seed 7, going on after 12 loads'],
  ],
  [
    {
      ...{ event: 'began', study: 'x', seed: 7, out: '/x', conditions: 1, arms: ['h1', 'h2'], loads: 0 },
      ...{ expectedMs: { least: 30_000, most: 300_000 }, budgetMs: 1 },
    },
    ['x: 1 condition × h1, h2, seed 7'],
  ],
  [
    {
      ...{ event: 'began', study: 'x', seed: 7, out: '/x', conditions: 1, arms: ['h1', 'h2'], loads: 0 },
      expectedMs: { least: 3 * 3_600_000, most: 9 * 3_600_000 },
    },
    ['x: 1 condition × h1, h2, seed 7', 'takes about 3 to 9 h'],
  ],
  [
    {
      ...{ event: 'began', study: 'x', seed: 7, out: '/x', conditions: 1, arms: ['h1', 'h2'], loads: 0 },
      ...{ expectedMs: { least: 1_500_000, most: 3_000_000 }, budgetMs: 300_000 },
    },
    [
      'x: 1 condition × h1, h2, seed 7',
      'takes about 25 to 50 min; the budget of 5 min may end it before, and it can be gone on with',
    ],
  ],
  [
    {
      ...{ event: 'block', serial: 4, condition: 'a|4g', index: 2 },
      trials: [
        { arm: 'h2', status: 'ok', pltMs: 512 },
        { arm: 'h3', status: 'failed', reason: 'fallback', says: '/ came over h2, not h3' },
      ],
    },
    ['a|4g, block 3: h3 failed: fallback: / came over h2, not h3'],
  ],
  [
    { event: 'verdict', condition: 'a|4g', a: 'h3', b: 'h2', verdict: 'b', blocks: 9 },
    ['a|4g: h2 is faster than h3 after 9 blocks'],
  ],
  [
    { event: 'verdict', condition: 'a|4g', a: 'h3', b: 'h2', verdict: 'tie', blocks: 30 },
    ['a|4g: h3 and h2 tie after 30 blocks'],
  ],
  [{ event: 'closed', condition: 'a|4g', state: 'decided', notBeaten: ['h3'] }, []],
  [
    { event: 'closed', condition: 'a|4g', state: 'hopeless', notBeaten: ['h2', 'h3'] },
    ['a|4g: stays undecided: more blocks are not likely to tell'],
  ],
  [{ event: 'lighthouse', condition: 'a|4g', arm: 'h2', score: 0.934 }, ['a|4g, Lighthouse, h2: 93']],
  [progress(), []],
])('%j', (event, lines) => {
  expect(renderEvent(event).lines).toEqual(lines);
});

test('how far it is, and how long it may take', () => {
  expect(renderEvent(progress()).status).toBe('4/60 decided, 1/20 closed, 96 loads in 61 s');
  expect(renderEvent(progress({ leftMs: 4_000_000, current: 'a|4g' })).status).toMatch(/, about 67 min left; a\|4g$/);
});

test.each([
  [0, '0 s'],
  [89_400, '89 s'],
  [90_000, '2 min'],
  [89 * 60_000, '89 min'],
  [200 * 60_000, '3 h 20 min'],
  [60 * 3_600_000, '3 days'],
])('%i ms are %s', (ms, text) => {
  expect(describeTime(ms)).toBe(text);
});

function outputOf(more: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = [];
  return { ...more, written, write: (text: string) => written.push(text) };
}

const verdict: StudyEvent = { event: 'verdict', condition: 'a', a: 'h3', b: 'h2', verdict: 'a', blocks: 9 };

describe('where it goes', () => {
  test('on a terminal the status is the last line, never longer than it, and gives way to what stays', () => {
    const output = outputOf({ isTTY: true, columns: 30 });
    const show = showProgress(output);
    for (const event of [progress(), verdict]) show(event);
    show({ event: 'ended', ending: 'finished', summary: '' });
    expect(output.written).toEqual([
      '\r\u001B[K4/60 decided, 1/20 closed, 96',
      '\r\u001B[Ka: h3 is faster than h2 after 9 blocks\n4/60 decided, 1/20 closed, 96',
      '\r\u001B[K',
    ]);
  });

  test('elsewhere a line says so every ten seconds at most', () => {
    const output = outputOf();
    let nowMs = 0;
    const show = showProgress(output, () => nowMs);
    for (nowMs = 0; nowMs < 25_000; nowMs += 1_000) show(progress());
    show(verdict);
    expect(output.written.map((line) => line.slice(0, 7))).toEqual(['4/60 de', '4/60 de', 'a: h3 i']);
  });

  test('for programs each event is a line of JSON', () => {
    const output = outputOf();
    const show = showJson(output);
    for (const event of [progress(), verdict]) show(event);
    expect(output.written.map((line) => JSON.parse(line))).toEqual([progress(), verdict]);
  });
});

test.each<[number, number, string]>([
  [17_000, 17_000, '20 s'],
  [3_000, 3_000, '10 s'],
  [40_000, 200_000, '40 s to 3 min'],
  [12 * 60_000, 12.4 * 60_000, '12 min'],
  [33 * 60_000, 5 * 3_600_000, '35 min to 5 h'],
  [3 * 3_600_000, 9 * 3_600_000, '3 to 9 h'],
  [46 * 3_600_000, 70 * 3_600_000, '46 h to 3 days'],
])('%d to %d ms is %s', (least, most, expected) => {
  expect(describeRange({ least, most })).toBe(expected);
});
