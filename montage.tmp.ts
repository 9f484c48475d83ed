// puts pictures side by side so that they can be looked at together
import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { readTools } from './harness/system/tools.ts';
const [, , out, height, ...files] = process.argv;
const browser = await puppeteer.launch({ executablePath: readTools().chromium.path, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 1560, height: 1000 });
await page.setContent(`<body style="margin:8px;background:#888;display:flex;gap:12px;align-items:flex-start;flex-wrap:wrap">${files.map((f) => `<img style="max-height:${height}px;max-width:1540px" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join('')}</body>`);
await page.screenshot({ path: out as `${string}.png`, fullPage: true });
await browser.close();
