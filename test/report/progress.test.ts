import { describe, expect, test } from '@jest/globals';
import type { StudyEvent } from '../../harness/model/event.ts';
import { describeRange, describeTime, describeWorker, renderEvent } from '../../harness/report/progress.ts';
import { showJson, showProgress } from '../../harness/report/terminal.ts';

const progress = (more = {}): StudyEvent => ({
  event: 'progress',
  closed: 7,
  conditions: 20,
  answered: 12,
  settled: 7,
  decided: 4,
  comparisons: 60,
  loads: 143,
  elapsedMs: 61_000,
  serves: [
    { arm: 'h3', conditions: 9 },
    { arm: 'h1', conditions: 3 },
  ],
  labs: [],
  ...more,
});

const WHERE = { condition: 'article|fibre|nginx|cold', title: 'article over fibre' } as const;

const answer = (more = {}): StudyEvent => ({
  event: 'answer',
  ...WHERE,
  serve: 'h3',
  asGood: [],
  sureness: 'sure',
  blocks: 5,
  gain: { over: 'h2', percent: 21.4, interval: [17, 26] },
  ...more,
});

test.each<[StudyEvent, string[]]>([
  [
    { event: 'began', study: 'today', seed: 7, out: '/x', conditions: 20, arms: ['h1', 'h2'], loads: 0 },
    ['Study “today”: 20 conditions (each a page over a link) by h1, h2; seed 7'],
  ],
  [
    { event: 'began', study: 'today', seed: 7, out: '/x', conditions: 1, arms: ['h1', 'h2'], loads: 12 },
    ['Study “today”: 1 condition (a page over a link) by h1, h2; seed 7, continued after 12 loads'],
  ],
  [
    {
      event: 'began',
      study: 'x',
      seed: 7,
      out: '/x',
      conditions: 1,
      arms: ['h1', 'h2'],
      loads: 0,
      expectedMs: { least: 30_000, most: 300_000 },
      budgetMs: 1,
    },
    ['Study “x”: 1 condition (a page over a link) by h1, h2; seed 7'],
  ],
  [
    {
      event: 'began',
      study: 'x',
      seed: 7,
      out: '/x',
      conditions: 1,
      arms: ['h1', 'h2'],
      loads: 0,
      expectedMs: { least: 3 * 3_600_000, most: 9 * 3_600_000 },
    },
    ['Study “x”: 1 condition (a page over a link) by h1, h2; seed 7', 'This takes about 3 to 9 h.'],
  ],
  [
    {
      event: 'began',
      study: 'x',
      seed: 7,
      out: '/x',
      conditions: 1,
      arms: ['h1', 'h2'],
      loads: 0,
      expectedMs: { least: 1_500_000, most: 3_000_000 },
      budgetMs: 300_000,
    },
    [
      'Study “x”: 1 condition (a page over a link) by h1, h2; seed 7',
      'This takes 5 min and ends with the best answer so far. You can settle the rest later: all of it takes about 25 to 50 min.',
    ],
  ],
  [
    {
      event: 'block',
      serial: 4,
      ...WHERE,
      index: 2,
      trials: [
        { arm: 'h2', status: 'ok', pltMs: 512 },
        { arm: 'h3', status: 'failed', reason: 'fallback', says: '/ came over h2, not h3' },
      ],
    },
    ['article over fibre, block 3: h3 failed: fallback: / came over h2, not h3'],
  ],
  [{ event: 'verdict', ...WHERE, a: 'h3', b: 'h2', verdict: 'b', blocks: 9 }, []],
  [{ event: 'lighthouse', ...WHERE, arm: 'h2', score: 0.934 }, ['article over fibre, Lighthouse, h2: 93']],
  [
    { event: 'films', conditions: 2 },
    [
      'All is measured. Photofinish now films a load of each protocol in 2 conditions. Ctrl-C ends that, and nothing is lost.',
    ],
  ],
  [
    { event: 'stopping' },
    [
      'Photofinish stops once what is under way has ended, and then writes the report. Ctrl-C again ends it at once, without a report.',
    ],
  ],
  [progress(), []],
])('%j', (event, lines) => {
  expect(renderEvent(event).lines).toEqual(lines);
});

test.each<[Parameters<typeof answer>[0], string | undefined]>([
  [{}, 'serve h3 (21 % faster than h2), sure after 5 blocks'],
  [{ sureness: 'proven', blocks: 9 }, 'serve h3 (21 % faster than h2), proven after 9 blocks'],
  [{ sureness: 'likely', before: 'sure', blocks: 6 }, 'no longer sure, but likely after 6 blocks'],
  [{ sureness: 'open', before: 'likely' }, undefined],
  [{ asGood: ['h1'] }, 'serve h3 or h1 (as good; 21 % faster than h2), sure after 5 blocks'],
  [{ asGood: ['h1', 'h2'] }, 'serve h3, h1 or h2 (as good), sure after 5 blocks'],
  [{ serve: 'h2' }, 'keep h2, sure after 5 blocks'],
  [{ serve: 'h2', asGood: ['h3'] }, 'serve h2 or h3 (as good), sure after 5 blocks'],
  [{ sureness: 'likely' }, undefined],
  [{ sureness: 'open' }, undefined],
])('an answer with %j: %s', (more, says) => {
  expect(renderEvent(answer(more)).lines).toEqual(says === undefined ? [] : [`article over fibre: ${says}`]);
});

