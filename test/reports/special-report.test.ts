import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeGeneratedPages } from '../../harness/bench/generated-page.ts';
import type { ConditionSummary } from '../../harness/findings/summary.ts';
import type { Advice } from '../../harness/model/advice.ts';
import type { Features, Leaf } from '../../harness/model/tree.ts';
import { type PageData, packBlocks, unpackBlocks } from '../../harness/report/page-data.ts';
import { PROJECT } from '../../harness/system/tools.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { completed, writeState } from '../../reports/state.ts';
import { expectGolden } from '../golden/golden.ts';
import { smallPage } from '../report/pages.ts';
import { findViolations } from './axe.ts';
import { cellsOf, leavesOf, seeAll, textOf, textsOf, useReports } from './opened.ts';

// It needs a browser and no lab: the page is read from the disk.
const reports = useReports();

test('where the tree is the advice, the figures are said to be those of one protocol', async () => {
  const { page: data } = smallPage();
  const { summary } = data;
  const advice = { ...summary.advice!, regretPercent: 25, byTreePercent: 1.2, byTreeAsks: ['page', 'link'] as const };
  const [first, ...others] = summary.conditions;
  const either = { ...first!, answer: { ...first!.answer!, asGood: ['h1'] } };
  const divided = {
    ...data,
    summary: { ...summary, advice, conditions: [either, ...others] },
    answer: { ...data.answer, headline: 'Choose by page and link' },
  };
  await using opened = await reports.openData(divided, 'divided');
  const { page } = opened;
  const served = new Set(leavesOf(summary.tree!).map(({ serve }) => serve));
  expect(await page.$$eval('h1 .mark', (marks) => marks.length)).toBe(served.size);
  expect(await textOf(page, '#answer .assumes')).toMatch(
    /^No protocol is good everywhere\. .*; by link only a CDN can\)/,
  );
  expect(await textOf(page, '#answer .shortly')).toBe('If it has to be one, serve HTTP/3.');
  expect(await textsOf(page, '#trust .assumes')).toEqual([]);
  // Where several arms will do, and what is served is none of them, stripes of their colours.
  expect((await cellsOf(page))[0]).toMatchObject({ stripes: 2, isEven: false });
  expect(await findViolations(page)).toEqual([]);
  expect(opened.mishaps).toEqual([]);
});

test('where the answer depends on who visits, each protocol has a line with its links, and the gain is an interval', async () => {
  const { page: data } = smallPage();
  const { summary } = data;
  const [first] = summary.advice!.byProfile;
  const { without: _, ...whole } = summary.advice!;
  const advice: Advice = {
    ...whole,
    sureness: 'likely',
    mix: { fibre: 1 / 3, '4g': 1 / 3, cable: 1 / 3 },
    gain: { over: 'h2', percent: 2, interval: [-5, 8] },
    byProfile: Object.entries({ fibre: 'h2', '4g': 'h3', cable: 'h2' }).map(([profile, serve]) => ({
      ...first!,
      profile,
      serve,
      asGood: [],
      sureness: profile === 'fibre' ? 'likely' : 'sure',
    })),
  };
  const headline = 'It depends on your visitors';
  const depends = { ...data, summary: { ...summary, advice }, answer: { ...data.answer, headline } };
  await using opened = await reports.openData(depends, 'depends');
  const { page } = opened;
  expect(await textOf(page, 'h1')).toBe(headline);
  expect(await page.title()).toMatch(/^It depends on your visitors · /);
  expect(await textsOf(page, '#answer .kinds li')).toEqual([
    'HTTP/2 if nearly all have fibre or cable, likely',
    'HTTP/3 if nearly all have 4g (mobile), sure',
  ]);
  expect(await textOf(page, '#answer .depends')).toBe(
    'If you do not know your visitors, keep HTTP/2: with equal shares HTTP/3 may save or cost time. Set your visitors’ shares.',
  );
  expect(await textOf(page, '#answer .together')).toBe('Best for all 2 sample pages together:');
  expect(await textsOf(page, '[data-fact] dd')).toEqual(['Not sure', '50 % faster', '25 % slower', '1 not settled']);
  expect(await textOf(page, '[data-fact="sure"] dt')).toMatch(
    /^enough to switch for all: HTTP\/3 is best on average \(\w+\)\. HTTP\/3 saves 2 % of page load time, but the 95 % interval goes from 5 % lost to 8 % saved\.$/,
  );
  expect(await textOf(page, '[data-fact="best"] dt')).toBe(
    'with HTTP/3 than with HTTP/2, which is served today, at best: article over fibre.',
  );
  expect(await findViolations(page)).toEqual([]);
});

