import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { measure } from '../../../harness/commands/measure.ts';
import { servedToken } from '../../../harness/commands/served-token.ts';
import { studySources } from '../../../harness/commands/sources.ts';
import { openStudySource } from '../../../harness/commands/study-source.ts';
import { followStudy } from '../../../harness/report/live/follow.ts';
import { openLiveServer } from '../../../harness/report/live/server.ts';
import { bundlePage } from '../../../harness/report/page-bundle.ts';
import { type StudyFlags, studyFromFlags } from '../../../harness/study/flags.ts';
import { start } from '../../../harness/system/process.ts';
import { openFakeLab } from '../../fakes/lab.ts';
import { MACHINE } from '../../fakes/machine.ts';
import { smallPage } from '../../report/pages.ts';
import { findViolations } from '../../reports/axe.ts';
import { useBrowser } from '../../reports/browser.ts';
import { labTest, PATIENCE_MS } from '../lab.ts';

// Not below /run, which is another one in the enclosure that the program makes for itself.
const scratch = mkdtempSync('/var/tmp/photofinish-live-');
const open = useBrowser();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const CLI = fileURLToPath(new URL('../../../harness/cli.ts', import.meta.url));
const PARTS = ['answer', 'ask', 'tree', 'grid', 'condition', 'method'];
const TIMES = { h1: 300, h2: 200, h3: 100, h1c: 300 };

/** Lets loads begin, as many at a time as it is opened for. */
function openGate() {
  const waiting: (() => void)[] = [];
  let free = 0;
  const next = () => {
    for (; free > 0 && waiting.length > 0; free -= 1) waiting.shift()!();
  };
  return {
    pass: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        next();
      }),
    open(loads: number) {
      free += loads;
      next();
    },
  };
}

const FLAGS = { site: ['few-small', 'many-small'], link: ['fibre', '4g'], seed: '7' };

interface Running {
  readonly url: string;
  readonly gate: ReturnType<typeof openGate>;
  readonly ended: Promise<number>;
  readonly said: string[];
}

