import type { Paper, PaperPlace } from '../../model/paper.ts';

const SITES = ['game-of-thrones', 'eforlad-travel', 'global-master'] as const;

/** Their network of virtual machines, which nothing held back; its figures are no matter of ours. */
const UNSHAPED = { rateKbps: Number.POSITIVE_INFINITY, rttMs: 0, lossPercent: 0 };
const LIGHTHOUSE = { rateKbps: 10_240, rttMs: 0, lossPercent: 0 };
const UNSHAPED_LINK = { rateKbps: [UNSHAPED.rateKbps], rttMs: [0], lossPercent: [0] };
const UNSHAPED_SITES = { site: SITES, ...UNSHAPED_LINK };

type Printed = Readonly<Record<(typeof SITES)[number], readonly [h1: number, h2: number, h3: number]>>;

const LOADS: Printed = {
  'game-of-thrones': [537, 862, 803],
  'eforlad-travel': [916, 822, 1230],
  'global-master': [330, 388, 433],
};
const SCORES: Printed = {
  'game-of-thrones': [89, 92, 87],
  'eforlad-travel': [71, 75, 73],
  'global-master': [93, 97, 97],
};

function rowsOf(printed: Printed, place: PaperPlace) {
  return SITES.flatMap((site) =>
    (['h1', 'h2', 'h3'] as const).map((arm, index) => ({
      labels: [site, dncs2020Arms[arm].called],
      place: { site, ...place },
      arm,
      figures: [printed[site][index]!],
    })),
  );
}

const dncs2020Arms = {
  h1: { called: 'HTTP/1.1', protocol: 'h1' },
  h2: { called: 'HTTP/2', protocol: 'h2' },
  h3: { called: 'HTTP/3', protocol: 'h3' },
} as const;

export const dncs2020: Paper = {
  name: 'dncs2020',
  short: 'Khelifi 2020',
  citation:
    'M. Khelifi, E. Chini, F. Malagò. Performance evaluation of HTTP/3 + QUIC (course project, repository glonor/dncs-http3)',
  task: 'Client, router and web server as three hosts on two subnets; one nginx (quiche patch) for each protocol; Chrome with its developer tools and Lighthouse on three websites.',
  arms: dncs2020Arms,
  sites: {
    'game-of-thrones': { objects: 39, bytes: 3_000_000 },
    'eforlad-travel': { objects: 56, bytes: 2_000_000 },
    'global-master': { objects: 19, bytes: 1_000_000 },
  },
  margin: 0.03,
  claims: [
    {
      id: 'tcp-swiftest',
      says: 'Plain TCP (HTTP/1.1) was the swiftest on their unshaped virtual network.',
      where: 'the table of load times',
      published: 'HTTP/1.1 the fastest',
      reads: 'on most of the sites',
      question: {
        where: [UNSHAPED_SITES],
        asks: {
          kind: 'ratio',
          figure: 'pltMs',
          range: { below: 1 },
          pairs: [{ of: { arm: 'h1' }, to: [{ arm: 'h2' }, { arm: 'h3' }] }],
        },
        holdsIn: { moreThan: 0.5 },
      },
    },
    {
      id: 'follows-requests',
      says: 'Load time follows the number of requests more than the page weight.',
      where: 'the table of load times',
      published: 'requests more than weight',
      reads:
        'of the three sites, the correlation of the mean load time of all protocols with requests is above that with bytes',
      question: {
        where: [UNSHAPED_SITES],
        asks: { kind: 'follows', figure: 'pltMs', arms: ['h1', 'h2', 'h3'] },
        holdsIn: 'each',
      },
      notes: ['Three sites are few for a correlation, then as now.'],
    },
  ],
  tables: [
    {
      title: 'Load time',
      where: 'the table of load times, unshaped',
      labels: ['site', 'protocol'],
      columns: [{ figure: 'pltMs', title: 'ms', unit: 1, decimals: 0 }],
      rows: rowsOf(LOADS, UNSHAPED),
    },
    {
      title: 'Lighthouse score',
      where: 'the table of scores, at 10,240 kbit/s and a processor that was not slowed down',
      labels: ['site', 'protocol'],
      columns: [{ figure: 'lighthouse', title: 'score', unit: 1, decimals: 0 }],
      rows: rowsOf(SCORES, LIGHTHOUSE),
    },
  ],
  notes: [
    'Their three websites are not ours to keep: generated pages of as many requests and as much weight stand for them, so that protocols can be compared on them, and times with theirs cannot.',
    'The project’s text swaps two request counts once (39 against 56); its table is right.',
    'Their protocol ran on quiche h3-29 with nginx 1.16.1.',
    'Lighthouse then weighed first contentful paint 15, speed index 15, largest contentful paint 25, time to interactive 15, total blocking time 25, layout shift 5.',
    'Lighthouse 13 weighs 10, 10, 25, –, 30, 25: time to interactive is gone. Scores of then and now are not on one scale.',
    'Ours are of loads over a link that really is so slow, throttled by nothing else.',
  ],
};
