import { describe, expect, test } from '@jest/globals';
import { writeAdvice } from '../../harness/advice/advice-text.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { decisionOf } from '../comparison/decisions.ts';
import { ARMS, ASSUMES, adviceOn, h3Loses, h3Wins, type Row, unsettled, type Wish } from './rows.ts';

describe('in words', () => {
  test.each<[string, readonly Row[], Wish, string]>([
    [
      'a clear winner',
      [['4g', h3Wins]],
      {},
      `Serve HTTP/3. Sure: under 5 % chance that another is over 3 % faster.\nGain: 20 % of page load time over HTTP/2 (95 % interval 20 to 20 %).\n${ASSUMES}\nSettled: every answer.`,
    ],
    [
      'one that loses somewhere, and one page that is not clear yet',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
        ['cable', unsettled({ h1: [2], h2: [1.1, 1.2, 1], h3: [1, 1, 1.03] }, 'page 2|cable')],
      ],
      {},
      `Serve HTTP/3 if at least 12 % of visitors have 4g (mobile), the rest evenly spread: it is then over 3 % faster. Without them keep HTTP/2 (about even).\nBest by link: HTTP/3 for 4g and cable; HTTP/1.1 or HTTP/2 for fibre.\nSure if 33 % have 4g: under 5 % chance that another is over 3 % faster.\nMean gain: 8.1 % of page load time over HTTP/2 (95 % interval 4.3 to 11 %).\nHTTP/3 is slower than HTTP/2 in page 1 over fibre, by 8 %.\n${ASSUMES}\nNot settled: 1 of 3 conditions; a better choice there would gain at most 0.3 %.`,
    ],
    [
      'nothing to change, though it costs something somewhere',
      [
        ['4g', { h1: 1.2, h2: 1, h3: 1.2 }],
        ['fibre', { h1: 1.2, h2: 1.04, h3: 1 }],
      ],
      {},
      'Keep HTTP/2 if at least 30 % of visitors have 4g (mobile): it is then over 3 % faster. Without them HTTP/3 is 3.8 % faster than HTTP/2.\nSure if 50 % have 4g: under 5 % chance that another is over 3 % faster.\nHTTP/2 is slower than HTTP/3 in page 1 over fibre, by 4 %.\nSettled: every answer.',
    ],
    [
      'nothing to change, and another one as good',
      [['4g', { h1: 1.2, h2: 1, h3: 1.01 }]],
      {},
      'Keep HTTP/2: HTTP/3 is within 3 % of the best too. This is sure.\nSettled: every answer.',
    ],
    [
      'nothing to change, and all as good',
      [['4g', { h1: 1.01, h2: 1, h3: 1.01 }]],
      {},
      'Keep HTTP/2: HTTP/1.1 and HTTP/3 are within 3 % of the best too. This is sure.\nSettled: every answer.',
    ],
    [
      'two as good, of which one is served',
      [['4g', { h1: 1.2, h2: 1.02, h3: 1 }]],
      { forced: false },
      'Serve HTTP/3 or HTTP/2: both are within 3 % of the best. This is sure.\nGain: 2 % of page load time over HTTP/2 (95 % interval 2 to 2 %).\nSettled: every answer.',
    ],
    [
      'all as good',
      [['4g', { h1: 1, h2: 1.001, h3: 1.002 }]],
      {},
      'Serve HTTP/1.1, HTTP/2 or HTTP/3: all are within 3 % of the best. This is sure.\nGain: 0.1 % of page load time over HTTP/2 (95 % interval 0.1 to 0.1 %).\nSettled: every answer.',
    ],
    [
      'an early answer',
      [
        [
          '4g',
          decisionOf(
            'c',
            { h1: [2], h2: [1, 1.2, 1.2, 1.2, 1.2, 1.2], h3: [1.2, 1, 1, 1, 1, 1] },
            { sureness: 'likely', settled: false },
          ),
        ],
      ],
      { forced: false },
      'Serve HTTP/3. This is likely, not sure.\nGain: 17 % of page load time over HTTP/2 (95 % interval −20 to 17 %).\nNot settled: 1 of 1 condition; a better choice there would gain at most 3.4 %.',
    ],
    [
      'what is hardly known',
      [['4g', unsettled({ h1: [2], h2: [1, 1.3], h3: [1.2, 1] })]],
      { forced: false },
      'Serve HTTP/3. This is not sure yet: it takes more loads.\nGain: 23 % of page load time over HTTP/2 (95 % interval −20 to 23 %).\nNot settled: 1 of 1 condition; a better choice there would gain at most 10 %.',
    ],
    [
      'links that were not measured',
      [
        ['4g', h3Loses],
        ['dsl', undefined],
        ['fibre', undefined],
      ],
      { served: 'h1', mix: { '4g': 1, dsl: 1, fibre: 1, '3g': 1 } },
      'Keep HTTP/1.1: HTTP/2 is within 3 % of the best too. This is sure.\nNot measured: dsl, fibre and 3g, which your traffic has too.\nNot settled: 2 of 3 conditions, which are not measured.',
    ],
    [
      'pages that were not measured, and one that is not clear',
      [
        ['4g', { h1: 1.2, h2: 1, h3: 1.2 }],
        ['4g', unsettled({ h1: [2], h2: [1, 1, 1.04], h3: [1.3, 1.2, 1] })],
        ['4g', undefined],
        ['4g', undefined],
      ],
      {},
      'Keep HTTP/2. Sure: under 5 % chance that another is over 3 % faster.\nNot settled: 3 of 4 conditions; 2 of them are not measured, a better choice for the other would gain at most 0.7 %.',
    ],
    [
      'one arm alone',
      [['4g', { h2: 1 }]],
      { arms: ARMS.slice(1, 2) },
      'Serve HTTP/2: nothing else was measured.\nSettled: every answer.',
    ],
    [
      'arms of other names',
      [['4g', { cubic: 1.2, bbr: 1 }]],
      {
        arms: [
          { name: 'cubic', protocol: 'h2', title: 'cubic' },
          { name: 'bbr', protocol: 'h2', title: 'bbr' },
        ],
        served: 'cubic',
      },
      'Serve bbr. Sure: under 5 % chance that another is over 3 % faster.\nGain: 17 % of page load time over cubic (95 % interval 17 to 17 %).\nSettled: every answer.',
    ],
  ])('%s', (_, rows, wish, text) => {
    expect(adviceOn(rows, wish).text).toBe(text);
  });

  test('what is slower than today is said to be', () => {
    const advice = adviceOn([['4g', h3Wins]], { forced: false });
    const gain = { over: 'h2', percent: -2, interval: [-5, 1] } as const;
    expect(writeAdvice({ ...advice, gain }, { conditions: [], arms: ARMS, rule: RULES.default, metric: 'plt' })).toBe(
      'Serve HTTP/3. Sure: under 5 % chance that another is over 3 % faster.\nGain: −2 % of page load time over HTTP/2 (95 % interval −5 to 1 %).\nSettled: every answer.',
    );
  });

  test('by the rule of 2015 its margin is named', () => {
    const advice = adviceOn([['4g', { h1: 1.2, h2: 1, h3: 1.01 }]]);
    expect(writeAdvice(advice, { conditions: [], arms: ARMS, rule: RULES.kramer2015, metric: 'plt' })).toMatch(
      /within 10 % of the best/,
    );
  });
});
