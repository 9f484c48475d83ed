import { describe, expect, test } from '@jest/globals';
import { type AdviceRequest, advise } from '../../harness/advice/advice.ts';
import { writeByTree } from '../../harness/advice/advice-text.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { AdviceCondition } from '../../harness/model/advice.ts';
import type { TreeSubject } from '../../harness/model/tree.ts';
import { percentInWords } from '../../harness/model/wording.ts';
import { knownDecision } from '../comparison/decisions.ts';
import { ARMS, conditionsOf, h3Loses, h3Wins, type Row, type Slowdowns, type Wish } from './rows.ts';

describe('each page over all its links', () => {
  type Grid = Readonly<Record<string, Readonly<Record<string, Slowdowns | undefined>>>>;
  const adviceOf = (pages: Grid, wish: Wish & Pick<AdviceRequest, 'tree'> = {}) => {
    const conditions = Object.entries(pages).flatMap(([page, links]) =>
      Object.entries(links).map(([profile, slowdowns]): AdviceCondition => {
        const id = `${page}|${profile}`;
        const decision = slowdowns && knownDecision(id, slowdowns);
        return { id, title: `${page} over ${profile}`, site: page, profile, decision };
      }),
    );
    const { served = 'h2', forced = true, ...rest } = wish;
    return advise({ conditions, arms: ARMS, rule: RULES.default, metric: 'plt', served, forced, ...rest })!;
  };
  const h1Wins = { h1: 1, h2: 1.2, h3: 1.3 };
  const TWO: Grid = { shop: { '4g': h3Wins, fibre: h3Loses }, blog: { '4g': h1Wins, fibre: h1Wins } };

  test('has an arm of its own, by the traffic of its links', () => {
    const { byPage } = adviceOf(TWO, { mix: { '4g': 3, fibre: 1 } });
    expect(byPage!.map(({ site, serve }) => ({ site, serve }))).toEqual([
      { site: 'shop', serve: 'h3' },
      { site: 'blog', serve: 'h1' },
    ]);
    expect(byPage![0]!.regretPercent).toBeCloseTo(0.25 * 8, 9);
    expect(byPage![1]!.gain).toMatchObject({ over: 'h2', percent: expect.closeTo(100 * (1 - 1 / 1.2), 9) });
    expect(byPage!.map(({ arms }) => arms.h2!.regretPercent)).toEqual([
      expect.closeTo(0.75 * 25, 9),
      expect.closeTo(20, 9),
    ]);
  });

  test('a page that lacks a link is none of them', () => {
    const { byPage } = adviceOf({ ...TWO, shop: { '4g': h3Wins, fibre: undefined } });
    expect(byPage!.map(({ site }) => site)).toEqual(['blog']);
  });

  test('links count in each page as they do in the traffic, whatever other pages lack', () => {
    const { byPage, byPagePercent } = adviceOf({ shop: { '4g': h3Wins, fibre: h3Loses }, blog: { fibre: h1Wins } });
    // 8 % slower in half of its traffic.
    expect(byPage![0]).toMatchObject({ site: 'shop', serve: 'h3', regretPercent: expect.closeTo(4, 9) });
    // The one page over 4g has all of its traffic, and half of that over fibre.
    expect(byPagePercent).toBeCloseTo(0.25 * 8, 9);
  });

  test('gains nothing where each page has the arm that is best for all, whatever links pages lack', () => {
    const { regretPercent, byPagePercent, byPage } = adviceOf({
      shop: { '4g': h3Wins, fibre: h3Loses, cable: h3Loses },
      blog: { '4g': h3Wins },
    });
    expect(byPage!.map(({ serve }) => serve)).toEqual(['h3', 'h3']);
    expect(byPagePercent).toBeCloseTo(regretPercent, 9);
  });

  test('a page that was never measured keeps what a choice by page costs from being told', () => {
    const { byPagePercent } = adviceOf({ ...TWO, news: { '4g': undefined, fibre: undefined } });
    expect(byPagePercent).toBeUndefined();
  });

  test.each<[string, Grid]>([
    ['there is one page', { shop: TWO.shop! }],
    ['there is one link', { shop: { '4g': h3Wins }, blog: { '4g': h1Wins } }],
  ])('has no advice where %s', (_, pages) => {
    expect(adviceOf(pages).byPage).toBeUndefined();
  });

  test('is told to be cheaper than one protocol for everything, where it is', () => {
    const tree = { percent: 1, asks: ['link'] as const };
    const two = adviceOf(TWO, { tree });
    const gain = percentInWords(100 * (1 - 102 / (100 + two.regretPercent)));
    expect(two.text).toContain(`\nChoosing by page would gain ${gain} (any server can, with a host name for each).\n`);
    const alike: Grid = { shop: { '4g': h3Wins, fibre: h1Wins }, blog: { '4g': h3Wins, fibre: h1Wins } };
    const one = adviceOf(alike, { tree });
    expect(one.text).toContain(
      `Better still: choosing by link would gain ${percentInWords(100 * (1 - 101 / (100 + one.regretPercent)))} over HTTP/`,
    );
    expect(adviceOf(alike, { tree }).text).not.toContain('by page');
    const partly: Grid = { ...TWO, shop: { '4g': h3Wins, fibre: undefined } };
    expect(adviceOf(partly, { tree }).text).not.toContain('by page');
  });
});