test.each<[object, string | undefined]>([
  [{ state: 'settled', sureness: 'sure' }, undefined],
  [{ state: 'proven', sureness: 'proven' }, undefined],
  [{ state: 'full', sureness: 'sure' }, undefined],
  [{ state: 'full', sureness: 'likely' }, 'has all its blocks, and its answer is likely, but not sure'],
  [{ state: 'full', sureness: 'open' }, 'has all its blocks, and its answer is still open'],
  [{ state: 'full' }, 'has all its blocks, and no answer'],
  [{ state: 'hopeless', sureness: 'sure' }, 'gets no more blocks, since those that are left cannot prove its answer'],
  [{ state: 'broken' }, 'gets no more blocks, since one of them was void again and again'],
])('a condition that gets no more blocks, with %j: %s', (more, says) => {
  const event = { event: 'closed', ...WHERE, ...more } as StudyEvent;
  expect(renderEvent(event).lines).toEqual(says === undefined ? [] : [`article over fibre: ${says}`]);
});

test.each([
  [{}, '7 of 20 conditions settled, 12 with a first answer, 143 loads in 61 s'],
  [
    { leftMs: 180_000, current: 'article|fibre|nginx|cold', title: 'article over fibre', arm: 'h2' },
    '7 of 20 conditions settled, 12 with a first answer, 143 loads in 61 s, about 3 min left; article over fibre, h2',
  ],
  [{ answered: 20, settled: 20, closed: 5 }, '20 of 20 conditions settled, 5 finished, 143 loads in 61 s'],
])('how far it is with %j', (more, says) => {
  expect(renderEvent(progress(more)).status).toBe(says);
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

test.each([
  [{ name: 'far', does: [] }, 'far: waits'],
  [{ name: 'far', does: [{ title: 'shop over 4g', arm: 'h3' }] }, 'far: shop over 4g, h3'],
  [
    { name: 'far', does: [{ title: 'shop over 4g', arm: 'h3' }, { title: 'the control' }], loadsPerHour: 899.6 },
    'far, 900 loads an hour: shop over 4g, h3; the control',
  ],
])('what a worker does: %j', (worker, text) => {
  expect(describeWorker(worker)).toBe(text);
});

describe('where it goes', () => {
  test('on a terminal the last lines say how far it is, none longer than it, and give way to what stays', () => {
    const output = outputOf({ isTTY: true, columns: 50 });
    const show = showProgress(output);
    const labs = [{ title: 'article over fibre', arm: 'h2' }, { title: 'gallery over 4G' }];
    for (const event of [progress(), answer(), progress({ labs })]) show(event);
    show({ event: 'ended', ending: 'finished', summary: '' });
    const board = '[#######.............] 7 of 20 conditions settled\nserve so far: h3 in 9, h1 in 3 of 20 conditions';
    expect(output.written).toEqual([
      `\r\u001B[J${board}`,
      `\u001B[1A\r\u001B[Jarticle over fibre: serve h3 (21 % faster than h2), sure after 5 blocks\n${board}`,
      `\u001B[1A\r\u001B[J${board}\n  article over fibre, h2\n  gallery over 4G`,
      '\u001B[3A\r\u001B[J',
    ]);
  });

  test('elsewhere a line says so every ten seconds at most', () => {
    const output = outputOf();
    let nowMs = 0;
    const show = showProgress(output, () => nowMs);
    for (nowMs = 0; nowMs < 25_000; nowMs += 1_000) show(progress());
    show(answer());
    expect(output.written.map((line) => line.slice(0, 7))).toEqual(['7 of 20', '7 of 20', 'article']);
  });

  test('for programs each event is a line of JSON', () => {
    const output = outputOf();
    const show = showJson(output);
    for (const event of [progress(), answer()]) show(event);
    expect(output.written.map((line) => JSON.parse(line))).toEqual([progress(), answer()]);
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

test('what a page or a stranger’s study says cannot steer the terminal', () => {
  const said: string[] = [];
  const output = { isTTY: false, write: (text: string) => said.push(text) };
  const title = 'shop\u001b[2J\u009b31m over 4g';
  for (const show of [showProgress(output), showJson(output)]) show(answer({ title }));
  const tty = { ...output, isTTY: true, columns: 80 };
  showProgress(tty)(answer({ title }));
  for (const control of ['\u001b[2', '\u009b']) expect(said.join('')).not.toContain(control);
  expect(said.join('')).toContain('shop[2J31m over 4g');
});
