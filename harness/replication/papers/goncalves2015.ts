import type { Paper, PaperPlaces, PublishedRow } from '../../model/paper.ts';

const LINK = { rateKbps: [4_950], rttMs: [30], lossPercent: [0.148] };
/** Those that had SPDY or HTTP/2. */
const SERVERS = ['nginx', 'apache', 'iis'];
const AT_50: PaperPlaces = { site: ['flags-254'], ...LINK, server: SERVERS, tabs: [10] };
const AT_500: PaperPlaces = { ...AT_50, tabs: [100] };
const AT_ANY: PaperPlaces = { site: ['flags-254'], ...LINK, server: SERVERS };
/** HTTP/2 against HTTP/1.1 of both kinds. */
const MULTIPLEXED = [{ of: { arm: 'h2' }, to: [{ arm: 'h1c' }, { arm: 'h1' }] }];

/** Server, arm, what it was called, tabs of all five clients, connections, seconds, megabytes. */
const PRINTED = [
  ['gwan', 'h1c', 'HTTP', 50, 30, 11.03, 6.7],
  ['gwan', 'h1c', 'HTTP', 500, 32, 16.81, 9.9],
  ['nginx', 'h1c', 'HTTP', 50, 30, 11.21, 6.8],
  ['nginx', 'h1c', 'HTTP', 500, 61, 13.81, 13.1],
  ['nginx', 'h1', 'HTTPS', 50, 31, 11.38, 7],
  ['nginx', 'h1', 'HTTPS', 500, 56, 10.05, 10.4],
  ['nginx', 'h2', 'SPDY', 50, 5, 10.05, 7],
  ['nginx', 'h2', 'SPDY', 500, 5, 16.81, 10.3],
  ['apache', 'h1c', 'HTTP', 50, 32, 13.85, 6.8],
  ['apache', 'h1c', 'HTTP', 500, 60, 11.62, 10.1],
  ['apache', 'h1', 'HTTPS', 50, 34, 13.34, 7.1],
  ['apache', 'h1', 'HTTPS', 500, 56, 13.03, 10.5],
  ['apache', 'h2', 'SPDY', 50, 5, 9.72, 6.4],
  ['apache', 'h2', 'SPDY', 500, 5, 14.47, 9.25],
  ['iis', 'h1c', 'HTTP', 50, 31, 9.43, 6.9],
  ['iis', 'h1c', 'HTTP', 500, 31, 20.24, 10.3],
  ['iis', 'h1', 'HTTPS', 50, 45, 11.53, 6.9],
  ['iis', 'h1', 'HTTPS', 500, 30, 11.41, 7],
  ['iis', 'h2', 'HTTP/2', 50, 5, 8.6, 5.7],
  ['iis', 'h2', 'HTTP/2', 500, 5, 12.36, 8.4],
] as const;

const CLIENTS = 5;
const TABLES = 'tables 2 and 5, the former where they differ';

export const goncalves2015: Paper = {
  name: 'goncalves2015',
  short: 'Gonçalves 2015',
  citation:
    'S. Tabordes Gonçalves, E. Maroñas Monks. Análise Comparativa entre HTTP 1.1 e HTTP 2.0. SENAC Pelotas, 2015',
  task: 'A crowd of clients opens the same page at once: 5 client machines, each opening 10 or 100 tabs together, on a page of 254 country flags of about 1.6 KB each, at 30 ms, 0.148 % loss and 4.95 Mbit/s.',
  arms: {
    h1c: { called: 'HTTP/1.1 in the clear', protocol: 'h1c' },
    h1: { called: 'HTTPS/1.1', protocol: 'h1' },
    h2: { called: 'SPDY or HTTP/2', protocol: 'h2' },
  },
  margin: 0.03,
  claims: [
    {
      id: 'ahead-at-50',
      says: 'At 50 tabs SPDY or HTTP/2 is always ahead.',
      where: TABLES,
      published: 'always ahead',
      question: {
        where: [AT_50],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: MULTIPLEXED, range: { below: 1 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'mixed-at-500',
      says: 'At 500 tabs it is mixed: SPDY or HTTP/2 is not always ahead.',
      where: TABLES,
      published: 'not always ahead',
      reads: 'with at least one server it is not ahead of HTTP/1.1 of both kinds',
      question: {
        where: [AT_500],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: MULTIPLEXED, range: { below: 1 } },
        holdsIn: 'not each',
      },
    },
    {
      id: 'fewer-connections',
      says: 'SPDY or HTTP/2 always uses fewer connections.',
      where: TABLES,
      published: '5 against 30 to 61',
      reads: 'in whatever number of tabs was measured',
      question: {
        where: [AT_ANY],
        asks: { kind: 'ratio', figure: 'connections', pairs: MULTIPLEXED, range: { below: 1 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'fewer-bytes',
      says: 'SPDY or HTTP/2 always uses fewer bytes.',
      where: TABLES,
      published: 'always fewer',
      reads: 'in whatever number of tabs was measured',
      question: {
        where: [AT_ANY],
        asks: { kind: 'ratio', figure: 'bytes', pairs: MULTIPLEXED, range: { below: 1 } },
        holdsIn: 'each',
      },
    },
  ],
  tables: [
    {
      title: 'The crowd, server by server',
      where: TABLES,
      labels: ['server', 'protocol', 'tabs'],
      columns: [
        { figure: 'connections', title: 'connections', unit: 1, decimals: 0 },
        { figure: 'pltMs', title: 'seconds', unit: 1000, decimals: 2 },
        { figure: 'bytes', title: 'megabytes', unit: 1e6, decimals: 1 },
      ],
      rows: PRINTED.map(([server, arm, called, tabs, ...figures]): PublishedRow => {
        const place = { site: 'flags-254', rateKbps: 4_950, rttMs: 30, lossPercent: 0.148 };
        return { labels: [server, called, `${tabs}`], place: { ...place, server, tabs: tabs / CLIENTS }, arm, figures };
      }),
    },
  ],
  notes: [
    'Table 5 of the paper prints nginx’s SPDY at 50 tabs as 10.55 s, table 2 as 10.05; HTTP/2 of IIS at 50 tabs as 8.63 and 8.6.',
    'SPDY is gone from every browser and server; HTTP/2 stands for it. G-WAN and IIS do not run here: a server that exists already can be measured by its address.',
  ],
};