describe('one protocol for everything is a compromise', () => {
  const rows: readonly Row[] = [
    ['4g', h3Wins],
    ['lossy', { h1: 1, h2: 1.9, h3: 1.8 }],
  ];
  const withTree = (percent: number | undefined, asks: readonly TreeSubject[] = ['page', 'link']) =>
    advise({
      conditions: conditionsOf(rows),
      arms: ARMS,
      rule: RULES.default,
      metric: 'plt',
      served: 'h2',
      forced: true,
      tree: percent === undefined ? undefined : { percent, asks },
    })!;

  test('where a tree costs less by more than the margin: that is said, with what it gains', () => {
    const advice = withTree(16);
    expect([advice.serve, advice.regretPercent]).toEqual(['h1', 25]);
    expect(advice.byTreePercent).toBe(16);
    expect(advice.text).toContain(
      'Better still: choosing by page and link would gain 7.2 % over HTTP/1.1 (by page any server can, with a host name for each; by link only a CDN can).\n',
    );
    expect(advice.text).toMatch(/^Serve HTTP\/1.1/);
  });

  test('where it costs less by more than ten percentage points, the tree is the advice', () => {
    const { text } = withTree(1.2);
    const [first, second] = text.split('\n');
    expect(first).toBe(
      'No protocol is good everywhere. Choosing by page and link would gain 19 % over HTTP/1.1, as the decision tree says (by page any server can, with a host name for each; by link only a CDN can).',
    );
    expect(second).toMatch(/^If it has to be one, serve HTTP\/1.1/);
  });

  test('and what a choice by page alone gains stands last', () => {
    const advice = { ...withTree(1.2), byPagePercent: 10 };
    expect(writeByTree(advice, () => 'HTTP/1.1')).toEqual([
      'No protocol is good everywhere.',
      'Choosing by page and link would gain 19 % over HTTP/1.1, as the decision tree says (by page any server can, with a host name for each; by link only a CDN can); by page alone 12 %.',
    ]);
  });

  test('not where it asks about links alone, which a server does not see', () => {
    const { text } = withTree(1.2, ['link']);
    expect(text).toMatch(/^Serve HTTP\/1.1/);
    expect(text).toContain('Better still: choosing by link would gain 19 % over HTTP/1.1 (only a CDN can).\n');
  });

  test.each([undefined, 22.1, 25])('not where the tree costs %p %', (treePercent) => {
    const advice = withTree(treePercent);
    expect(advice.byTreePercent).toBeUndefined();
    expect(advice.text).not.toContain('decision tree');
  });
});
