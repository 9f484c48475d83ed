import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { makeGeneratedPages } from '../../harness/commands/generated-page.ts';
import type { Summary } from '../../harness/findings/summary.ts';
import { renderPage } from '../../harness/report/page.ts';
import { bundlePage } from '../../harness/report/page-bundle.ts';
import type { PageData } from '../../harness/report/page-data.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { PROJECT } from '../../harness/system/tools.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { completed, writeState } from '../../reports/state.ts';
import { expectGolden } from '../golden/golden.ts';
import { type SmallStudy, smallPage } from '../report/pages.ts';
import { findViolations } from './axe.ts';
import { type OpenedPage, useBrowser } from './browser.ts';

// A machine that is busy with other things too takes its time.
jest.setTimeout(60_000);

// It needs a browser and no lab: the page is read from the disk.
const scratch = mkdtempSync(join(tmpdir(), 'photofinish-report-'));
const open = useBrowser();
afterAll(() => rmSync(scratch, { recursive: true }));

interface Opened extends OpenedPage {
  readonly data: PageData;
  readonly summary: Summary;
}

/** Opens a small study's report. */
async function openPage(study: SmallStudy = {}, name = 'report'): Promise<Opened> {
  const { page: data, summary } = smallPage(study);
  writeFileSync(join(scratch, `${name}.html`), renderPage(data, bundlePage()));
  return { ...(await openFile(name)), data, summary };
}

/** Opens a report from the disk. */
function openFile(name: string): Promise<OpenedPage> {
  return open(`file://${join(scratch, `${name}.html`)}`);
}

const textOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$eval(selector, (node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const textsOf = (page: Page, selector: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  page.$$eval(selector, (nodes) => nodes.map((node) => (node as HTMLElement).innerText.replaceAll('\u00a0', ' ')));

/** Goes through the page, so that whatever is drawn when it is seen is drawn. */
async function seeAll(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) {
    await page.evaluate((at) => scrollTo(0, at), y);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
}

describe('each part says what the summary says', () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openPage();
  }, 60_000);
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  test('the answer, its sureness, and its badges', async () => {
    const { page, summary, data } = opened;
    expect(await textOf(page, 'h1')).toBe('Serve HTTP/3');
    expect(await textOf(page, '.advice')).toBe(summary.advice!.text);
    expect(await textsOf(page, '.verdicts li')).toEqual(['4 decided', '1 proven equal', '1 undecided']);
    expect(await textsOf(page, '.badges b')).toEqual(data.answer.badges.map(({ title }) => title));
    const [median] = await textsOf(page, '.facts .big');
    expect(Number(median!.replace('−', '').replace(' %', ''))).toBeCloseTo(summary.advice!.gain!.medianPercent, -0.5);
  });

  test('the tree with its leaves, and what one-line rules cost', async () => {
    const { page, summary } = opened;
    expect(await page.$$('.tree .leaf')).toHaveLength(leavesOf(summary.tree!));
    for (const arm of ['h1', 'h2', 'h3']) {
      const { regretPercent } = summary.baselines![`always ${arm}`]!;
      const said = await textOf(page, `[data-rule="${arm}"] b`);
      expect(Number.isFinite(regretPercent) ? Number.parseFloat(said) : said).toEqual(
        Number.isFinite(regretPercent) ? Number(regretPercent.toFixed(regretPercent < 9.95 ? 1 : 0)) : '∞',
      );
    }
  });

  test('the grid: a cell for each condition, by its standing and winner', async () => {
    const { page } = opened;
    const cells = await page.$$eval('.cell', (nodes) =>
      nodes.map((node) =>
        `${(node as HTMLElement).dataset.standing} ${['.who', 'small'].map((part) => node.querySelector(part)!.textContent).join(' ')}`
          .replaceAll('\u00a0', ' ')
          .trim(),
      ),
    );
    expect(cells).toEqual([
      'decided h3 50 %',
      'tied all tie',
      expect.stringMatching(/^decided h2 = h3 (49|50) %$/),
      'undecided ?',
      'decided h3 25 %',
      'decided h2 20 %',
    ]);
  });

  test('a condition, opened from the grid by key', async () => {
    const { page, summary } = opened;
    await page.focus('.cell[tabindex="0"]');
    for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight'] as const)
      await page.keyboard.press(key);
    expect(await textOf(page, '.note')).toContain('h2 and h3'.replace('h2 and h3', 'HTTP/2 and HTTP/3 tie'));
    await page.keyboard.press('Enter');
    expect(await page.$eval('#condition-body', (node) => (node as HTMLElement).dataset.condition)).toBe('2');
    expect(await textOf(page, '.says')).toMatch(/^HTTP\/2 and HTTP\/3 tie, (49|50) % before HTTP\/1.1.$/);
    const [, , ...row] = (await textOf(page, '.metrics tbody tr')).split(/\t|\n/).map((cell) => cell.trim());
    expect([await textOf(page, '.metrics tbody tr td')]).toEqual([
      `${summary.conditions[2]!.arms.h1!.medianMs!.toFixed(0)} ms`,
    ]);
    expect(row.length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await page.$eval('.note', (node) => (node as HTMLElement).hidden)).toBe(true);
  });

  test('every condition: its figures, its verdicts and its blocks are those of the summary', async () => {
    const { page, summary } = opened;
    const arms = ['h1', 'h2', 'h3'];
    for (const [index, condition] of summary.conditions.entries()) {
      await page.select('#condition-choice', `${index}`);
      expect(await page.$eval('#condition-body', (node) => (node as HTMLElement).dataset.condition)).toBe(`${index}`);
      const rows = await page.$$eval('.metrics tbody tr', (nodes) =>
        nodes.map((node) => [...node.children].map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))),
      );
      const said: Record<string, string[]> = Object.fromEntries(rows.map(([name, ...cells]) => [name, cells]));
      const own = arms.map((arm) => condition.arms[arm]!);
      const milliseconds = (value: number | undefined) =>
        value === undefined ? '–' : value >= 995 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`;
      expect(said).toMatchObject({
        'Deciding time, median': own.map(({ medianMs }) => milliseconds(medianMs)),
        '95th percentile': own.map(({ p95Ms }) => milliseconds(p95Ms)),
        Connections: own.map(({ connections }) => `${connections ?? '–'}`),
        'Loads finished': own.map(({ ok }) => `${ok}`),
      });
      expect(said.Failed!.map((cell) => Number.parseInt(cell, 10))).toEqual(own.map(({ failed }) => failed));
      for (const [pair, { a, b, aWon, bWon, blocks, ratio }] of condition.comparisons.entries()) {
        await page.click(`.pairs input[value="${pair}"]`);
        const text = await textOf(page, '[data-chart="differences"] p');
        expect(text).toContain(`${a} faster in ${aWon}, ${b} in ${bWon} of ${blocks}; ratio `);
        if (Number.isFinite(ratio) && ratio > 0) expect(text).toContain(`ratio ${ratio.toFixed(2)} `);
      }
    }
  });

  test('its charts, tables and waterfalls', async () => {
    const { page, summary } = opened;
    await page.select('#condition-choice', '2');
    await seeAll(page);
    expect(await page.$$('.chart canvas')).toHaveLength(3);
    expect(await page.$$('.waterfall svg .request')).toHaveLength(18);
    // Two pictures of each arm, shown at eight moments, the first before anything is seen.
    const shown = await page.$$eval('.films img', (nodes) =>
      nodes.map(({ naturalWidth, alt }) => `${naturalWidth} ${alt}`),
    );
    expect(shown).toHaveLength(18);
    expect(shown[0]!.replace('\u00a0', ' ')).toBe('40 HTTP/1.1 after 113 ms');
    await page.$$eval('#condition details', (nodes) => {
      for (const node of nodes) (node as HTMLDetailsElement).open = true;
    });
    const { blocks } = summary.conditions[2]!;
    await page.waitForFunction(
      (rows) => document.querySelectorAll('#condition [data-chart=differences] tbody tr').length === rows,
      {},
      blocks,
    );
    expect(await page.$$('#condition [data-chart=evidence] tbody tr')).toHaveLength(blocks);
    expect(await page.$eval('#condition a[href]', (node) => node.getAttribute('href'))).toMatch(
      /^\.\/har\/\d{5}-h1\.har\.gz$/,
    );
    const link = await textsOf(page, '#condition .waterfalls td, #condition .waterfalls tbody th');
    expect(link).toContain('/few-small/index.html');
  });

  test('the explorer answers as the tree for two hundred random questions, from the address alone', async () => {
    const { page, summary } = opened;
    const random = seededRandom(8);
    const between = (low: number, high: number) =>
      Number(Math.exp(Math.log(low) + random() * Math.log(high / low)).toPrecision(3));
    const questions = Array.from({ length: 200 }, () =>
      completed(
        {
          ...{
            rateKbps: between(250, 1e6),
            rttMs: between(1, 1000),
            lossPercent: random() < 0.3 ? 0 : between(0.01, 10),
          },
          ...{ objects: Math.ceil(between(1, 1000)), totalBytes: Math.ceil(between(1000, 5e7)), bytesPerObject: 0 },
          ...{ queuePackets: Math.ceil(between(1, 2000)), visit: 'cold' },
        },
        true,
      ),
    );
    const answers = await page.evaluate(
      async (fragments) => {
        const all: (string | undefined)[] = [];
        for (const fragment of fragments) {
          location.hash = fragment;
          await new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
          all.push((document.querySelector('[data-leaf]') as HTMLElement).dataset.leaf);
        }
        return all;
      },
      questions.map((asked) => writeState({ asked })),
    );
    expect(answers).toEqual(questions.map((asked) => follow(summary.tree!, asked).leaf.join(' ')));
    expect(new Set(answers).size).toBeGreaterThan(1);
  });

  test('sliders change the address, and the traffic the advice', async () => {
    const { page } = opened;
    const slide = (label: string, to: string) =>
      page.$eval(
        `input[aria-label="${label}"][type=range]`,
        (node, value) => {
          (node as HTMLInputElement).value = value;
          node.dispatchEvent(new Event('input', { bubbles: true }));
        },
        to,
      );
    await slide('Rate', '0');
    expect(await page.evaluate(() => location.hash)).toContain('rate=250');
    const asStudied = await textOf(page, '.mix-advice');
    expect(asStudied).toContain('proven faster for 33 % of the traffic (fibre, 4g)');
    for (const other of ['4g', 'cable']) await slide(`Share of ${other}`, '0');
    expect(await page.evaluate(() => decodeURIComponent(location.hash))).toContain('mix=fibre:33,4g:0,cable:0');
    expect(await textOf(page, '.mix-advice')).toMatch(/proven faster for 50 % of the traffic \(fibre\)/);
    await page.$$eval('.mix button', ([button]) => (button as HTMLElement).click());
    expect(await textOf(page, '.mix-advice')).toBe(asStudied);
  });

  test('how it was measured', async () => {
    const { page, data } = opened;
    expect(await textOf(page, '.command code')).toBe(data.method.command);
    expect(await page.$$eval('[data-link]', (nodes) => nodes.map((node) => (node as HTMLDetailsElement).open))).toEqual(
      [false, false, true],
    );
    expect(await textOf(page, '#method')).toContain('OUT OF TOLERANCE');
    expect(await textOf(page, '#method')).toContain('Failed and void loads');
  });

  test('and nothing left the page, or broke', async () => {
    expect(opened.mishaps).toEqual([]);
    expect(opened.requests.filter((url) => !url.startsWith(`file://${scratch}/report.html`))).toEqual([]);
  });
});

