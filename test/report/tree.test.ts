import { expect, test } from '@jest/globals';
import type { Leaf, TreeFindings } from '../../harness/model/tree.ts';
import { renderTree } from '../../harness/report/tree.ts';

const leaf = (arms: readonly string[], more: Partial<Leaf> = {}): Leaf => ({
  leaf: arms,
  undecided: [],
  conditions: ['a', 'b'],
  wrong: [],
  regretPercent: 0.42,
  support: 0.97,
  ...more,
});

const findings: TreeFindings = {
  tree: {
    feature: 'rttMs',
    below: 60,
    yes: {
      feature: 'visit',
      is: 'resumed',
      yes: leaf(['h1', 'h2', 'h3']),
      no: leaf(['h2', 'h3'], { undecided: ['h2'], wrong: ['a'] }),
    },
    no: {
      feature: 'totalBytes',
      below: 200_000,
      yes: leaf(['h1', 'h2', 'h3'], { undecided: ['h1', 'h2', 'h3'], support: 0.3 }),
      no: leaf(['h3'], { conditions: ['c'], regretPercent: 0 }),
    },
  },
  regret: { regretPercent: 0.4, worstPercent: 3 },
  baselines: {
    h1: { regretPercent: 41.3, worstPercent: 230 },
    h3: { regretPercent: 1, worstPercent: Number.POSITIVE_INFINITY },
  },
  leaveOneOut: { right: 6, of: 7 },
};

test('a tree as text', () => {
  expect(renderTree(findings, ['h1', 'h2', 'h3'])).toBe(
    `RTT below 60 ms?
├─ yes: resumed visit?
│       ├─ yes: h1 = h2 = h3 (tie)  [2 conditions, regret 0.4 %, support 97 %]
│       └─ no:  h2 = h3 (h2 undecided)  [2 conditions, wrong about 1, regret 0.4 %, support 97 %]
└─ no:  total bytes below 200,000 B?
        ├─ yes: h1, h2, h3 (undecided)  [2 conditions, regret 0.4 %, support 30 %]
        └─ no:  h3  [1 condition, regret 0 %, support 97 %]

who follows  regret        worst
this tree     0.4 %          3 %
always h1      41 %        230 %
always h3       1 %  without end

Grown without a condition it is right about it in 6 of 7.`,
  );
});

test('a leaf alone is a tree', () => {
  const text = renderTree({ ...findings, tree: leaf(['h3']), leaveOneOut: { right: 0, of: 0 } }, ['h1', 'h2', 'h3']);
  expect(text.split('\n')[0]).toBe('h3  [2 conditions, regret 0.4 %, support 97 %]');
  expect(text).not.toContain('Grown');
});
