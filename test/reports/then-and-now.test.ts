import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import type { Summary } from '../../harness/findings/summary.ts';
import { PAPER_NAMES, type PaperName } from '../../harness/model/paper.ts';
import { renderPage } from '../../harness/report/page.ts';
import { bundlePage } from '../../harness/report/page-bundle.ts';
import { PROJECT } from '../../harness/system/tools.ts';
import { expectGolden } from '../golden/golden.ts';
import type { SyntheticStudy } from '../replication/papers/synthetic.ts';
import { paperPage } from '../report/paper-pages.ts';
import { findViolations } from './axe.ts';
import { type OpenedPage, useBrowser } from './browser.ts';

// It needs a browser and no lab: the page is read from the disk.
const open = useBrowser();
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'photofinish-then-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

interface Opened extends OpenedPage {
  readonly summary: Summary;
}

async function openPaper(name: PaperName, change: Partial<SyntheticStudy> = {}): Promise<Opened> {
  const { page: data, summary } = paperPage(name, change);
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, renderPage(data, bundlePage()));
  return { ...(await open(`file://${path}`)), summary };
}

const textsOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$$eval(selector, (nodes) => nodes.map((node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' ')));

const unfold = (page: Page) =>
  page.$$eval('#then-and-now details', (nodes) => {
    for (const node of nodes) (node as HTMLDetailsElement).open = true;
  });

describe.each(PAPER_NAMES)('%s', (name) => {
  test('says of each claim what the summary says, before how it was measured', async () => {
    await using opened = await openPaper(name);
    const { page, summary, mishaps } = opened;
    const { claims, tables } = summary.thenAndNow!;
    const shown = await page.$$eval('[data-claim]', (nodes) =>
      nodes.map((node) => [(node as HTMLElement).dataset.claim, (node as HTMLElement).dataset.standing]),
    );
    const isTold = (told: boolean) => claims.filter(({ standing }) => (standing !== 'not comparable') === told);
    expect(shown).toEqual([...isTold(true), ...isTold(false)].map(({ id, standing }) => [id, standing]));
    for (const { id, measured, published, standing, says } of isTold(true)) {
      const [text] = await textsOf(page, `[data-claim="${id}"]`);
      for (const part of [measured, published, standing, says]) expect(text).toContain(part);
    }
    for (const { id, lacks } of isTold(false)) {
      const [text] = await textsOf(page, `[data-claim="${id}"]`);
      expect(text!.toLowerCase()).toContain(lacks!.toLowerCase());
    }
    for (const standing of ['holds', 'reversed', 'no longer', 'not comparable'])
      expect(await textsOf(page, `[data-standing-count="${standing}"] b`)).toEqual([
        `${claims.filter((claim) => claim.standing === standing).length}`,
      ]);
    expect(await textsOf(page, 'nav a')).toEqual(expect.arrayContaining(['Then and now']));
    const rows = await page.$$eval('.published', (nodes) =>
      nodes.map((node) => node.querySelectorAll('tbody tr').length),
    );
    expect(rows).toEqual([
      ...(summary.thenAndNow!.tree ? [summary.thenAndNow!.tree.leaves.length] : []),
      ...tables.map((table) => table.rows.length),
    ]);
    expect(mishaps).toEqual([]);
  });

  test('as text it is what it was', async () => {
    await using opened = await openPaper(name);
    await unfold(opened.page);
    await opened.page.waitForFunction(() => document.querySelector('#then-and-now .asked'));
    const [text] = await textsOf(opened.page, '#then-and-now');
    expectGolden(`then-and-now-${name}.txt`, `${text!.replaceAll(/\n{2,}/g, '\n')}\n`);
  });
});