function leavesOf(tree: object): number {
  if (!('yes' in tree && 'no' in tree)) return 1;
  return leavesOf(tree.yes as object) + leavesOf(tree.no as object);
}

test('hostile names are text, and do nothing', async () => {
  const hostile = '</script><img src=x onerror="document.title=1"><svg onload=alert(1)>';
  const sites = [`${hostile}`, `\u202Egpj.exe${'x'.repeat(10_000)}`];
  await using opened = await openPage(
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
  expect(await textOf(page, '.grid tbody th')).toContain('</script><img');
  expect(await page.title()).toMatch(/^Serve/);
  expect(mishaps).toEqual([]);
  expect(new Set(requests.map((url) => url.replace(/#.*/, '')))).toEqual(new Set([`file://${scratch}/hostile.html`]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}, 60_000);

test('its policy refuses what is not its own', async () => {
  await using opened = await openPage({}, 'policy');
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
}, 60_000);

describe.each([
  ['a study without a block', { blocks: 0 }, 'Nothing measured yet'],
  ['a study of one block', { blocks: 1 }, 'No reason to change yet'],
  ['a study of one page', { sites: ['article'] }, 'Serve HTTP/3'],
] as const)('%s', (_, study, headline) => {
  test('has a page without a mishap', async () => {
    await using opened = await openPage(study, 'tiny');
    expect(await textOf(opened.page, 'h1')).toBe(headline);
    await seeAll(opened.page);
    expect(await textOf(opened.page, 'main')).not.toMatch(/NaN|undefined|null|Infinity/);
    expect(opened.mishaps).toEqual([]);
  }, 60_000);
});

const SHOTS = `${PROJECT}.lab/report-shots`;
const PARTS = ['answer', 'ask', 'tree', 'grid', 'condition', 'method'];

describe.each([360, 1280, 2560])('%i pixels wide', (width) => {
  test.each(['light', 'dark'])(
    'and %s: WCAG 2.2 AA without a violation, nothing overflows, and each part has its picture',
    async (scheme) => {
      await using opened = await openPage({}, 'axe');
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
    120_000,
  );
});

describe('a study of 48 conditions', () => {
  const name = 'large';
  beforeAll(() => {
    const { whole } = makeGeneratedPages(scratch, 48 * 3 * 12);
    writeFileSync(join(scratch, `${name}.html`), renderPage(whole, bundlePage()));
  }, 120_000);

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    '%i pixels wide and %s: WCAG 2.2 AA without a violation, and nothing overflows',
    async (width, scheme) => {
      await using opened = await openFile(name);
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
    180_000,
  );
});

test('the page as text is what it was', async () => {
  await using opened = await openPage({}, 'text');
  const { page } = opened;
  await seeAll(page);
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not all that is there
  const text = await page.$eval('#report', (node) => (node as HTMLElement).innerText);
  expectGolden('report-page.txt', `${text.replaceAll('\u00a0', ' ').replaceAll(/\n{2,}/g, '\n')}\n`);
}, 60_000);