/** Begins to measure as `measure --live` does, but without a lab, and no load before its gate opens. */
async function beginStudy(out: string, flags: StudyFlags): Promise<Running> {
  const gate = openGate();
  const said: string[] = [];
  const served = Promise.withResolvers<string>();
  const { study } = studyFromFlags(flags, studySources());
  const keeps = { pcap: false, netLog: false };
  const ended = measure(
    { study, out, keeps, force: false, json: true, live: 0, labs: 1 },
    {
      write(text: string) {
        said.push(text);
        if (text.includes('"live"')) served.resolve(text);
      },
    },
    {
      readMachine: () => MACHINE,
      openLab: async ({ nextLaunch }) =>
        openFakeLab({ nextLaunch, pace: gate.pass, timeOf: ({ protocol, holdMs }) => TIMES[protocol] + (holdMs ?? 0) })
          .lab,
    },
  );
  const line = await Promise.race([served.promise, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`nothing is served: ${said.join('')}`);
  return { url: (JSON.parse(line) as { url: string }).url, gate, ended, said };
}

interface Opened {
  readonly page: Page;
  readonly mishaps: () => readonly string[];
}

/** Opens the page of a study, and waits for its first word; what it asks for elsewhere is a mishap. */
async function openPage(url: string): Promise<Opened> {
  const { page, mishaps, requests } = await open(url);
  await page.waitForSelector('#live b:not(:empty)');
  return { page, mishaps: () => [...mishaps, ...requests.filter((each) => !each.startsWith(url))] };
}

const textOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$eval(selector, (node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' '));

const standings = (page: Page) =>
  page.$$eval('button.cell', (nodes) => nodes.map((node) => (node as HTMLElement).dataset.standing!));

/** Waits until something says so. */
const untilText = (page: Page, selector: string, text: string, timeoutMs = 20_000) =>
  page.waitForFunction(
    (where, wanted) =>
      [document.querySelector<HTMLElement>(where)].some(
        // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
        (node) => node?.innerText.replaceAll(/\s+/g, ' ').includes(wanted),
      ),
    { timeout: timeoutMs },
    selector,
    text,
  );

const untilStanding = (page: Page, standing: string, least: number) =>
  page.waitForFunction(
    (which, count) => document.querySelectorAll(`.cell[data-standing="${which}"]`).length >= Number(count),
    { timeout: 30_000 },
    standing,
    least,
  );

test('a study from nothing to its end: the page fills in, keeps what its reader has, and ends as the report', async () => {
  const out = join(scratch, 'whole');
  const { url, gate, ended } = await beginStudy(out, FLAGS);
  const { page, mishaps } = await openPage(url);

  expect(await textOf(page, 'h1')).toBe('Nothing measured yet');
  expect(await standings(page)).toEqual(['none', 'none', 'none', 'none']);
  expect(await page.$('#tree, #ask')).toBeNull();
  expect(await findViolations(page)).toEqual([]);
  gate.open(1);
  await untilText(page, '#live', 'Measuring few-small over fibre');
  expect(await page.$$eval('.cell[data-now]', (nodes) => nodes.length)).toBe(1);

  // After two blocks there is an answer, and the tree's for all others.
  gate.open(3 * 2);
  await untilStanding(page, 'predicted', 3);
  expect(await textOf(page, '#live .newest')).toMatch(
    /^Newest:\s.* over .*: HTTP\/3, (49|50) % faster than with HTTP\/2 \(\w+\)/,
  );

  // Every condition has its two, and the first one its third: that one is settled.
  gate.open(3 * 7);
  await untilStanding(page, 'sure', 1);
  expect(await textOf(page, '#condition .says')).toMatch(
    /^Serve HTTP\/3\. Pages load (49|50) % faster than with HTTP\/2/,
  );
  expect(await page.$$('#tree .leaf')).toHaveLength(1);
  expect(await textOf(page, '#live .left')).toMatch(
    /^\d+ loads · 4 of 4 conditions answered, 1 settled( · about .* left)?$/,
  );

  // What the reader has: a condition, a pair, something unfolded and scrolled, the focus, and a place.
  await page.select('#condition-choice', '0');
  await page.click('.pairs input[value="0"]');
  await page.$eval('#condition details[data-key="Blocks as a table"]', (node) => {
    (node as HTMLDetailsElement).open = true;
  });
  await page.$eval('#method details[data-key="sessions"]', (node) => {
    (node as HTMLDetailsElement).open = true;
  });
  await page.focus('.pairs input[value="0"]');
  await page.$eval('.pairs', (node) => node.scrollIntoView({ block: 'center' }));
  await page.evaluate(() => {
    (document.querySelector('.pairs input') as HTMLElement & { mark?: boolean }).mark = true;
  });
  const placeOf = () => page.$eval('.pairs', (node) => Math.round(node.getBoundingClientRect().top));
  const before = await placeOf();
  const address = await page.evaluate(() => location.hash);
  const loads = await textOf(page, '.kicker');
  gate.open(3);
  await untilStanding(page, 'sure', 2);
  expect(await textOf(page, '.kicker')).not.toBe(loads);
  expect(Math.abs((await placeOf()) - before)).toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => location.hash)).toBe(address);
  expect(
    await page.evaluate(() => {
      const { activeElement } = document;
      const open = [...document.querySelectorAll('details[open]')].map((node) => (node as HTMLElement).dataset.key);
      return [activeElement?.getAttribute('value'), (activeElement as HTMLInputElement).checked, ...open];
    }),
  ).toEqual(['0', true, 'Blocks as a table', 'sessions']);

  // Loaded anew in the middle: all is there again, at the address that it had.
  await page.reload();
  await untilText(page, '#live', 'Measuring');
  expect((await standings(page)).filter((each) => each === 'sure')).toHaveLength(2);
  expect(await page.$eval('#condition-choice', (node) => (node as HTMLSelectElement).value)).toBe('0');

  gate.open(1000);
  expect(await ended).toBe(0);
  await untilText(page, '#live', 'The study has ended');
  expect(await textOf(page, '#live code')).toBe(join(out, 'report.html'));
  // The server is gone, and the page does not ask for it any more.
  await expect(fetch(url)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await textOf(page, '#live b')).toBe('The study has ended');
  expect(mishaps()).toEqual([]);
  expect(await findViolations(page)).toEqual([]);

  // At the end it says what the report says, word for word, and as data.
  const { page: report } = await open(`file://${out}/report.html${await page.evaluate(() => location.hash)}`);
  for (const part of PARTS) expect(await textOf(page, `#${part}`)).toBe(await textOf(report, `#${part}`));
}, 120_000);

