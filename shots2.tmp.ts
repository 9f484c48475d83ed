import { mkdirSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { followStudy } from './harness/report/live/follow.ts';
import { openLiveServer } from './harness/report/live/server.ts';
import { bundlePage } from './harness/report/page-bundle.ts';
import { readTools } from './harness/system/tools.ts';
import { smallPage } from './test/report/pages.ts';

const out = '/tmp/live-try/shots';
mkdirSync(out, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: readTools().chromium.path,
  args: ['--no-sandbox', '--hide-scrollbars', '--lang=en-GB'],
});
const { page: data, summary } = smallPage({ blocks: 12 });
const counts = {
  closed: 3,
  conditions: 6,
  decided: 11,
  comparisons: 18,
  loads: 212,
  elapsedMs: 200_000,
  leftMs: 190_000,
};
for (const phase of ['measured', 'resting', 'ended', 'lost']) {
  const study = followStudy({ stamp: () => '', read: () => ({ data }), isAtWork: () => phase === 'measured' });
  const server = await openLiveServer({ study, bundle: bundlePage(), folder: '/tmp', port: 0 });
  if (phase === 'measured') study.tell({ event: 'progress', ...counts, current: summary.conditions[3]!.id, arm: 'h3' });
  for (const [width, scheme] of [
    [360, 'dark'],
    [1280, 'light'],
    [2560, 'dark'],
  ] as const) {
    const page = await browser.newPage();
    await page.setViewport({ width, height: width < 500 ? 700 : 500 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(server.url);
    await page.waitForSelector('#live b:not(:empty)');
    if (phase === 'ended' && width === 360) {
      study.tell({ event: 'ended', ending: 'finished', summary: '' });
      study.finish('/home/somebody/photofinish/reports/out/today-2026-11-21T163000/report.html');
    }
    if (phase === 'lost' && width === 2560) {
      await server[Symbol.asyncDispose]();
    }
    await new Promise((r) => setTimeout(r, 700));
    if (phase === 'measured' && width === 1280) await page.$eval('#grid', (n) => n.scrollIntoView());
    await new Promise((r) => setTimeout(r, 300));
    await page.screenshot({ path: `${out}/live-${phase}-${width}-${scheme}.png` });
    if (phase === 'lost' && width !== 2560) await page.close();
  }
  study[Symbol.dispose]();
}
await browser.close();
process.exit(0);
