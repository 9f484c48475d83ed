import type { Paper, PaperClaim, PaperPlace, PaperPlaces, PublishedRow, PublishedTable } from '../../model/paper.ts';

/** The link and the files of each scenario. */
const SCENARIOS = {
  1: { link: { rateKbps: 500, rttMs: 0, lossPercent: 0 }, megabytes: 3 },
  2: { link: { rateKbps: 1_000, rttMs: 20, lossPercent: 0 }, megabytes: 5 },
  3: { link: { rateKbps: 4_000, rttMs: 30, lossPercent: 4 }, megabytes: 8 },
} as const;

type Scenario = keyof typeof SCENARIOS;

const FILES = ['jpg', 'mp4', 'txt'] as const;

function siteOf(scenario: Scenario, file: (typeof FILES)[number]): string {
  return `upload-${file}-${SCENARIOS[scenario].megabytes}mb`;
}

/** The places of a scenario, whatever the server. */
function placesOf(scenario: Scenario, files: readonly (typeof FILES)[number][] = FILES): PaperPlaces {
  const { link } = SCENARIOS[scenario];
  return {
    site: files.map((file) => siteOf(scenario, file)),
    rateKbps: [link.rateKbps],
    rttMs: [link.rttMs],
    lossPercent: [link.lossPercent],
  };
}

/** Scenario, server, arm, file, RTT, packets, seconds, kilobytes. */
const PRINTED = [
  [1, 'openlitespeed', 'h3', 'jpg', 0.0055, 5385, 82.01, 4833],
  [1, 'openlitespeed', 'h3', 'mp4', 0.0054, 5510, 74.27, 4988],
  [1, 'openlitespeed', 'h3', 'txt', 0.0041, 5177, 70.82, 4640],
  [1, 'hostinger', 'h3', 'jpg', 0.0005, 5494, 80.12, 4873],
  [1, 'hostinger', 'h3', 'mp4', 0.0097, 5716, 74.97, 5121],
  [1, 'hostinger', 'h3', 'txt', 0.0006, 5458, 79.55, 4793],
  [1, 'nginx', 'h3', 'jpg', 0.0042, 6152, 83.56, 4901],
  [1, 'nginx', 'h3', 'mp4', 0.0025, 6586, 76.65, 5255],
  [1, 'nginx', 'h3', 'txt', 0.0036, 6103, 82.65, 4896],
  [1, 'openlitespeed', 'h2', 'jpg', 0.06, 4580, 76.53, 4324],
  [1, 'openlitespeed', 'h2', 'mp4', 0.08, 4848, 71.1, 4331],
  [1, 'openlitespeed', 'h2', 'txt', 0.0793, 4941, 72.4, 4444],
  [1, 'hostinger', 'h2', 'jpg', 0.1066, 5188, 75.58, 4428],
  [1, 'hostinger', 'h2', 'mp4', 0.1151, 4961, 81.08, 4317],
  [1, 'hostinger', 'h2', 'txt', 0.1129, 6677, 101.02, 6018],
  [1, 'nginx', 'h2', 'jpg', 0.0873, 6808, 91.8, 5672],
  [1, 'nginx', 'h2', 'mp4', 0.0849, 6941, 93.4, 5731],
  [1, 'nginx', 'h2', 'txt', 0.0798, 6266, 87.02, 5107],
  [2, 'openlitespeed', 'h3', 'jpg', 0.0134, 7656, 74.41, 6981],
  [2, 'openlitespeed', 'h3', 'mp4', 0.0001, 7770, 55.85, 7083],
  [2, 'openlitespeed', 'h3', 'txt', 0.0003, 8063, 55.74, 7394],
  [2, 'hostinger', 'h3', 'jpg', 0.0001, 7662, 56.78, 6938],
  [2, 'hostinger', 'h3', 'mp4', 0.0055, 7777, 64.28, 7059],
  [2, 'hostinger', 'h3', 'txt', 0.0021, 7876, 57.77, 7154],
  [2, 'nginx', 'h3', 'jpg', 0.0145, 7675, 78.62, 6992],
  [2, 'nginx', 'h3', 'mp4', 0.0042, 7798, 62.56, 7156],
  [2, 'nginx', 'h3', 'txt', 0.0005, 7956, 58.56, 7056],
  [2, 'openlitespeed', 'h2', 'jpg', 0.0916, 6835, 70.27, 6286],
  [2, 'openlitespeed', 'h2', 'mp4', 0.0903, 6998, 53.95, 6444],
  [2, 'openlitespeed', 'h2', 'txt', 0.0948, 6947, 54.9, 6467],
  [2, 'hostinger', 'h2', 'jpg', 0.1083, 7327, 55.12, 6758],
  [2, 'hostinger', 'h2', 'mp4', 0.1074, 7020, 55.24, 6491],
  [2, 'hostinger', 'h2', 'txt', 0.1028, 7860, 54.57, 6927],
  [2, 'nginx', 'h2', 'jpg', 0.0828, 8215, 60.6, 7228],
  [2, 'nginx', 'h2', 'mp4', 0.0957, 8053, 61.82, 7189],
  [2, 'nginx', 'h2', 'txt', 0.0365, 7841, 61.12, 7246],
  [3, 'openlitespeed', 'h3', 'jpg', 0.0, 10449, 78.5, 9273],
  [3, 'openlitespeed', 'h3', 'mp4', 0.0, 10397, 64.54, 9278],
  [3, 'openlitespeed', 'h3', 'txt', 0.0, 10339, 60.21, 9253],
  [3, 'hostinger', 'h3', 'jpg', 0.0039, 10638, 79.34, 9299],
  [3, 'hostinger', 'h3', 'mp4', 0.0, 10675, 79.05, 9311],
  [3, 'hostinger', 'h3', 'txt', 0.0, 10688, 78.06, 9338],
  [3, 'openlitespeed', 'h2', 'jpg', 0.0016, 9361, 128.69, 9130],
  [3, 'openlitespeed', 'h2', 'mp4', 0.0012, 9409, 114.25, 9154],
  [3, 'openlitespeed', 'h2', 'txt', 0.0016, 9254, 89.62, 9129],
  [3, 'hostinger', 'h2', 'jpg', 0.0045, 9162, 128.5, 9140],
  [3, 'hostinger', 'h2', 'mp4', 0.0665, 10990, 212.85, 10],
  [3, 'hostinger', 'h2', 'txt', 0.0881, 10958, 228.78, 10],
] as const;