describe('a claim', () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openPaper('kramer2015');
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  test('has the numbers of each place as a table, by key', async () => {
    const { page, summary } = opened;
    const { cases, asks } = summary.thenAndNow!.claims.find(({ id }) => id === 'sensitive-h2')!;
    await page.focus('[data-claim="sensitive-h2"] summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-claim="sensitive-h2"] tbody tr');
    const rows = await page.$$('[data-claim="sensitive-h2"] tbody tr');
    expect(rows).toHaveLength(cases.flatMap(({ numbers }) => numbers).length);
    expect((await textsOf(page, '[data-claim="sensitive-h2"] .asked'))[0]!.toLowerCase()).toBe(
      `${asks}.`.toLowerCase(),
    );
  });

  test('has each number where it belongs on its axis', async () => {
    const { page, summary } = opened;
    const places = await page.$eval('[data-claim="far-h3-h2"] .field', (field) => {
      const { left, width } = field.getBoundingClientRect();
      const of = (selector: string) =>
        [...field.querySelectorAll(selector)].map((node) => {
          const box = node.getBoundingClientRect();
          return [(box.left - left) / width, (box.right - left) / width] as const;
        });
      return { claimed: of('.claimed')[0]!, equal: of('.equal')[0]!, dots: of('.dot') };
    });
    const { claimed, cases } = summary.thenAndNow!.claims.find(({ id }) => id === 'far-h3-h2')!;
    const values = cases.flatMap(({ numbers }) => numbers.map(({ value }) => value!)).sort((a, b) => a - b);
    // From the end of what is claimed to equality: the scale.
    const perLog = (places.equal[0] - places.claimed[1]) / -Math.log(claimed!.below!);
    places.dots.forEach(([left, right], index) => {
      expect(((left + right) / 2 - places.equal[0]) / perLog).toBeCloseTo(Math.log(values[index]!), 1);
    });
    expect(places.dots).toHaveLength(2);
  });

  test('leads to its conditions', async () => {
    const { page, summary } = opened;
    const { cases } = summary.thenAndNow!.claims.find(({ id }) => id === 'far-h3-h2')!;
    const last = cases.at(-1)!.conditions[0]!;
    await page.$$eval('[data-claim="far-h3-h2"] .loads-of button', (nodes) => (nodes.at(-1) as HTMLElement).click());
    const index = summary.conditions.findIndex(({ id }) => id === last);
    expect(await page.$eval('#condition-choice', (node) => (node as HTMLSelectElement).value)).toBe(`${index}`);
  });
});

test('a condition has the paper’s own label beside our answer', async () => {
  await using opened = await openPaper('kramer2015');
  const { page, summary } = opened;
  const names: Readonly<Record<string, string>> = { h1: 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3' };
  for (const index of [0, 1, summary.conditions.length - 1]) {
    await page.select('#condition-choice', `${index}`);
    const [says] = await textsOf(page, '.paper-label');
    const called = summary.conditions[index]!.paperLabel!.map((arm) => names[arm]).join('or');
    expect(says!.replaceAll(/\s/g, '')).toContain(`AsKrämer2015counted:${called}(`);
  }
});

test('no other study has such a label', async () => {
  await using opened = await openPaper('valle2023');
  expect(await opened.page.$$('.paper-label')).toEqual([]);
});

test('hostile names of a study are text', async () => {
  const hostile = '<img src=x onerror="document.title=1"></script>';
  await using opened = await openPaper('kramer2015', {
    places: [{ site: 'many-small', server: hostile, rateKbps: 2_000, rttMs: 218, lossPercent: 0 }],
  });
  const { page, mishaps } = opened;
  await unfold(page);
  expect(await page.$$('#then-and-now img')).toEqual([]);
  expect(await page.title()).not.toBe('1');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(mishaps).toEqual([]);
});

test('before anything is measured nothing is compared, and nothing breaks', async () => {
  await using opened = await openPaper('goncalves2015', { blocks: 0 });
  expect(await textsOf(opened.page, '[data-standing-count="not comparable"] b')).toEqual(['4']);
  expect((await textsOf(opened.page, '#then-and-now'))[0]).not.toMatch(/NaN|undefined|null|Infinity/);
  expect(opened.mishaps).toEqual([]);
});

const SHOTS = `${PROJECT}.lab/report-shots`;

describe.each([360, 1280, 3840])('%i pixels wide', (width) => {
  test.each(['light', 'dark'])(
    'and %s: WCAG 2.2 AA without a violation, nothing overflows, a picture',
    async (scheme) => {
      mkdirSync(SHOTS, { recursive: true });
      for (const name of ['kramer2015', 'goncalves2015'] as const) {
        await using opened = await openPaper(name);
        const { page, mishaps } = opened;
        await page.setViewport({ width, height: width < 500 ? 800 : 1400 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await (await page.$('#then-and-now'))!.screenshot({
          path: `${SHOTS}/then-and-now-${name}-${width}-${scheme}.png`,
        });
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await unfold(page);
        expect(await findViolations(page)).toEqual([]);
        expect(mishaps).toEqual([]);
      }
    },
  );
});
