import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { Capture, DevToolsEvent } from '../model/capture.ts';
import type { Film } from '../model/film.ts';
import { renderPage } from '../report/page.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { summarizeStudy } from '../report/summary.ts';
import { type Column, renderTable } from '../report/table.ts';
import { buildPage, readPageSource } from '../report/view-model.ts';
import { readLoad } from '../report/waterfall.ts';
import { openStoreToRead, STORE_FILE } from '../store/store.ts';
import { readTools } from '../system/tools.ts';
import { openBenchFolder } from './bench-folder.ts';
import { writeGeneratedStudy } from './generated-study.ts';

/** As the study of 2015: 48 conditions, three arms, 100 blocks. */
const LOADS = 14_400;
const REQUESTS = 255;
const VISITS = 5;
const CLICKS = 10;
const TARGET = { megabytes: 8, firstContentMs: 1000, clickMs: 100 } as const;

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
  const path = writeLargePage(folder.path);
  const writtenMs = performance.now() - beganMs;
  const megabytes = statSync(path).size / 1e6;
  const browser = await puppeteer.launch({ executablePath: readTools().chromium.path, args: ['--no-sandbox'] });
  const times = await timePage(browser, `file://${path}`).finally(() => browser.close());
  const rows = rowsOf({ megabytes, ...times });
  print(
    `${LOADS.toLocaleString('en')} loads, ${REQUESTS} requests in each waterfall, films; store and page made in ${(writtenMs / 1000).toFixed(1)} s`,
  );
  print(renderTable(COLUMNS, rows));
  return rows.every(({ reached }) => reached) ? 0 : 1;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'of the page', text: (row) => row.what },
  { title: 'measured', align: 'right', text: (row) => row.measured },
  { title: 'target', align: 'right', text: (row) => row.target },
  { title: '', text: (row) => (row.reached ? 'reached' : 'NOT REACHED') },
];

interface Times {
  /** Of several visits and clicks, the slowest. */
  readonly firstContentMs: number;
  readonly clickMs: number;
}

function rowsOf({ megabytes, firstContentMs, clickMs }: Times & { readonly megabytes: number }): readonly Row[] {
  const row = (what: string, value: number, target: number, unit: string): Row => ({
    ...{ what, measured: `${value.toFixed(unit === 'MB' ? 2 : 0)} ${unit}`, target: `< ${target} ${unit}` },
    reached: value < target,
  });
  return [
    row('size', megabytes, TARGET.megabytes, 'MB'),
    row(`first content, slowest of ${VISITS} visits`, firstContentMs, TARGET.firstContentMs, 'ms'),
    row(`click to condition, slowest of ${CLICKS}`, clickMs, TARGET.clickMs, 'ms'),
  ];
}

function writeLargePage(folder: string): string {
  writeGeneratedStudy(join(folder, STORE_FILE), LOADS);
  using store = openStoreToRead(join(folder, STORE_FILE));
  const source = {
    ...readPageSource(store),
    loadOf: (trial: number) => readLoad(generatedCapture(trial)),
    filmOf: generatedFilm,
  };
  const page = buildPage(source, summarizeStudy(source.found), { command: 'npm run bench -- report' });
  const path = join(folder, 'report.html');
  writeFileSync(path, renderPage(page, bundlePage()));
  return path;
}

/** The generated study has no logs: this one is as long as those of its largest sites, each load's other than the last. */
function generatedCapture(trial: number): Capture {
  const origin = 'https://h3.photofinish.test:4433';
  const nth = (index: number): DevToolsEvent[] => {
    const at = 100 + ((index * 7919 + trial * 104_729) % 10_007) / 5000;
    const requestId = `${index}`;
    const url = `${origin}/many-small/images/picture-${index}.png`;
    const timing = {
      requestTime: at,
      connectStart: index < 6 ? 1 : -1,
      connectEnd: 30,
      sendStart: 31,
      receiveHeadersStart: 60,
    };
    return [
      event('Network.requestWillBeSent', {
        requestId,
        timestamp: at,
        type: 'Image',
        request: { url, method: 'GET', initialPriority: 'Low' },
      }),
      event('Network.responseReceived', {
        requestId,
        timestamp: at + 0.06,
        response: { status: 200, protocol: 'h3', connectionId: 7, timing },
      }),
      event('Network.dataReceived', { requestId, timestamp: at + 0.07, dataLength: 4000 + index }),
      event('Network.loadingFinished', { requestId, timestamp: at + 0.08 }),
    ];
  };
  return {
    ...{ url: `${origin}/`, visit: 'cold', server: [], host: { cores: [] }, launch: 1, wallMs: 0 },
    browser: { events: Array.from({ length: REQUESTS }, (_, index) => nth(index)).flat(), digests: {} },
  };
}

/** As many frames as a film may have, each as long as a picture of a page is, and no two alike. */
function generatedFilm(condition: string, arm: string): Film {
  const frames = Array.from({ length: 8 }, (_, index) => ({
    atMs: 100 * index,
    jpeg: createHash('sha512').update(`${condition} ${arm} ${index}`).digest('base64').replaceAll('=', '').repeat(60),
  }));
  return { pltMs: 800, frames };
}

function event(method: string, params: object): DevToolsEvent {
  return { method, params };
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