function tableOf(scenario: Scenario, where: string): PublishedTable {
  return {
    title: `Scenario ${scenario}: files of ${SCENARIOS[scenario].megabytes} MB`,
    where,
    labels: ['server', 'protocol', 'file'],
    columns: [
      { figure: 'uploadMs', title: 'seconds', unit: 1000, decimals: 2 },
      { figure: 'packets', title: 'packets', unit: 1, decimals: 0 },
      { figure: 'bytes', title: 'kilobytes', unit: 1000, decimals: 0 },
      { figure: 'loadedRttMs', title: 'RTT, ms', unit: 1, decimals: 4 },
    ],
    rows: PRINTED.filter(([of]) => of === scenario).map(
      ([, server, arm, file, rttMs, packets, seconds, kilobytes]): PublishedRow => {
        const place: PaperPlace = { site: siteOf(scenario, file), ...SCENARIOS[scenario].link, server };
        const labels = [server, arm === 'h2' ? 'HTTP/2' : 'QUIC', file];
        return { labels, place, arm, figures: [seconds, packets, kilobytes, rttMs] };
      },
    ),
  };
}

function sumClaim(
  scenario: Scenario,
  claim: Pick<PaperClaim, 'says' | 'published' | 'where'>,
  faster: 'h2' | 'h3',
): PaperClaim {
  return {
    id: `scenario-${scenario}`,
    ...claim,
    reads: 'from whatever servers were measured',
    question: {
      where: [placesOf(scenario)],
      asks: { kind: 'sum', figure: 'uploadMs', of: faster, to: faster === 'h2' ? 'h3' : 'h2', range: { below: 1 } },
      holdsIn: 'each',
    },
  };
}

