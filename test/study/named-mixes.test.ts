import { describe, expect, test } from '@jest/globals';
import { NAMED_LINKS } from '../../harness/study/named-links.ts';
import { NAMED_MIXES } from '../../harness/study/named-mixes.ts';

describe.each(Object.entries(NAMED_MIXES))('%s', (_, { shares, sources, describes, derived }) => {
  test('is of links that have a name, and comes to all of the traffic', () => {
    for (const link of Object.keys(shares)) expect(Object.keys(NAMED_LINKS)).toContain(link);
    const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
    expect(Math.abs(total - 100)).toBeLessThan(0.5);
    expect(Math.min(...Object.values(shares))).toBeGreaterThan(1);
  });

  test('says of every number where it comes from', () => {
    expect(sources.length).toBeGreaterThan(0);
    for (const { says, title, publisher, date, address } of sources) {
      expect(says).toMatch(/\d/);
      expect(date).toMatch(/20\d\d/);
      expect(new URL(address).protocol).toBe('https:');
      for (const text of [title, publisher]) expect(text).not.toBe('');
    }
    for (const text of [describes, ...derived]) expect(text).toMatch(/^\P{Cc}+[^.]$/u);
  });
});

describe('the shares follow from the sources', () => {
  const parts = (values: Readonly<Record<string, number>>, of = 100, decimals = 0) => {
    const total = Object.values(values).reduce((sum, value) => sum + value, 0);
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Number(((of * value) / total).toFixed(decimals))]),
    );
  };
  const radio = { '5g': 1.3, '4g': 5.2, '3g': 7.4 - 5.2 - 1.3 };

  test.each([
    ['mobile', parts(radio)],
    ['mobile-india', parts({ '5g': 23, '4g': 54 })],
    [
      'europe-desktop',
      parts({
        fibre: 4.3 + 21.4 + 5.2 + 0.86 * (16.8 / 0.943),
        cable: 8.6 + 0.8 + (0.943 - 0.86) * (16.8 / 0.943),
        dsl: 24.5 + (21.4 / 0.66 - 21.4 - 0.8) + (3.2 + 9.5) + (1 - 0.943) * (16.8 / 0.943),
      }),
    ],
    [
      'global',
      {
        ...parts({ fibre: 73.09, cable: 10.83, dsl: 8.21 + 3.82 }, 58.7 + 41.3 / 2, 1),
        ...parts(radio, 41.3 / 2, 1),
      },
    ],
  ])('%s', (name, shares) => {
    expect(NAMED_MIXES[name]!.shares).toEqual(shares);
  });
});