test('what more blocks would settle leaves out conditions that get none', async () => {
  const { page: data } = smallPage();
  const { summary } = data;
  const stopped = (state: 'open' | 'full') => (condition: ConditionSummary) => ({
    ...condition,
    state,
    answer: { ...condition.answer!, settled: false },
  });
  const [one, two, ...others] = summary.conditions.toSorted(
    (a, b) => Number(a.answer!.settled) - Number(b.answer!.settled),
  );
  const conditions = [stopped('full')(one!), stopped('open')(two!), ...others];
  const stopping = { kind: 'early', until: 'settled', cap: 20 } as const;
  const open = { ...summary.advice!.open, conditions: 2 };
  const ended = { ...summary, conditions, stopping, finished: false, leftSeconds: 26 };
  const left = { ...data, summary: { ...ended, advice: { ...summary.advice!, open } } };
  await using opened = await reports.openData(left, 'left');
  expect(await textOf(opened.page, '[data-fact="open"]')).toContain(
    'About 26 s more would settle 1 of them; the other has had all blocks that the study allows.',
  );
});

test('what was not measured is predicted, with a dotted outline; nothing that was measured is blank', async () => {
  await using opened = await reports.openStudy({ unmeasured: 1, blocks: 5 }, 'predicted');
  const { page, summary } = opened;
  const cells = await cellsOf(page);
  const { answer } = summary.conditions[5]!;
  expect(answer!.predicted).toBe(true);
  expect(cells[5]).toMatchObject({ standing: 'predicted', border: 'dotted' });
  expect(cells[5]!.says).toMatch(/^h3 predicted \+\d+ %$/);
  for (const { border, says } of cells.slice(0, 5)) {
    expect(border).not.toBe('dotted');
    expect(says).toMatch(/^(h2 h3|any) sure$|(✓ proven|sure|likely|open)( (h\d )?([+−]\d+ %|±0 %|within 3 %))+$/);
  }
  expect(await textOf(page, '.grid-key')).toContain('predicted by the tree, not measured');
  expect(await textsOf(page, '.known [data-count="predicted"]')).toEqual(['1 predicted, not measured']);
  await page.select('#condition-choice', '5');
  expect(await textOf(page, '.condition-head')).toContain('Not measured: the tree predicts it');
  await seeAll(page);
  expect(await findViolations(page)).toEqual([]);
  expect(opened.mishaps).toEqual([]);
});

test('the explorer answers what was measured by its own loads, and all else by the tree', async () => {
  await using opened = await reports.openStudy({ sites: ['article'] }, 'asked');
  const { page, summary } = opened;
  const answerTo = async (asked: Features) => {
    await page.evaluate(async (fragment) => {
      location.hash = fragment;
      await new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    }, writeState({ asked }));
    const arms = await page.$eval('[data-leaf]', (node) => (node as HTMLElement).dataset.leaf);
    const [, says] = await textsOf(page, '#explorer-result > p');
    return `${arms}: ${says!.split(/\.| from /)[0]}`;
  };
  const [, , cable] = summary.conditions;
  const armsOf = ({ serve, asGood }: Pick<Leaf, 'serve' | 'asGood'>) => [serve, ...asGood].join(' ');
  expect(await answerTo(cable!.features)).toBe(`${armsOf(cable!.answer!)}: It was measured`);
  const other = completed({ ...cable!.features, rttMs: cable!.features.rttMs + 1 });
  expect(await answerTo(other)).toBe(
    `${armsOf(follow(summary.tree!, other))}: It was not measured: the tree predicts it`,
  );
});