export const valle2023: Paper = {
  name: 'valle2023',
  short: 'Valle 2023',
  citation:
    'J. Valle, R. Torres, L. Enciso, P. Ludeña. Comparación del rendimiento en la transferencia de tráfico en servidores HTTP/2 y QUIC. Revista Tecnológica ESPOL 35(3), 68-82, 2023',
  task: 'Upload one file from the browser through a form to each server, over HTTP/2 and over QUIC; capture packets; report RTT, packets, seconds, weight.',
  arms: { h2: { called: 'HTTP/2', protocol: 'h2' }, h3: { called: 'QUIC', protocol: 'h3' } },
  margin: 0.03,
  claims: [
    sumClaim(
      1,
      {
        says: 'At 500 kbit/s, summed over all servers and files, QUIC takes less time: 704.64 s against 749.97 s.',
        where: 'the text, scenario 1',
        published: '704.64 s against 749.97 s: 6 % less',
      },
      'h3',
    ),
    sumClaim(
      2,
      { says: 'At 1 Mbit/s and 10 ms HTTP/2 is faster.', where: 'the text, scenario 2', published: 'HTTP/2 faster' },
      'h2',
    ),
    {
      id: 'slowest-jpg',
      says: 'At 1 Mbit/s and 10 ms the JPG over QUIC is the slowest.',
      where: 'the text, scenario 2',
      published: 'the slowest',
      reads: 'with most servers',
      question: {
        where: [placesOf(2, ['jpg'])],
        asks: {
          kind: 'ratio',
          figure: 'uploadMs',
          range: { above: 1 },
          pairs: [
            {
              of: { arm: 'h3' },
              to: [
                { arm: 'h2' },
                ...(['mp4', 'txt'] as const).flatMap((file) =>
                  (['h2', 'h3'] as const).map((arm) => ({ arm, at: { site: siteOf(2, file) } })),
                ),
              ],
            },
          ],
        },
        holdsIn: { moreThan: 0.5 },
      },
    },
    {
      ...sumClaim(
        3,
        {
          says: 'At 4 Mbit/s, 15 ms and 4 % loss QUIC wins: summed 439.72 s against 696.99 s.',
          where: 'the text, scenario 3; table 9',
          published: '439.72 s against 696.99 s: 37 % less',
        },
        'h3',
      ),
      notes: [
        'The text prints 696.99 s for HTTP/2; the rows of table 9 sum to 902.69 s, which would be 51 % less. For QUIC they sum to 439.70 s.',
      ],
    },
    {
      id: 'point-of-failure',
      says: 'Above 4 % loss uploads over HTTP/2 no longer complete, while over QUIC they do at the first try.',
      where: 'the text',
      published: 'HTTP/2 fails, QUIC completes',
      reads:
        'a text of 8 MB at 4 Mbit/s and 20 ms one way; above 4 %: 6, 8, 10 and 12 %; completes: more often than not',
      question: {
        where: [{ site: [siteOf(3, 'txt')], rateKbps: [4_000], rttMs: [40], lossPercent: [6, 8, 10, 12] }],
        asks: { kind: 'completes', arm: 'h3', other: 'h2' },
        holdsIn: 'each',
      },
      notes: [
        'The paper tells of errors over HTTP/2 at over 6 % loss with over 15 ms on nginx and hostinger, and of QUIC completing on openlitespeed and hostinger.',
      ],
    },
  ],
  tables: [tableOf(1, 'scenario 1'), tableOf(2, 'scenario 2'), tableOf(3, 'table 9, scenario 3')],
  notes: [
    'A latency of 10 or 15 ms is taken for that of each way, so that the round trip is 20 or 30 ms: the paper does not tell.',
    'Table 9 repeats 5 in its size column although scenario 3 uploads the 8 MB files of table 6.',
    'Two rows of table 9 (hostinger, HTTP/2, MP4 and TXT) print a weight of 10, surely megabytes; they stand as printed.',
    'Round-trip times stand as printed: most are below the delay that the link itself was given, so they can hardly be milliseconds.',
    'The rows of scenario 1 sum to 704.60 and 749.93 s, where the text prints 704.64 and 749.97.',
    'Of the paper’s servers nginx runs here, which scenario 3 has no rows of, and OpenLiteSpeed where it is installed; HAProxy is none of them.',
    'Our round trips are those of probes, five a second, that wait in the same queues as the upload.',
    'File sizes are bytes; the paper heads their column Kb. Our kilobytes are what the wire carried, of both directions.',
  ],
};
