import { describe, expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import { readLog } from '../../harness/measurement/devtools-log.ts';
import type { TreeSubject } from '../../harness/model/tree.ts';
import { packBlocks, unpackBlocks, unpackRequests } from '../../harness/report/page-data.ts';
import { buildPage } from '../../harness/report/view-model.ts';
import { badgesOf } from '../../harness/report/view-model-badges.ts';
import { packFilms } from '../../harness/report/view-model-films.ts';
import { readWaterfall } from '../../harness/report/waterfall.ts';
import { readCapture } from '../fixtures/captures.ts';
import { expectGolden } from '../golden/golden.ts';
import { smallPage, smallSource, timesOn } from './pages.ts';

describe('the page of a small study', () => {
  const { page, summary } = smallPage();

  test('says what to serve as the advice does', () => {
    expect(summary.advice).toMatchObject({ serve: 'h3', asGood: [], gain: { over: 'h2' } });
    expect(page.answer.headline).toBe('Serve HTTP/3');
    expect(page.answer.text).toBe(summary.advice!.text);
  });

  test('has what its reader’s browser needs to decide by itself', () => {
    expect(page.conditions.map(({ lossy }) => lossy)).toEqual(summary.conditions.map(() => false));
    for (const { timeoutMs } of page.conditions) expect(timeoutMs).toBeGreaterThan(0);
    expect(unpackBlocks(page.conditions[0]!.blocks).map(({ at }) => at)).toEqual(
      unpackBlocks(page.conditions[0]!.blocks).map(({ serial }) => serial),
    );
  });

  test('has every judged block as it was measured', () => {
    for (const [index, { blocks, arms }] of summary.conditions.entries()) {
      expect(unpackBlocks(page.conditions[index]!.blocks)).toHaveLength(blocks);
      for (const arm of ['h1', 'h2', 'h3'])
        expect(timesOn(page, index, arm).filter((time) => time === 'failed')).toHaveLength(
          Math.min(blocks, arms[arm]!.failed),
        );
    }
    expect(timesOn(page, 4, 'h1')[0]).toBe('failed');
    const [first] = unpackBlocks(page.conditions[0]!.blocks);
    expect(first).toMatchObject({ index: 0, launch: 1, serial: 1, beganMs: Date.UTC(2026, 10, 21, 12, 0, 1) });
    expect(page.evidence[first!.evidence.h2!]).toEqual(['har/*.har.gz']);
  });

  test('its blocks name the machines that ran them, so that the page decides as the program did', () => {
    const blocks = ['far', undefined, 'near'].map((machine, launch) => ({
      launch,
      serial: launch + 1,
      beganMs: 0,
      outcomes: { h2: 1 },
      evidence: {},
      machine: machine || undefined,
    }));
    const packed = packBlocks(blocks, ['h2'], ['near', 'far']);
    expect(unpackBlocks(packed, ['near', 'far']).map(({ machine }) => machine)).toEqual(['far', undefined, 'near']);
    expect(page.conditions[0]!.blocks.machines).toBeUndefined();
  });

  test('has the waterfall of each arm, of its median load', () => {
    const [h1, h2] = page.conditions[0]!.waterfalls;
    const times = timesOn(page, 0, 'h1').toSorted((a, b) => (a as number) - (b as number));
    expect(h1).toMatchObject({ arm: 'h1', timeMs: times[(times.length - 1) >> 1], count: 6 });
    expect(unpackRequests(h2!, page.names)[0]).toMatchObject({ type: 'Document', priority: 'VeryHigh', status: 200 });
  });

  test('of an arm that always failed, that of a failed load', () => {
    const [h1] = page.conditions[4]!.waterfalls;
    expect(h1).toMatchObject({ arm: 'h1', count: 6 });
    expect(h1!.timeMs).toBeUndefined();
  });

  test('says what speaks against believing it, worst first', () => {
    expect(page.answer.badges.map(({ level, title }) => `${level}: ${title}`)).toEqual([
      'bad: Link out of tolerance',
      'warn: Not finished',
      'warn: No self-test yet',
      'warn: Processor-bound pages',
      'warn: Failed loads',
      'warn: Changed while measuring',
    ]);
    expect(page.answer.badges[0]!.says).toContain('cable');
    expect(page.answer.badges[1]!.says).toMatch(/ can get more blocks, so its answer may change\.$/);
  });

  test('says how it was measured', () => {
    const { calibrations, losses, lossCount, sessions, texts } = page.method;
    expect(calibrations.map(({ link, ok }) => `${link} ${ok}`)).toEqual(['fibre true', '4g true', 'cable false']);
    // From 120 loads, each of which lost one of 10 packets down.
    expect(calibrations[0]!.carried).toEqual({ down: { sent: 1_200, lost: 120 }, up: { sent: 960, lost: 0 } });
    expect(lossCount).toBe(summary.loads.failed);
    expect(losses[0]).toMatchObject({ arm: 'h1', status: 'failed', reason: 'timeout', says: 'too slow' });
    expect(sessions).toHaveLength(2);
    expect(texts.map(({ title }) => title)).toEqual([
      'Configuration of nginx',
      'Chromium’s flags (tcp)',
      'Kernel settings of client',
      'Queues of fibre',
      'Queues of 4g',
      'Queues of cable',
    ]);
  });

  test('is the same again', () => {
    expectGolden('page-data.txt', `${JSON.stringify(page, undefined, 1)}\n`);
  });
});

test('where the tree is the advice, the headline names no protocol', () => {
  const source = smallSource();
  const summary = summarizeStudy(source.found);
  const headlineAt = (regretPercent: number, byTreeAsks: readonly TreeSubject[] = ['page', 'link']) => {
    const advice = { ...summary.advice!, regretPercent, byTreePercent: 1, byTreeAsks };
    return buildPage(source, { ...summary, advice }, { again: { command: '' }, next: [] }).answer.headline;
  };
  expect([headlineAt(11), headlineAt(11.1)]).toEqual(['Serve HTTP/3', 'Choose by page and link']);
  expect([headlineAt(12, ['page']), headlineAt(12, ['link'])]).toEqual(['Choose by page', 'Serve HTTP/3']);
});

test('a study without a block has a page', () => {
  const source = smallSource({ blocks: 0 });
  const page = buildPage(source, summarizeStudy(source.found), { again: { command: '' }, next: [] });
  expect(page.answer).toMatchObject({
    headline: 'Nothing measured yet',
    text: 'Nothing is measured yet, so there is nothing to advise.',
  });
  expect(page.conditions[0]!.waterfalls).toEqual([]);
});

test('a badge says where this machine takes much of the time', () => {
  const { page, summary } = smallPage();
  expect(summary.conditions[0]!.floorMs).toEqual({ h1: 50, h2: 55, h3: 60 });
  expect(page.answer.badges).toContainEqual({
    level: 'warn',
    title: 'Processor-bound pages',
    says: 'In 1 of 6 conditions the processor takes over a third of the load time: article over fibre, 60 of 100 ms with h3. The answer may differ on another machine.',
  });
});

test('a badge says of each machine what it does otherwise than the others', () => {
  const { summary } = smallPage();
  const machine = { is: '', loads: 9, aa: 'alike' } as const;
  const machines = [
    { ...machine, name: 'near', says: [] },
    { ...machine, name: 'far', says: ['its pages take 9 % longer than on the others', 'its clock was set'] },
  ];
  expect(badgesOf({ ...summary, machines }, (id) => id).filter(({ title }) => title.startsWith('Machine'))).toEqual([
    {
      level: 'warn',
      title: 'Machine far',
      says: 'Its pages take 9 % longer than on the others. Its clock was set.',
    },
  ]);
});

describe('controls', () => {
  const { summary } = smallPage();
  const badgesWith = (aa: object, planted: object) => {
    const control = { verdict: 'tie', blocks: 9, open: false, passed: true } as const;
    const controls = {
      condition: '',
      aa: { ...control, ...aa },
      planted: { ...control, found: true, delayMs: 20, ...planted },
    };
    return badgesOf({ ...summary, controls }, (id) => id).filter(({ title }) => title.startsWith('Self-test'));
  };
  test.each([
    ['good: Self-test passed', {}, {}],
    ['bad: Self-test failed', { passed: false }, {}],
    ['bad: Self-test failed', {}, { found: false }],
    ['warn: Self-test not finished', {}, { found: false, open: true }],
  ])('%s', (badge, aa, planted) => {
    expect(badgesWith(aa, planted).map(({ level, title }) => `${level}: ${title}`)).toEqual([badge]);
  });
});

test.each(['h1-cold', 'h2-cold', 'h3-cold', 'h3-resumed'] as const)(
  'a waterfall of %s is in the order of time',
  (name) => {
    const capture = readCapture(name);
    const requests = readWaterfall(capture);
    expect(requests).toHaveLength(readLog(capture.browser.events).requests.length);
    expect(requests[0]!.connectMs).toBeGreaterThanOrEqual(0);
    for (const { wantedMs, sentMs, answeredMs, finishedMs, name: path } of requests) {
      expect([wantedMs, sentMs!, answeredMs!, finishedMs!]).toEqual(
        [wantedMs, sentMs!, answeredMs!, finishedMs!].toSorted((a, b) => a - b),
      );
      expect(path).toMatch(/^\//);
    }
  },
);

describe('films', () => {
  const film = (frames: readonly string[]) => ({
    pltMs: 100,
    frames: frames.map((jpeg, index) => ({ atMs: 10 * index, jpeg })),
  });
  const pack = (frames: readonly string[], most?: number) => {
    const pictures: string[] = [];
    const packed = packFilms(
      [{ condition: 'c', arm: 'h3', film: film(frames) }],
      (jpeg) => pictures.push(jpeg) - 1,
      most,
    );
    return {
      pictures,
      times: packed
        .get('c')
        ?.at(0)
        ?.frames.map(({ atMs }) => atMs),
    };
  };
  const eight = Array.from({ length: 8 }, (_, index) => `AAA${index}`);

  test('keep all their frames where there is room', () => {
    expect(pack(eight).pictures).toEqual(eight);
  });
  test.each([
    [20, [0, 20, 40, 60, 70]],
    [19, [0, 40, 70]],
    [1, [0, 70]],
  ])('are thinned to what there is room for, the first and the last staying: %i characters', (most, times) => {
    expect(pack(eight, most).times).toEqual(times);
  });
  test('are left out where they are no pictures', () => {
    expect(pack(['AAAA', '"><script>']).times).toBeUndefined();
  });
});
