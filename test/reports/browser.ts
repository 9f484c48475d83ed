import { tmpdir } from 'node:os';
import { afterAll, beforeAll } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { readTools } from '../../harness/system/tools.ts';

/** A page of the program's own, as it is opened to be looked at. */
export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** Whatever it asked for, broke, or was refused. */
  readonly requests: readonly string[];
  readonly mishaps: readonly string[];
}

/** A browser for all tests of a file, which looks at reports: no lab is in it. */
export function useBrowser(): (url: string) => Promise<OpenedPage> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: readTools().chromium.path,
      args: ['--no-sandbox', '--hide-scrollbars', '--lang=en-GB'],
      pipe: true, // It ends with the tests, however these end.
      env: { ...process.env, TMPDIR: tmpdir(), TZ: 'UTC' },
    });
  }, 60_000);
  afterAll(() => browser?.close());
  return (url) => openPage(browser, url);
}

/** Opens a page, and writes down all that it must not do. */
async function openPage(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const requests: string[] = [];
  const mishaps: string[] = [];
  // What stands in the page itself leaves nothing.
  page.on('request', (request) => request.url().startsWith('data:') || requests.push(request.url()));
  page.on('pageerror', (error) => mishaps.push(`${error}`));
  page.on('dialog', (dialog) => {
    mishaps.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => mishaps.push(message.text()));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url);
  return { page, requests, mishaps, [Symbol.asyncDispose]: () => page.close() };
}