test('the explorer knows each page over each link that is chosen from its lists as measured', async () => {
  // The pages of this study are all alike.
  await using opened = await reports.openStudy({ sites: ['article'] }, 'chosen');
  const { page, summary } = opened;
  const choose = async (what: 'link' | 'site', title: string) => {
    const index = await page.$$eval(
      `#ask-${what} option`,
      (options, name) => options.findIndex((option) => `${option.textContent} `.startsWith(`${name} `)) - 1,
      title,
    );
    await page.select(`#ask-${what}`, `${index}`);
  };
  for (const { site, link, answer } of summary.conditions) {
    await choose('link', `${link.name}`);
    await choose('site', site);
    expect(await textOf(page, '#explorer-result')).toContain('It was measured.');
    expect(await page.$eval('[data-leaf]', (node) => (node as HTMLElement).dataset.leaf)).toBe(
      [answer!.serve, ...answer!.asGood].join(' '),
    );
  }
});

test('an arm that some blocks left out has no failed loads for that, and none where another arm’s loads count for it', async () => {
  const { page: data } = smallPage();
  const arms = data.arms.map(({ name }) => name);
  const [first, second, ...others] = data.conditions;
  const without =
    (arm: string, from: number) =>
    ({ blocks }: (typeof data.conditions)[number]) =>
      packBlocks(
        unpackBlocks(blocks).map((block, index) => {
          const { [arm]: _, ...outcomes } = block.outcomes;
          return index < from ? block : { ...block, outcomes };
        }),
        arms,
      );
  const [own, alike, ...rest] = data.summary.conditions;
  const loadedAs = { ...alike!, arms: { ...alike!.arms, h3: { ...alike!.arms.h2!, loadedAs: 'h2' } } };
  const leftOut = {
    ...data,
    conditions: [
      { ...first!, blocks: without('h1', 3)(first!) },
      { ...second!, blocks: without('h3', 0)(second!) },
      ...others,
    ],
    summary: { ...data.summary, conditions: [own!, loadedAs, ...rest] },
  };
  await using opened = await reports.openData(leftOut, 'left-out');
  const { page } = opened;
  for (const { id } of [own!, loadedAs]) {
    await page.evaluate((name) => {
      location.hash = `condition=${encodeURIComponent(name)}`;
    }, id);
    await page.waitForFunction(() => document.querySelector('[data-chart=distribution] summary') !== null);
    await page.$eval('[data-chart=distribution] summary', (node) => (node as HTMLElement).click());
    const rows = await textsOf(page, '[data-chart=distribution] tbody tr');
    expect(rows).toHaveLength(8);
    expect(rows.join(' ')).not.toContain('failed');
  }
});

test('a cell without an answer says why', async () => {
  await using opened = await reports.openStudy({ blocks: 1 }, 'first');
  expect((await cellsOf(opened.page)).map(({ says }) => says)).toEqual(
    Array.from({ length: 6 }, () => 'no answer  1 block'),
  );
});