interface Served extends AsyncDisposable {
  readonly url: string;
}

/** Serves a folder as `report DIR --serve` does. */
async function serve(folder: string, port = 0): Promise<Served> {
  const study = followStudy(openStudySource(folder));
  const server = await openLiveServer({ study, bundle: bundlePage(), folder, port, token: servedToken(folder) });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      study[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a server that was gone for a moment is found again, with what came meanwhile; evidence is to be had', async () => {
  const out = join(scratch, 'gone');
  const { gate, ended } = await beginStudy(out, { ...FLAGS, exactly: '2' });
  gate.open(12);
  const served = await serve(out);
  const { url } = served;
  const { page } = await openPage(url);
  await untilText(page, '.kicker', ' 12 loads');
  await served[Symbol.asyncDispose]();
  await untilText(page, '#live', 'Connection lost');
  expect(await textOf(page, '.kicker')).toContain(' 12 loads');
  gate.open(1000);
  expect(await ended).toBe(0);

  await using _again = await serve(out, Number(new URL(url).port));
  await untilText(page, '#live', 'Finished');
  await untilText(page, '.kicker', ' 24 loads');
  await page.$eval('#condition details[data-key^="Every load"]', (node) => {
    (node as HTMLDetailsElement).open = true;
  });
  await page.waitForSelector('#condition a[href*="har/"]');
  const links = await page.$$eval('#condition a[href*="har/"]', (nodes) =>
    nodes.map((node) => (node as HTMLAnchorElement).href),
  );
  expect(links).toHaveLength(6);
  for (const href of links) {
    const answer = await fetch(href);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 2)]).toEqual([0x1f, 0x8b]);
  }
}, 60_000);

test('a study that somebody else measures is followed from its store', async () => {
  const out = join(scratch, 'followed');
  const { gate, ended } = await beginStudy(out, { ...FLAGS, exactly: '2' });
  await using served = await serve(out);
  const { page, mishaps } = await openPage(served.url);
  await untilText(page, '#live', 'Measuring');
  gate.open(12);
  await untilText(page, '.kicker', ' 12 loads');
  expect(await textOf(page, '#live .left')).toMatch(
    /^\d+ loads · \d of 4 conditions answered, 0 settled · about .* left$/,
  );
  gate.open(1000);
  expect(await ended).toBe(0);
  await untilText(page, '#live', 'Finished');
  expect(await textOf(page, '.kicker')).toMatch(/ 24 loads by Chromium \d+ from nginx [\d.]+$/);
  expect(mishaps()).toEqual([]);
}, 60_000);

