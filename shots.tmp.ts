import { mkdirSync, writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { renderPage } from './harness/report/page.ts';
import { bundlePage } from './harness/report/page-bundle.ts';
import { readTools } from './harness/system/tools.ts';
import { smallPage } from './test/report/pages.ts';

const out = '/tmp/live-try/shots';
mkdirSync(out, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: readTools().chromium.path,
  args: ['--no-sandbox', '--hide-scrollbars', '--lang=en-GB'],
});
const cases: Record<string, string> = { real: '/var/tmp/live-try/small/report.html' };
for (const [name, study] of Object.entries({ empty: { blocks: 0 }, one: { blocks: 1 }, undecided: { blocks: 4 } })) {
  const path = `${out}/${name}.html`;
  writeFileSync(path, renderPage(smallPage(study).page, bundlePage()));
  cases[name] = path;
}
const [, , which, width = '1280', scheme = 'light', part = 'body', media = 'screen', open = ''] = process.argv;
const page = await browser.newPage();
page.on('console', (m) => console.log('console', m.text()));
page.on('pageerror', (e) => console.log('error', `${e}`));
await page.setViewport({ width: Number(width), height: Number(width) < 500 ? 800 : 900 });
await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
await page.goto(which!.startsWith('http') ? which! : `file://${cases[which!] ?? which}`);
const height = await page.evaluate(() => document.documentElement.scrollHeight);
for (let y = 0; y < height; y += 600) {
  await page.evaluate((at) => scrollTo(0, at), y);
  await new Promise((r) => setTimeout(r, 40));
}
if (open)
  await page.$$eval('details', (nodes) => {
    for (const n of nodes) n.open = true;
  });
if (media === 'print') {
  await page.emulateMediaType('print');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.setViewport({ width: 720, height: 1000 });
  await new Promise((r) => setTimeout(r, 300));
}
await page.evaluate(() => scrollTo(0, 0));
const name = `${out}/${cases[which!] ? which : which!.replace(/\W+/g, '-')}-${part.replace(/\W/g, '')}-${width}-${scheme}${media === 'print' ? '-print' : ''}.png`;
if (part === 'fold') await page.screenshot({ path: name as `${string}.png` });
else await (await page.$(part))!.screenshot({ path: name as `${string}.png` });
console.log(name);
await browser.close();
