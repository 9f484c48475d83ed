import type { Paper, PaperPlaces, Range } from '../../model/paper.ts';

const SITES = ['few-small', 'few-large', 'many-small', 'many-large'];
const RATES = [2_000, 10_000, 50_000];
const RTTS = [18, 218];
const LOSSES = [0, 2];

const ALL: PaperPlaces = { site: SITES, rateKbps: RATES, rttMs: RTTS, lossPercent: LOSSES };
const HIGH_RTT: PaperPlaces = { ...ALL, rttMs: [218] };
const QUICK = { rttMs: [18], lossPercent: [0] };
const FAR = { site: ['many-small'], rateKbps: [2_000], rttMs: [218], lossPercent: [0, 2] };

/** What the paper calls no clear difference: less than what makes one better. */
const ALIKE: Range = { above: 0.9, below: 1 / 0.9 };
const ALL_PAIRS = [
  { of: { arm: 'h2' }, to: [{ arm: 'h1' }] },
  { of: { arm: 'h3' }, to: [{ arm: 'h1' }] },
  { of: { arm: 'h3' }, to: [{ arm: 'h2' }] },
];
const FIGURES = 'the text, and a distribution among figures 4 to 7';

export const kramer2015: Paper = {
  name: 'kramer2015',
  short: 'Krämer 2015',
  citation:
    'Zs. Krämer, P. Megyesi, S. Molnár. A Google új, kísérleti QUIC protokolljának teljesítményelemzése. BME, 2015',
  task: 'Chrome loads four pages over HTTP/1.1, SPDY and QUIC through a netem shaper; page load time from HAR; socket pool and cache cleared before every load; at least 100 loads per condition and protocol.',
  arms: {
    h1: { called: 'HTTP/1.1', protocol: 'h1' },
    h2: { called: 'SPDY', protocol: 'h2' },
    h3: { called: 'QUIC', protocol: 'h3' },
  },
  margin: 0.1,
  rule: { advantage: 0.1, share: 0.7 },
  claims: [
    {
      id: 'few-small-50',
      says: 'At 50 Mbit/s and 18 ms, without loss, with few small objects there is no clear difference.',
      where: FIGURES,
      published: 'no clear difference',
      question: {
        where: [{ site: ['few-small'], rateKbps: [50_000], ...QUICK }],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: ALL_PAIRS, range: ALIKE },
        holdsIn: 'each',
      },
    },
    {
      id: 'few-small-10',
      says: 'At 10 Mbit/s and 18 ms, without loss, with few small objects there is no clear difference.',
      where: FIGURES,
      published: 'no clear difference',
      question: {
        where: [{ site: ['few-small'], rateKbps: [10_000], ...QUICK }],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: ALL_PAIRS, range: ALIKE },
        holdsIn: 'each',
      },
    },
    {
      id: 'many-large-50',
      says: 'At 50 Mbit/s and 18 ms, without loss, with many large objects QUIC is more than three times slower than SPDY and HTTP (packet pacing of 2014).',
      where: 'figure 5',
      published: 'more than 3 times as long',
      question: {
        where: [{ site: ['many-large'], rateKbps: [50_000], ...QUICK }],
        asks: {
          kind: 'ratio',
          figure: 'pltMs',
          range: { above: 3 },
          pairs: [{ of: { arm: 'h3' }, to: [{ arm: 'h1' }, { arm: 'h2' }] }],
        },
        holdsIn: 'each',
      },
    },
    {
      id: 'many-large-10',
      says: 'At 10 Mbit/s and 18 ms, without loss, with many large objects all are similar.',
      where: FIGURES,
      published: 'similar',
      question: {
        where: [{ site: ['many-large'], rateKbps: [10_000], ...QUICK }],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: ALL_PAIRS, range: ALIKE },
        holdsIn: 'each',
      },
    },
    ...(
      [
        ['h2', 'SPDY takes several times as long', 'several times', { above: 3 }, 'several: three or more'],
        ['h1', 'HTTP takes about twice as long', 'about 2 times', { above: 1.5, below: 2.5 }, 'about: 1.5 to 2.5'],
        ['h3', 'QUIC takes only 20 % longer', '+20 %', { below: 1.3 }, 'only 20 %: less than 30 %'],
      ] as const
    ).map(([arm, says, published, range, reads]) => ({
      id: `loss-${arm}`,
      says: `At 50 Mbit/s and 18 ms, with many large objects and 2 % loss, ${says} as without loss.`.replace(
        'longer as',
        'longer than',
      ),
      where: 'figure 6',
      published,
      reads,
      question: {
        where: [{ site: ['many-large'], rateKbps: [50_000], rttMs: [18] }],
        asks: {
          kind: 'growth' as const,
          figure: 'pltMs' as const,
          arms: [arm],
          range,
          dimension: 'lossPercent' as const,
          from: 0,
          to: 2,
        },
        holdsIn: 'each' as const,
      },
      notes: ['The caption of figure 6 says small objects; the text says as figure 5, so large ones.'],
    })),
    ...(
      [
        ['h3', 'h2', 'QUIC is 25 to 30 % ahead of SPDY', '25 to 30 % ahead', 0.75],
        ['h3', 'h1', 'QUIC is 35 to 40 % ahead of HTTP', '35 to 40 % ahead', 0.65],
        ['h2', 'h1', 'SPDY is 7 to 12 % ahead of HTTP', '7 to 12 % ahead', 0.93],
      ] as const
    ).map(([of, to, says, published, below]) => ({
      id: `far-${of}-${to}`,
      says: `At 2 Mbit/s and 218 ms, with and without loss, with many small objects ${says}.`,
      where: FIGURES,
      published,
      reads: `ahead by at least ${Math.round(100 * (1 - below))} %`,
      question: {
        where: [FAR],
        asks: {
          kind: 'ratio' as const,
          figure: 'pltMs' as const,
          range: { below },
          pairs: [{ of: { arm: of }, to: [{ arm: to }] }],
        },
        holdsIn: 'each' as const,
      },
    })),
    {
      id: 'far-fastest',
      says: 'At 2 Mbit/s and 218 ms, with and without loss, with many small objects QUIC is the fastest.',
      where: FIGURES,
      published: 'QUIC the fastest',
      question: {
        where: [FAR],
        asks: {
          kind: 'ratio',
          figure: 'pltMs',
          range: { below: 1 },
          pairs: [{ of: { arm: 'h3' }, to: [{ arm: 'h1' }, { arm: 'h2' }] }],
        },
        holdsIn: 'each',
      },
    },
    {
      id: 'http-fastest',
      says: 'At a high rate, with high loss and many large objects HTTP/1.1 is the fastest.',
      where: 'the text, and figure 8',
      published: 'HTTP/1.1 the fastest',
      reads: 'high rate: 50 Mbit/s; high loss: 2 %; at both round-trip times',
      question: {
        where: [{ site: ['many-large'], rateKbps: [50_000], rttMs: RTTS, lossPercent: [2] }],
        asks: {
          kind: 'ratio',
          figure: 'pltMs',
          range: { below: 1 },
          pairs: [{ of: { arm: 'h1' }, to: [{ arm: 'h2' }, { arm: 'h3' }] }],
        },
        holdsIn: 'each',
      },
    },
    {
      id: 'quic-improves',
      says: 'QUIC significantly improves load time in over 40 % of cases.',
      where: 'the text, over all conditions',
      published: 'over 40 % of 48 conditions',
      reads: 'significantly improves: better than both others by the paper’s own rule',
      question: {
        where: [ALL],
        asks: { kind: 'beats', arm: 'h3', others: ['h1', 'h2'] },
        holdsIn: { moreThan: 0.4 },
      },
    },
    {
      id: 'high-rtt',
      says: 'QUIC excels at high RTT.',
      where: 'the text, and figure 8',
      published: 'QUIC ahead',
      reads: 'high RTT: 218 ms; excels: better than both others by the paper’s own rule, in most conditions',
      question: {
        where: [HIGH_RTT],
        asks: { kind: 'beats', arm: 'h3', others: ['h1', 'h2'] },
        holdsIn: { moreThan: 0.5 },
      },
    },
    {
      id: 'high-rtt-low-rate',
      says: 'At high RTT QUIC excels most at a low rate.',
      where: 'the text',
      published: 'further ahead at 2 Mbit/s',
      reads: 'from 50 to 2 Mbit/s the others slow down more than QUIC does, in most conditions of 218 ms',
      question: {
        where: [{ site: SITES, rttMs: [218], lossPercent: LOSSES }],
        asks: {
          kind: 'outgrows',
          figure: 'pltMs',
          arm: 'h3',
          others: ['h1', 'h2'],
          range: { below: 1 },
          dimension: 'rateKbps',
          from: 50_000,
          to: 2_000,
        },
        holdsIn: { moreThan: 0.5 },
      },
    },
    ...(
      [
        ['h2', 'SPDY is the most sensitive to loss (head-of-line blocking)', 'SPDY slowed down most', { above: 1 }],
        ['h3', 'QUIC is the least sensitive to loss', 'QUIC slowed down least', { below: 1 }],
      ] as const
    ).map(([arm, says, published, range]) => ({
      id: `sensitive-${arm}`,
      says: `${says}.`,
      where: 'the text',
      published,
      reads: 'in most conditions',
      question: {
        where: [{ site: SITES, rateKbps: RATES, rttMs: RTTS }],
        asks: {
          kind: 'outgrows' as const,
          figure: 'pltMs' as const,
          range,
          arm,
          others: ['h1', 'h2', 'h3'].filter((other) => other !== arm),
          dimension: 'lossPercent' as const,
          from: 0,
          to: 2,
        },
        holdsIn: { moreThan: 0.5 },
      },
    })),
  ],
  tables: [],
  tree: {
    where: 'figure 8',
    says: [
      'A protocol is better than another in a condition where in at least 70 % of the cases its load time is at least 10 % lower.',
      'Where two beat the third but not each other both stand on the leaf; where neither a fastest nor a slowest can be told the leaf is a tie.',
      'The tree itself was printed as a picture; beside ours stand the leaves that the text tells of.',
    ],
    leaves: [
      {
        says: 'few small objects, 10 or 50 Mbit/s, 18 ms, no loss',
        where: [{ site: ['few-small'], rateKbps: [10_000, 50_000], ...QUICK }],
        leaf: ['h1', 'h2', 'h3'],
      },
      {
        says: 'many large objects, 10 Mbit/s, 18 ms, no loss',
        where: [{ site: ['many-large'], rateKbps: [10_000], ...QUICK }],
        leaf: ['h1', 'h2', 'h3'],
      },
      {
        says: 'many large objects, 50 Mbit/s, 2 % loss',
        where: [{ site: ['many-large'], rateKbps: [50_000], rttMs: RTTS, lossPercent: [2] }],
        leaf: ['h1'],
      },
      { says: 'many small objects, 2 Mbit/s, 218 ms', where: [FAR], leaf: ['h3'] },
    ],
  },
  notes: ['SPDY and Google’s QUIC of 2015 are gone; HTTP/2 stands for the one, HTTP/3 for the other.'],
};
