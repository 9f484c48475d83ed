import { expect, test } from '@jest/globals';
import type { Leaf, Split, TreeFindings } from '../../harness/model/tree.ts';
import { describeSplit, renderTree } from '../../harness/report/tree.ts';

const ARMS = ['h1', 'h2', 'h3'];

const leaf = (serve: string, more: Partial<Leaf> = {}): Leaf => ({
  serve,
  asGood: [],
  sureness: 'sure',
  regretPercent: 0.42,
  interval: [0.1, 0.9],
  worstPercent: 2.1,
  gain: { over: 'h2', percent: 3, interval: [1, 5] },
  worstCondition: 'a',
  conditions: ['a', 'b'],
  ...more,
});

const FINDINGS: TreeFindings = {
  tree: {
    feature: 'rttMs',
    below: 60,
    yes: {
      feature: 'visit',
      is: 'resumed',
      yes: leaf('h3', { asGood: ['h1', 'h2'], sureness: 'proven' }),
      no: leaf('h3', { asGood: ['h2'], sureness: 'likely' }),
    },
    no: {
      feature: 'totalBytes',
      below: 200_000,
      yes: leaf('h1', { sureness: 'open', regretPercent: 12.6, worstPercent: 41 }),
      no: leaf('h3', { conditions: ['c'], regretPercent: 0 }),
    },
  },
  regret: {
    meanPercent: 0.4,
    worstPercent: 3,
    newPage: { meanPercent: 1.23, worstPercent: 40 },
    newLink: { meanPercent: 4, worstPercent: 50 },
  },
  always: { h1: { meanPercent: 41.3, worstPercent: 230 }, h3: { meanPercent: 1, worstPercent: 8 } },
};

test('a tree as text, with what it costs beside what one arm for all costs', () => {
  expect(renderTree(FINDINGS, ARMS)).toBe(
    `Decision tree, if you can choose by page, link and visit: RTT below 60 ms?
├─ yes: resumed visit?
│       ├─ yes: h1=h2=h3**  [2 conditions, regret 0.4 %, at worst 2.1 %]
│       └─ no:  h2=h3~  [2 conditions, regret 0.4 %, at worst 2.1 %]
└─ no:  size of the page below 200 kB?
        ├─ yes: h1?  [2 conditions, regret 13 %, at worst 41 %]
        └─ no:  h3*  [1 condition, regret 0 %]
Regret (time beyond the best): tree 0.4 %, always h1 41 %, h3 1 %.
Tree for other pages 1.2 %, other links 4 %: use it for these links only.`,
  );
});

test.each<[string, readonly string[], string]>([
  ['by name', ['4g', 'rate=50mbit,rtt=218ms,loss=2%'], '4g and 50 Mbit/s, 218 ms, 2 % loss [regret '],
  [
    'or by number where the names are too long',
    ['satellite-leo', 'satellite-geo', 'wifi-lossy', '3g-slow'],
    ' [2 conditions, regret ',
  ],
])('a leaf that is made of whole links says so %s', (_, links, says) => {
  const tree = { feature: 'rttMs', below: 60, yes: leaf('h3', { links }), no: leaf('h1') } as const;
  const lines = renderTree({ ...FINDINGS, tree }, ARMS).split('\n');
  expect(lines[1]).toBe(`├─ yes: h3*  ${says.trimStart()}0.4 %, at worst 2.1 %]`);
  expect(lines[1]!.length).toBeLessThanOrEqual(80);
});

test('a tree that is better over new links than one arm for all has no warning', () => {
  const newLink = { meanPercent: 0.9, worstPercent: 3 };
  expect(renderTree({ ...FINDINGS, regret: { ...FINDINGS.regret, newLink } }, ARMS)).not.toContain('follow');
});

test('a title that leaves no room for the question has a line of its own', () => {
  const below = { feature: 'rttMs', below: 60, yes: leaf('h3'), no: leaf('h1') } as const;
  const tree = { feature: 'bytesPerObject', below: 27_390, yes: below, no: leaf('h2') } as const;
  const lines = renderTree({ ...FINDINGS, tree }, ARMS).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'Decision tree, if you can choose by page and link:',
    'size of an object below 27.39 kB?',
  ]);
});

test('a leaf alone is a tree, and costs what its arm costs', () => {
  expect(renderTree({ ...FINDINGS, tree: leaf('h3') }, ARMS)).toBe(
    `everywhere: h3*  [2 conditions, regret 0.4 %, at worst 2.1 %]
Regret (time beyond the best): always h1 41 %, h3 1 %.`,
  );
});

test('a tree that was grown from one condition was tried on no other', () => {
  const { newPage: _, newLink: __, ...regret } = FINDINGS.regret;
  expect(renderTree({ ...FINDINGS, regret }, ARMS)).toContain(': tree 0.4 %, always');
});

test.each<[Split, string]>([
  [{ feature: 'visit', is: 'cold' }, 'cold visit'],
  [{ feature: 'rateKbps', below: 800 }, 'rate below 800 kbit/s'],
  [{ feature: 'rateKbps', below: 35_000 }, 'rate below 35 Mbit/s'],
  [{ feature: 'lossPercent', below: 0.074 }, 'loss below 0.074 %'],
  [{ feature: 'objects', below: 50.5 }, 'number of objects below 50.5'],
  [{ feature: 'objects', below: 2_500 }, 'number of objects below 2,500'],
  [{ feature: 'bytesPerObject', below: 27_386.12 }, 'size of an object below 27.39 kB'],
  [{ feature: 'totalBytes', below: 1_500_000 }, 'size of the page below 1.5 MB'],
  [{ feature: 'queuePackets', below: 75 }, 'queue below 75 packets'],
])('%j', (split, says) => {
  expect(describeSplit(split)).toBe(says);
});
