import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { openStudySource } from '../commands/study-source.ts';
import { followStudy } from '../report/live/follow.ts';
import { openLiveServer } from '../report/live/server.ts';
import { renderPage } from '../report/page.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { readTools } from '../system/tools.ts';
import { openBenchFolder } from './folder.ts';
import { type GeneratedPages, makeGeneratedPages, REQUESTS } from './generated-page.ts';

/** The loads of the study of 2015: 48 conditions, three arms, 100 blocks. */
const LOADS = 14_400;
const VISITS = 5;
const CLICKS = 10;
const TARGET = { megabytes: 8, firstContentMs: 1000, clickMs: 100, updateMs: 500, readMs: 2000 } as const;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly reached: boolean;
}

/** `photofinish bench report`: how large and how quick the page of a large study is; 1 where that is not enough. */
export async function benchReport(print: (line: string) => void): Promise<number> {
  using folder = openBenchFolder('report');
  const beganMs = performance.now();
  const pages = makeGeneratedPages(folder.path, LOADS);
  const path = join(folder.path, 'report.html');
  writeFileSync(path, renderPage(pages.whole, bundlePage()));
  const writtenMs = performance.now() - beganMs;
  const megabytes = statSync(path).size / 1e6;
  const browser = await puppeteer.launch({
    executablePath: readTools().chromium.path,
    args: ['--no-sandbox'],
    pipe: true,
  });
  await using _end = { [Symbol.asyncDispose]: () => browser.close() };
  const times = await timePage(browser, `file://${path}`);
  const updateMs = await timeUpdate(browser, pages, folder.path);
  const rows = rowsOf({ megabytes, ...times, updateMs, readMs: timeReading(folder.path) });
  print(
    `${LOADS.toLocaleString('en')} loads, ${REQUESTS} requests in each waterfall, films; store and page made in ${(writtenMs / 1000).toFixed(1)} s`,
  );
  print(renderTable(COLUMNS, rows));
  return rows.every(({ reached }) => reached) ? 0 : 1;
}

const COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'of the page', text: (row) => row.what },
  { title: 'measured', align: 'right', text: (row) => row.measured },
  { title: 'target', align: 'right', text: (row) => row.target },
  { title: '', text: (row) => (row.reached ? 'reached' : 'NOT REACHED') },
];

interface Times {
  /** The slowest of several visits; `clickMs` is the slowest of several clicks. */
  readonly firstContentMs: number;
  readonly clickMs: number;
}

interface Figures extends Times {
  readonly megabytes: number;
  /** What the page takes to show what came with one more round. */
  readonly updateMs: number;
  /** What a live page's server takes to read the study once. */
  readonly readMs: number;
}

function rowsOf({ megabytes, firstContentMs, clickMs, updateMs, readMs }: Figures): readonly Row[] {
  const row = (what: string, value: number, target: number, unit: string): Row => ({
    what,
    measured: `${value.toFixed(unit === 'MB' ? 2 : 0)} ${unit}`,
    target: `< ${target} ${unit}`,
    reached: value < target,
  });
  return [
    row('size', megabytes, TARGET.megabytes, 'MB'),
    row(`first content, slowest of ${VISITS} visits`, firstContentMs, TARGET.firstContentMs, 'ms'),
    row(`click to condition, slowest of ${CLICKS}`, clickMs, TARGET.clickMs, 'ms'),
    row('live: a round more, in the page', updateMs, TARGET.updateMs, 'ms'),
    row('live: the study read again, in the server', readMs, TARGET.readMs, 'ms'),
  ];
}

/** How long a live page's server takes to read a study a second time, when it knows the captures already. */
function timeReading(folder: string): number {
  const source = openStudySource(folder);
  source.read(false);
  const beganMs = performance.now();
  source.read(false);
  return performance.now() - beganMs;
}

/** What a page that follows a study takes to show what one more round has changed in every condition. */
async function timeUpdate(browser: Browser, { before, whole }: GeneratedPages, folder: string): Promise<number> {
  let data = before;
  using study = followStudy({
    stamp: () => `${data === whole}`,
    read: () => ({ data }),
    isAtWork: () => true,
  });
  await using server = await openLiveServer({ study, bundle: bundlePage(), folder, port: 0, token: 'bench' });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(server.url);
  data = whole;
  await page.waitForFunction(() => performance.getEntriesByName('update').length > 0);
  return await page.evaluate(() => performance.getEntriesByName('update')[0]!.duration);
}

async function timePage(browser: Browser, url: string): Promise<Times> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const visits: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) visits.push(await timeVisit(page, url));
  return { firstContentMs: Math.max(...visits), clickMs: await timeClicks(page) };
}

async function timeVisit(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  return page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime);
}

/** From a click on a cell of the grid to the frame that shows its condition. */
function timeClicks(page: Page): Promise<number> {
  return page.evaluate(async (clicks) => {
    const cells = [...document.querySelectorAll<HTMLButtonElement>('.cell')];
    let slowest = 0;
    for (let click = 1; click <= clicks; click += 1) {
      const beganMs = performance.now();
      cells[(click * 11) % cells.length]!.click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      slowest = Math.max(slowest, performance.now() - beganMs);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return slowest;
  }, CLICKS);
}
