import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { completed, writeState } from '../../reports/state.ts';
import {
  asChance,
  cellsOf,
  inTenths,
  leavesOf,
  type OpenedReport,
  seeAll,
  textOf,
  textsOf,
  useReports,
} from './opened.ts';

// It needs a browser and no lab: the page is read from the disk.
const reports = useReports();

describe('each part says what the summary says', () => {
  let opened: OpenedReport;
  beforeAll(async () => {
    opened = await reports.openStudy();
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  test('the answer: what to serve, what it gains, how sure it is, the worst case, what is open', async () => {
    const { page, summary, data } = opened;
    const { advice, leftSeconds } = summary;
    const given = Math.ceil(100 * advice!.without!.fromShare!);
    expect(await textOf(page, 'h1')).toBe(
      `Serve HTTP/3\nif at least ${given} % of visitors have fibre, the rest evenly spread`,
    );
    expect(await page.title()).toMatch(
      /^Serve HTTP\/3 if at least \d+ % of visitors have fibre, the rest evenly spread · /,
    );
    const facts = Object.fromEntries(
      await page.$$eval('[data-fact]', (nodes) =>
        nodes.map((node) => [
          (node as HTMLElement).dataset.fact,
          node.textContent.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' '),
        ]),
      ),
    );
    const { gain, worst, sureness, open } = advice!;
    const whole = (value: number) => value.toFixed(value < 9.95 ? 1 : 0);
    expect(facts.gain).toMatch(
      new RegExp(`^${whole(gain.percent)} % faster.*HTTP/2.*95 % interval ${whole(gain.interval[0])} to`),
    );
    expect(facts.sure).toMatch(new RegExp(`^${sureness}`));
    const titleOfWorst = data.conditions[summary.conditions.findIndex(({ id }) => id === worst!.condition)]!.title;
    const { arms } = summary.conditions.find(({ id }) => id === worst!.condition)!;
    const today = Math.round(arms.h2!.medianMs!);
    expect(facts.worst).toBe(
      `${whole(worst!.percent)} % slowerwith HTTP/3 than with HTTP/2, at worst: ${titleOfWorst}, where HTTP/2 takes ${today} ms; slower in ${worst!.slowerIn} of 6 conditions.`,
    );
    expect(await textOf(page, '[data-without="fibre"]')).toBe(
      'It is then over 3 % faster. Without them keep HTTP/2 (about even). Best by link: HTTP/3 for fibre and 4g; HTTP/2 for cable. Set your visitors’ shares.',
    );
    expect(facts.open).toContain(`${open.conditions} not settledof 6 conditions`);
    expect(open.conditions).toBeGreaterThan(0);
    expect(await textOf(page, '.badges')).toContain(`${open.conditions} of 6 conditions can get more blocks`);
    expect(leftSeconds).toBeGreaterThan(0);
    expect(advice!.assumesKnownH3).toBe(true);
    expect(await textOf(page, '.assumes')).toContain('browsers that have met this HTTP/3 before');
    expect(await textsOf(page, '#next li')).toEqual(
      data.answer.next.map(({ says, command }) => `${says}:\n${command}`),
    );
    expect(data.answer.next).toHaveLength(3);
    await page.click('.in-sentences summary');
    expect(await textOf(page, '.advice')).toBe(advice!.text);
    expect(await textsOf(page, '.badges b')).toEqual(data.answer.badges.map(({ title }) => title));
  });

  test('how many answers are how sure, and what the words mean, by key', async () => {
    const { page, summary } = opened;
    const counts = Object.groupBy(summary.conditions, ({ answer }) => answer!.sureness);
    expect(
      await page.$$eval('.known li', (nodes) =>
        nodes.map((node) => [(node as HTMLElement).dataset.count, Number(node.querySelector('b')!.textContent)]),
      ),
    ).toEqual(
      (['proven', 'sure', 'likely', 'open'] as const).flatMap((each) =>
        counts[each] ? [[each, counts[each].length]] : [],
      ),
    );
    await page.focus('#answer .sure-word');
    expect((await textOf(page, '.note')).split('\n').filter((line) => /^\w+$/.test(line))).toEqual([
      ...['proven', 'sure', 'likely', 'open'],
    ]);
    await page.keyboard.press('Escape');
  });

  test('words that are not everybody’s explain themselves, and once more at the end', async () => {
    const { page } = opened;
    expect(await textsOf(page, '#answer .term')).toEqual(expect.arrayContaining(['conditions', 'settled']));
    for (const [word, meaning] of [
      ['settled', 'rests on 2 launches'],
      ['conditions', 'One page over one connection'],
    ] as const) {
      const terms = await page.$$('#answer .term');
      for (const term of terms) if ((await term.evaluate((node) => node.textContent)) === word) await term.focus();
      expect(await textOf(page, '.note')).toContain(meaning);
      await page.keyboard.press('Escape');
    }
    const words = await textsOf(page, '#glossary dt');
    expect(words).toEqual(words.toSorted());
    expect(words).toEqual(expect.arrayContaining(['arm', 'block', 'regret', 'settled']));
    expect((await textsOf(page, '#glossary dd')).filter((meaning) => !/^[A-Z].*\.$/s.test(meaning))).toEqual([]);
  });

  test('no identifier is seen, whatever is opened', async () => {
    await using whole = await reports.openStudy({}, 'opened');
    await whole.page.$$eval('details', (nodes) => {
      for (const node of nodes) node.open = true;
    });
    await seeAll(whole.page);
    const text = await textOf(whole.page, 'body');
    expect(text).toContain('over 4g');
    expect(text.split('\n').filter((line) => /\w\|\w/.test(line))).toEqual([]);
  });

  test('the tree with its leaves, and what one-line rules cost', async () => {
    const { page, summary } = opened;
    const leaves = leavesOf(summary.tree!);
    expect(leaves.length).toBeGreaterThan(1);
    const drawn = await page.$$eval('.tree .leaf', (nodes) =>
      nodes.map((node) => node.textContent.replaceAll('\u00a0', ' ')),
    );
    expect(drawn).toHaveLength(leaves.length);
    for (const { serve, asGood, sureness, regretPercent, worstPercent, conditions, links } of leaves) {
      const own = drawn.find((text) => text.includes([serve, ...asGood].join('or') + sureness));
      expect(own).toContain(`${links!.join(' and ')}regret ${inTenths(regretPercent)} %`);
      if (conditions.length > 1) expect(own).toContain(`worst ${inTenths(worstPercent)} %`);
    }
    const { tree, ...always } = summary.regret!;
    const said = async (rule: string) =>
      (await textsOf(page, `tr:has([data-rule="${rule}"]) td`)).map(Number.parseFloat);
    expect(await said('tree')).toEqual([tree!.meanPercent, tree!.worstPercent].map(inTenths));
    expect(await said('left-out')).toEqual([tree!.leftOutMeanPercent!, tree!.leftOutWorstPercent!].map(inTenths));
    expect(await said('new-link')).toEqual([tree!.newLink!.meanPercent, tree!.newLink!.worstPercent].map(inTenths));
    // Its two pages are one to the tree.
    expect([tree!.newPage, await said('new-page')]).toEqual([undefined, []]);
    for (const arm of ['h1', 'h2', 'h3']) {
      const { meanPercent, worstPercent } = always[`always ${arm}`]!;
      expect((await said(arm))[0]).toBe(inTenths(meanPercent));
      expect((await textsOf(page, `tr:has([data-rule="${arm}"]) td`))[1]!.replaceAll(/[ %,]/g, '')).toBe(
        `${inTenths(worstPercent)}`,
      );
    }
  });

  test('the grid: in each cell what to serve, what that gains, and how sure it is', async () => {
    const { page, summary } = opened;
    const cells = await cellsOf(page);
    const sures = summary.conditions.map(({ answer }) =>
      answer!.sureness === 'proven' ? '✓ proven' : answer!.sureness,
    );
    expect(cells.map(({ says }) => says)).toEqual([
      `h3 ${sures[0]} +50 %`,
      `any ${sures[1]}`,
      `h2 h3 ${sures[2]}`,
      expect.stringMatching(new RegExp(`^h3 ${sures[3]} [+−±]\\d+ %$`)),
      `h3 ${sures[4]} +25 %`,
      `h2 ${sures[5]} h3 −25 %`,
    ]);
    expect(cells.map(({ standing }) => standing)).toEqual(summary.conditions.map(({ answer }) => answer!.sureness));
    // One colour, the surer the stronger, but for those cells in which nothing hangs on what is served.
    expect(cells.map(({ isEven }) => isEven)).toEqual([false, true, true, false, false, false]);
    expect(new Set(cells.map(({ isEven, background }) => isEven && background)).size).toBe(2);
    expect(cells.map(({ stripes }) => stripes)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(cells[5]!.background).not.toBe(cells[0]!.background);
    expect(sures[3]).not.toBe('✓ proven');
    expect(cells[3]!.background).not.toBe(cells[0]!.background);
    expect(cells.map(({ border }) => border)).not.toContain('dotted');
  });

  test('the grid: before its links, what to serve each page by over all of them', async () => {
    const { page, summary } = opened;
    const own = await page.$$eval('td.all .cell', (nodes) => nodes.map((node) => (node as HTMLElement).textContent));
    const { byPage } = summary.advice!;
    expect(own.length).toBeGreaterThan(1);
    expect(byPage!.length).toBe(own.length);
    for (const [row, { serve, sureness }] of byPage!.entries()) {
      expect(own[row]).toContain(serve);
      expect(own[row]).toContain(sureness === 'proven' ? '✓ proven' : sureness);
    }
    expect(await textOf(page, 'th.all')).toContain('all links');
  });

  test('a condition, opened from the grid by key', async () => {
    const { page, summary } = opened;
    await page.focus('.cell[tabindex="0"]');
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowLeft'] as const) await page.keyboard.press(key);
    expect(await textOf(page, '.note')).toContain('Keep HTTP/2. HTTP/3 is within 3 % of the best too.');
    expect(await textOf(page, '.note')).toMatch(/HTTP\/1.1: median 500 ms, best with a chance of below 1 %/);
    await page.keyboard.press('Enter');
    expect(await page.$eval('#condition-body', (node) => (node as HTMLElement).dataset.condition)).toBe('2');
    expect(await textOf(page, '.says')).toMatch(
      /^Keep HTTP\/2. HTTP\/3 is .* With HTTP\/1.1 pages take 100 % longer.$/,
    );
    const [, , ...row] = (await textOf(page, '.metrics tbody tr')).split(/\t|\n/).map((cell) => cell.trim());
    expect([await textOf(page, '.metrics tbody tr td')]).toEqual([
      `${summary.conditions[2]!.arms.h1!.medianMs!.toFixed(0)} ms`,
    ]);
    expect(row.length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await page.$eval('.note', (node) => (node as HTMLElement).hidden)).toBe(true);
  });

  test('every condition: its chances, its regret and its proofs are those of the summary', async () => {
    const { page, summary } = opened;
    for (const [index, { answer, within, comparisons }] of summary.conditions.entries()) {
      await page.select('#condition-choice', `${index}`);
      const rows = await page.$$eval('.chances tbody tr', (nodes) =>
        nodes.map((node) => [...node.children].map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))),
      );
      for (const [place, arm] of ['h1', 'h2', 'h3'].entries()) {
        const { regretPercent, bestChance, withinChance, failedLoads } = answer!.arms[arm]!;
        const [name, , regret, best, inMargin, proven] = rows[place]!;
        expect(name!.includes('failed')).toBe(failedLoads !== undefined);
        expect(Number.parseFloat(regret!.replace(',', ''))).toBe(inTenths(regretPercent));
        expect([best, inMargin]).toEqual([bestChance, withinChance].map(asChance));
        expect(proven).toBe(within.includes(arm) ? '✓ proven' : '–');
      }
      const proofs = comparisons.filter(({ verdict }) => verdict !== 'undecided');
      expect(await page.$$('.proofs .proof')).toHaveLength(proofs.length);
      expect(await textOf(page, '.condition-head .sure-word')).toBe(answer!.sureness);
    }
  });

  test('every condition: what of its load times is the machine’s own, and whether that is much', async () => {
    const { page, summary } = opened;
    const says: (string | undefined)[] = [];
    for (const index of summary.conditions.keys()) {
      await page.select('#condition-choice', `${index}`);
      says.push((await page.$('.processor')) ? await textOf(page, '.processor') : undefined);
    }
    expect(says).toEqual([
      'Processor: HTTP/1.1 50 of 300 ms, HTTP/2 55 of 200 ms, HTTP/3 60 of 100 ms. More than a third of a load time is this machine’s own.',
      'Processor: HTTP/1.1 50 of 1000 ms, HTTP/2 55 of 1000 ms, HTTP/3 60 of 999 ms.',
      'Processor: HTTP/1.1 50 of 500 ms, HTTP/2 55 of 250 ms, HTTP/3 60 of 255 ms.',
      ...[undefined, undefined, undefined],
    ]);
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
          rateKbps: between(250, 1e6),
          rttMs: between(1, 1000),
          lossPercent: random() < 0.3 ? 0 : between(0.01, 10),
          objects: Math.ceil(between(1, 1000)),
          totalBytes: Math.ceil(between(1000, 5e7)),
          bytesPerObject: 0,
          queuePackets: Math.ceil(between(1, 2000)),
          visit: 'cold',
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
          all.push((document.querySelector('#explorer-result [data-leaf]') as HTMLElement).dataset.leaf);
        }
        return all;
      },
      questions.map((asked) => writeState({ asked })),
    );
    expect(answers).toEqual(
      questions.map((asked) => {
        const { serve, asGood } = follow(summary.tree!, asked);
        return [serve, ...asGood].join(' ');
      }),
    );
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
    expect(asStudied).toContain(opened.summary.advice!.text);
    const tree = await textOf(page, '#tree .lead');
    for (const other of ['4g (mobile)', 'fibre']) await slide(`Share of ${other}`, '0');
    expect(await page.evaluate(() => decodeURIComponent(location.hash))).toContain('mix=fibre:0,4g:0,cable:33');
    expect(await textOf(page, '.mix-advice')).toMatch(/^Keep HTTP\/2\n/);
    // Over one link alone there is nothing to ask.
    expect(await textOf(page, '#tree .lead')).toMatch(/^One answer for everything .* It is grown for your traffic,/);
    // The study's own traffic, decided in the browser: as the program decided.
    for (const other of ['4g (mobile)', 'fibre']) await slide(`Share of ${other}`, '33');
    expect(await textOf(page, '.mix-advice')).toBe(asStudied);
    await page.$$eval('.mix button', ([button]) => (button as HTMLElement).click());
    expect(await textOf(page, '.mix-advice')).toBe(asStudied);
    expect(await textOf(page, '#tree .lead')).toBe(tree);
  });

  test('how it was measured', async () => {
    const { page, data } = opened;
    expect(await textOf(page, '.command code')).toBe(data.method.command);
    expect(await page.$$eval('[data-link]', (nodes) => nodes.map((node) => (node as HTMLDetailsElement).open))).toEqual(
      [false, false, true],
    );
    expect(await textOf(page, '#method')).toContain('OUT OF TOLERANCE');
    expect(await textOf(page, '#method')).toContain('of which 10 % were lost on the link or dropped by its full queue');
    expect(await textOf(page, '#method')).toContain('Failed and void loads');
    expect(await textOf(page, '#method')).toContain(
      '16 of all 376 loads do not count (4.3 %): 0 of the self-test, 4 to',
    );
    await page.click('#method [data-key="references"] summary');
    await page.waitForSelector('#method [data-key="references"] tbody tr');
    expect(await textsOf(page, '#method [data-key="references"] tbody tr')).toEqual([
      'article\tHTTP/1.1\t50 ms\t80 ms\t30 ms',
      'article\tHTTP/2\t55 ms\t85 ms\t30 ms',
      'article\tHTTP/3\t60 ms\t90 ms\t30 ms',
    ]);
  });

  test('and nothing left the page, or broke', async () => {
    expect(opened.mishaps).toEqual([]);
    expect(opened.requests.filter((url) => !url.startsWith(`file://${reports.folder()}/report.html`))).toEqual([]);
  });
});