test('hostile names are text in what is served, in the bar too, and nothing is asked of anybody else', async () => {
  const hostile = '</script><img src=x onerror="document.title=1"><svg onload=alert(1)>';
  const { page: data } = smallPage({ sites: [hostile, 'article'] });
  const source = {
    stamp: () => '',
    read: () => ({ data: { ...data, summary: { ...data.summary, leftSeconds: 90 } } }),
    isAtWork: () => true,
  };
  using study = followStudy(source);
  await using server = await openLiveServer({
    study,
    bundle: bundlePage(),
    folder: scratch,
    port: 0,
    token: 'hostile',
  });
  const { page, mishaps } = await openPage(server.url);
  const { conditions, loads } = data.summary;
  const counts = {
    closed: 0,
    conditions: 6,
    answered: 6,
    settled: 0,
    decided: 0,
    comparisons: 18,
    loads: loads.counted,
    elapsedMs: 1,
    serves: [],
    labs: [],
    workers: [{ name: hostile, loadsPerHour: 900, does: [{ title: 'shop over 4g', arm: 'h3' }] }],
  };
  study.tell({ event: 'progress', ...counts, current: conditions[0]!.id, arm: hostile });
  const gain = { over: hostile, percent: 3, interval: [1, 5] } as const;
  const answer = { serve: hostile, asGood: [hostile], sureness: 'likely', gain, blocks: 2 } as const;
  study.tell({ event: 'answer', condition: conditions[0]!.id, title: hostile, ...answer });
  await untilText(page, '#live', '</script><img src=x');
  await untilText(page, '#live .newest', '</script><img src=x');
  expect(await textOf(page, '#live .workers')).toBe(`${hostile}, 900 loads an hour: shop over 4g, h3`);
  expect(await page.$$('img:not([src^="data:image/jpeg;base64,"]), #live svg')).toEqual([]);
  expect(await page.title()).toMatch(/^Serve/);
  expect(mishaps()).toEqual([]);
}, 60_000);

labTest(
  'a real study, measured while its page follows it, ends as its report',
  async () => {
    const out = join(scratch, 'real');
    const { PHOTOFINISH_ENCLOSED: _, ...outside } = process.env;
    const words = [
      '--site',
      'few-small',
      '--link',
      'rate=20mbit,rtt=20ms',
      '--exactly',
      '3',
      '--seed',
      '5',
      '--out',
      out,
    ];
    const program = start([process.execPath, CLI, 'measure', '--beside', '--live', ...words], { env: outside });
    const said = { out: '', error: '' };
    program.stderr.on('data', (chunk: Buffer) => {
      said.error += chunk.toString();
    });
    const url = await new Promise<string>((resolve, reject) => {
      program.stdout.on('data', (chunk: Buffer) => {
        said.out += chunk.toString();
        const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S*(?=\s)/.exec(said.out) ?? [];
        if (address) resolve(address);
      });
      void program.ended.then((end) => reject(new Error(`${end}: ${said.out}${said.error}`)), reject);
    });
    const { page, mishaps } = await openPage(url);
    // Once its link is what was asked, which on a busy machine may take as many attempts as there are.
    await untilText(page, '#live', 'Measuring few-small over', 120_000 + PATIENCE_MS);
    expect(await program.ended).toBe(0);
    await untilText(page, '#live', 'The study has ended');
    expect(said.error).toBe('');
    expect(mishaps()).toEqual([]);
    const { page: report } = await open(`file://${out}/report.html`);
    for (const part of PARTS) expect(await textOf(page, `#${part}`)).toBe(await textOf(report, `#${part}`));
    expect(await textOf(page, '.kicker')).toMatch(/ 9 loads by Chromium \d+ from nginx [\d.]+$/);
  },
  120_000,
);

// The last test of all: a process that was asked to stop stays so.
test('a study that breaks off is said to have', async () => {
  const { url, gate, ended } = await beginStudy(join(scratch, 'stopped'), { ...FLAGS, exactly: '2', budget: '1' });
  const { page, mishaps } = await openPage(url);
  gate.open(2);
  await untilText(page, '#live', 'Measuring');
  // It is heard of as Ctrl-C is: between one block and the next.
  process.emit('SIGTERM');
  gate.open(1000);
  expect(await ended).toBe(4);
  await untilText(page, '#live', 'The study was stopped');
  expect(mishaps()).toEqual([]);
}, 60_000);
