import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import type { Summary } from '../../harness/findings/summary.ts';
import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { renderPage } from '../../harness/report/page.ts';
import { bundlePage } from '../../harness/report/page-bundle.ts';
import type { PageData } from '../../harness/report/page-data.ts';
import { type SmallStudy, smallPage } from '../report/pages.ts';
import { type OpenedPage, useBrowser } from './browser.ts';

/** A study's report as it is opened to be looked at. */
export interface OpenedReport extends OpenedPage {
  readonly data: PageData;
  readonly summary: Summary;
}

/** Opens reports from the disk, for all tests of a file. */
export interface Reports {
  readonly openStudy: (study?: SmallStudy, name?: string) => Promise<OpenedReport>;
  readonly openData: (data: PageData, name: string) => Promise<OpenedPage>;
  /** The folder in which they lie. */
  readonly folder: () => string;
}

export function useReports(): Reports {
  const open = useBrowser();
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'photofinish-report-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));
  const openData = (data: PageData, name: string) => {
    const file = join(scratch, `${name}.html`);
    writeFileSync(file, renderPage(data, bundlePage()));
    return open(`file://${file}`);
  };
  return {
    openData,
    folder: () => scratch,
    async openStudy(study = {}, name = 'report') {
      const { page: data, summary } = smallPage(study);
      return { ...(await openData(data, name)), data, summary };
    },
  };
}

export const textOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$eval(selector, (node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' '));
export const textsOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$$eval(selector, (nodes) => nodes.map((node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' ')));

/** Goes through the page, so that whatever is drawn when it is seen is drawn. */
export async function seeAll(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) {
    await page.evaluate((at) => scrollTo(0, at), y);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
}

export function leavesOf(tree: Tree<Leaf>): readonly Leaf[] {
  return isSplit(tree) ? [...leavesOf(tree.yes), ...leavesOf(tree.no)] : [tree as Leaf];
}

/** Whole percents, and tenths below ten. */
export function inTenths(value: number): number {
  return Number(value.toFixed(value < 9.95 ? 1 : 0));
}

export function asChance(value: number): string {
  if (value > 0.99) return 'over 99 %';
  return value < 0.01 ? 'below 1 %' : `${Math.round(100 * value)} %`;
}

/** The grid's cells as they are seen. */
export function cellsOf(page: Page) {
  return page.$$eval('button.cell', (nodes) =>
    nodes
      .toSorted((a, b) => Number(a.dataset.condition) - Number(b.dataset.condition))
      .map((node) => {
        const { backgroundImage, backgroundColor, borderTopStyle } = getComputedStyle(node);
        const texts = ['.who span', '.how-sure', '.gain'].flatMap((part) => [...node.querySelectorAll(part)]);
        const isStriped = backgroundImage.includes('gradient');
        return {
          says: texts
            .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
            .join(' ')
            .trim(),
          standing: node.dataset.standing,
          // A colour, and the surface that may part it from the next: both from here to there.
          isEven: node.classList.contains('even'),
          stripes: isStriped ? (backgroundImage.match(/\d+px/g) ?? []).length / 4 : 0,
          background: backgroundColor,
          border: borderTopStyle,
        };
      }),
  );
}
