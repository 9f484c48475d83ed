import { describe, expect, test } from '@jest/globals';
import { writeAdvice } from '../../harness/advice/advice-text.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Advice } from '../../harness/model/advice.ts';
import { ARMS, adviceOn, h3Loses, h3Wins, type Row, type Slowdowns } from './rows.ts';

describe('the link that the answer hangs on', () => {
  const h2Wins = { h1: 1.5, h2: 1, h3: 1.1 };
  const alike = { h1: 1.5, h2: 1, h3: 1 };
  const far = { h1: 1.5, h2: 1.6, h3: 1 };

  test.each<[string, readonly Row[], Advice['without']]>([
    [
      'is that without which another arm is as fast',
      [
        ['satellite', far],
        ['4g', { h1: 1.5, h2: 1.01, h3: 1 }],
        ['cable', alike],
      ],
      {
        link: 'satellite',
        best: ['h3', 'h2'],
        fasterPercent: 0,
        fromShare: expect.closeTo((1 - 0.97 * 1.005) / (0.97 * 0.595), 9) as unknown as number,
      },
    ],
    [
      'or faster',
      [
        ['satellite', far],
        ['4g', h2Wins],
        ['cable', h2Wins],
      ],
      {
        link: 'satellite',
        best: ['h2'],
        fasterPercent: expect.closeTo(100 * (1 - 1 / 1.1), 9) as unknown as number,
        fromShare: expect.closeTo((1.1 - 0.97) / (1.1 - 0.97 + 0.97 * 1.6 - 1), 9) as unknown as number,
      },
    ],
    [
      'is the one that changes most where several would',
      [
        ['4g', { h1: 1.5, h2: 1.3, h3: 1 }],
        ['satellite', far],
        ['cable', { h1: 1.5, h2: 1, h3: 1.3 }],
        ['fibre', { h1: 1.5, h2: 1, h3: 1.3 }],
      ],
      {
        link: 'satellite',
        best: ['h2'],
        fasterPercent: expect.closeTo(100 * (1 - 3.3 / 3.6), 9) as unknown as number,
        fromShare: expect.closeTo((1.2 - 0.97 * 1.1) / (1.2 - 0.97 * 1.1 + 0.97 * 1.6 - 1), 9) as unknown as number,
      },
    ],
    [
      'is none where all links say the same',
      [
        ['4g', h3Wins],
        ['fibre', h3Wins],
      ],
      undefined,
    ],
    [
      'nor where none of several decides',
      [
        ['4g', h3Wins],
        ['3g', h3Wins],
        ['cable', h3Loses],
      ],
      undefined,
    ],
    ['nor where there is one link', [['4g', h3Wins]], undefined],
    [
      // 3.8 % in favour of HTTP/3 with all of them, 2.9 % without the first.
      'nor where it moves less than the margin, though another arm comes within it',
      [
        ['4g', { h1: 2, h2: 1.06, h3: 1 }],
        ['cable', { h1: 2, h2: 1.03, h3: 1 }],
        ['fibre', { h1: 2, h2: 1.03, h3: 1 }],
      ],
      undefined,
    ],
  ])('%s', (_, rows, without) => {
    expect(adviceOn(rows).without).toEqual(without);
  });

  const EVEN: readonly Row[] = [
    ['satellite', far],
    ['cable', alike],
  ];

  test('is named in a sentence, with what remains without its visitors', () => {
    expect(adviceOn(EVEN).text).toContain(
      'Serve HTTP/3 if at least 6 % of visitors have satellite: it is then over 3 % faster. Without them keep HTTP/2 (about even).\nSure if 50 % have satellite: ',
    );
    expect(adviceOn([EVEN[0]!, ['cable', h2Wins]]).text).toContain(
      'Serve HTTP/3 if at least 20 % of visitors have satellite: it is then over 3 % faster. Without them keep HTTP/2 (9.1 % faster).\n',
    );
    expect(adviceOn([['4g', h3Wins]]).text).not.toContain('because');
  });

  test('is told beside arms that are as good, and says what the sureness is of', () => {
    const { text } = adviceOn([
      ['satellite', { h1: 1.5, h2: 1, h3: 1.4 }],
      ['cable', { h1: 1, h2: 1.02, h3: 1.1 }],
    ]);
    expect(text).toMatch(
      /^Keep HTTP\/2 if at least 10 % of visitors have satellite: it is then over 3 % faster. Without them HTTP\/1.1 and .*\nSure if 50 % have satellite: /,
    );
  });

  test.each<[string, Slowdowns, number | undefined]>([
    [
      'asks nothing of an arm that is behind with and without the link',
      { h1: 20, h2: 1, h3: 1 },
      0.03 / (0.03 + 0.97 * 1.6 - 1),
    ],
    ['is none where another arm is ahead over the link alone', { h1: 1.3, h2: 1, h3: 1.05 }, undefined],
  ])('the share from which it is enough %s', (_, elsewhere, share) => {
    const own = share === undefined ? { h1: 1, h2: 1.6, h3: 1.02 } : { h1: 2, h2: 1.6, h3: 1 };
    const { without, serve } = adviceOn([
      ['satellite', own],
      ['cable', elsewhere],
    ]);
    expect([serve, without?.fromShare]).toEqual(['h3', share === undefined ? undefined : expect.closeTo(share, 9)]);
  });

  test('is what the answer depends on where no share of it is enough', () => {
    const advice = adviceOn(EVEN);
    const { link, best, fasterPercent } = advice.without!;
    const unknown = { ...advice, without: { link, best, fasterPercent } };
    expect(writeAdvice(unknown, { conditions: [], arms: ARMS, rule: RULES.default, metric: 'plt' })).toMatch(
      /^Serve HTTP\/3, but only because of satellite: without it HTTP\/2 and HTTP\/3 are about even/,
    );
  });

  test('is what the answer depends on where a mix is given', () => {
    expect(adviceOn(EVEN, { mix: { satellite: 30, cable: 70 } }).text).toMatch(
      /^Serve HTTP\/3, but only because of satellite: without it HTTP\/2 and HTTP\/3 are about even/,
    );
  });

  test('counts by its traffic, which is not asked for twice', () => {
    const { text, without } = adviceOn(EVEN, { mix: { satellite: 60, cable: 40 } });
    expect(without).toMatchObject({ link: 'satellite' });
    expect(text).toContain('are about even.\n');
    expect(adviceOn(EVEN, { mix: { satellite: 1 } }).without).toBeUndefined();
  });
});