test('hostile names are text, and do nothing', async () => {
  const hostile = '</script><img src=x onerror="document.title=1"><svg onload=alert(1)>';
  const sites = [`${hostile}`, `\u202Egpj.exe${'x'.repeat(10_000)}`];
  await using opened = await reports.openStudy(
    {
      sites,
      says: `${hostile}${'y'.repeat(10_000)}`,
      url: `https://h1.photofinish.test:4431/${hostile}${'z'.repeat(10_000)}`,
    },
    'hostile',
  );
  const { page, mishaps, requests } = opened;
  await seeAll(page);
  await page.$$eval('details', (nodes) => {
    for (const node of nodes) node.open = true;
  });
  await seeAll(page);
  expect(await page.$$('img:not([src^="data:image/jpeg;base64,"]), iframe, object, embed')).toEqual([]);
  expect(await page.$$('script')).toHaveLength(2);
  expect(await page.$$('[onerror], [onload], [onclick]')).toEqual([]);
  expect(await textOf(page, '.grid thead th')).toContain('</script><img');
  expect(await page.title()).toMatch(/^Serve/);
  expect(mishaps).toEqual([]);
  expect(new Set(requests.map((url) => url.replace(/#.*/, '')))).toEqual(
    new Set([`file://${reports.folder()}/hostile.html`]),
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('its policy refuses what is not its own', async () => {
  await using opened = await reports.openStudy({}, 'policy');
  const { page, mishaps } = opened;
  const refused = await page.evaluate(async () => {
    const violations: string[] = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    const image = document.createElement('img');
    image.src = 'https://photofinish.test/pixel.png';
    document.body.append(script, image);
    document.body.setAttribute('onclick', 'document.title = "taken over"');
    document.body.click();
    await fetch('https://photofinish.test/').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    return violations;
  });
  expect(refused.sort()).toEqual(['connect-src', 'img-src', 'script-src-attr', 'script-src-elem']);
  expect(await page.title()).toMatch(/^Serve/);
  expect(mishaps.length).toBeGreaterThan(0);
});

describe.each([
  ['a study without a block', { blocks: 0 }, 'Nothing measured yet'],
  ['a study of one block', { blocks: 1 }, 'No answer yet'],
  [
    'a study of two blocks',
    { blocks: 2 },
    'Serve HTTP/3\nif at least 4 % of visitors have fibre, the rest evenly spread',
  ],
  [
    'a study of one page',
    { sites: ['article'] },
    'Serve HTTP/3\nif at least 5 % of visitors have fibre, the rest evenly spread',
  ],
] as const)('%s', (_, study, headline) => {
  test('has a page without a mishap', async () => {
    await using opened = await reports.openStudy(study, 'tiny');
    expect(await textOf(opened.page, 'h1')).toBe(headline);
    await seeAll(opened.page);
    expect(await textOf(opened.page, 'main')).not.toMatch(/NaN|undefined|null|Infinity/);
    expect(opened.mishaps).toEqual([]);
  });
});

const SHOTS = `${PROJECT}.lab/report-shots`;
const PARTS = ['answer', 'trust', 'grid', 'visitors', 'ask', 'tree', 'condition', 'method'];

describe.each([360, 1280, 3840])('%i pixels wide', (width) => {
  test.each(['light', 'dark'])(
    'and %s: WCAG 2.2 AA without a violation, nothing overflows, and each part has its picture',
    async (scheme) => {
      await using opened = await reports.openStudy({}, 'axe');
      const { page, mishaps } = opened;
      await page.setViewport({ width, height: width < 500 ? 800 : 1400 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await seeAll(page);
      mkdirSync(SHOTS, { recursive: true });
      for (const part of PARTS)
        await (await page.$(`#${part}`))!.screenshot({ path: `${SHOTS}/${part}-${width}-${scheme}.png` });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.$$eval('details', (nodes) => {
        for (const node of nodes) node.open = true;
      });
      const violations = await findViolations(page);
      expect(violations).toEqual([]);
      expect(mishaps).toEqual([]);
    },
  );
});

test('on a phone no cell is cut, and all of them are seen without scrolling sideways', async () => {
  await using opened = await reports.openStudy({}, 'phone');
  const { page } = opened;
  await page.setViewport({ width: 360, height: 800 });
  const cells = await page.$$eval('table.grid .cell, table.grid th', (nodes) =>
    nodes.map((node) => ({
      text: node.textContent,
      isCut: node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight,
      isSeen: node.getBoundingClientRect().right <= innerWidth,
    })),
  );
  expect(cells.length).toBeGreaterThan(12);
  expect(cells.filter(({ isCut, isSeen }) => isCut || !isSeen)).toEqual([]);
});

describe('a study of 48 conditions', () => {
  let whole: PageData;
  beforeAll(() => {
    ({ whole } = makeGeneratedPages(reports.folder(), 48 * 3 * 12));
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    '%i pixels wide and %s: WCAG 2.2 AA without a violation, and nothing overflows',
    async (width, scheme) => {
      await using opened = await reports.openData(whole, 'large');
      const { page, mishaps } = opened;
      await page.setViewport({ width, height: 1000 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await seeAll(page);
      for (const part of PARTS)
        await (await page.$(`#${part}`))!.screenshot({ path: `${SHOTS}/large-${part}-${width}-${scheme}.png` });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.$$eval('details', (nodes) => {
        for (const node of nodes) node.open = true;
      });
      expect(await findViolations(page)).toEqual([]);
      expect(mishaps).toEqual([]);
    },
  );
});

test('the page as text is what it was', async () => {
  await using opened = await reports.openStudy({}, 'text');
  const { page } = opened;
  await seeAll(page);
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  const text = await page.$eval('#report', (node) => (node as HTMLElement).innerText);
  expectGolden('report-page.txt', `${text.replaceAll('\u00a0', ' ').replaceAll(/\n{2,}/g, '\n')}\n`);
});
