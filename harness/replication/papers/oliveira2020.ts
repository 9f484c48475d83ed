import type { Paper, PaperArm, PaperClaim, PaperPlaces } from '../../model/paper.ts';

const SITES = ['single-2mb', 'single-32mb'];
const RATES = [5_000, 40_000, 100_000];
const RTTS = [10, 50, 100];
const LOSSES = [0, 1, 5];
const ALL: PaperPlaces = { site: SITES, rateKbps: RATES, rttMs: RTTS, lossPercent: LOSSES };
/** The largest delay with the largest loss, and all the rest. */
const BOTH_HIGH: PaperPlaces = { ...ALL, rttMs: [100], lossPercent: [5] };
const ELSEWHERE: readonly PaperPlaces[] = [
  { ...ALL, rttMs: [10, 50] },
  { ...ALL, rttMs: [100], lossPercent: [0, 1] },
];

const CONTROLS = ['cubic', 'bbr'] as const;
/** QUIC against TCP, with the same congestion control on either. */
const QUIC_TO_TCP = CONTROLS.map((control) => ({
  of: { arm: `quic-${control}` },
  to: [{ arm: `tcp-${control}` }],
}));
const TCP_TO_QUIC = QUIC_TO_TCP.map(({ of, to }) => ({ of: to[0]!, to: [of] }));
/** Two of a kind at once. Which of them is Cubic and which is BBR is all the same to how fair they are. */
const TOGETHER = (
  [
    ['cubic', 'cubic'],
    ['cubic', 'bbr'],
    ['bbr', 'bbr'],
  ] as const
).map(([own, beside]) => ({
  of: { arm: `quic-${own}+quic-${beside}` },
  to: [{ arm: `tcp-${own}+tcp-${beside}` }],
}));

const TRANSPORTS = { tcp: { called: 'TCP', protocol: 'h2' }, quic: { called: 'QUIC', protocol: 'h3' } } as const;
const CALLED = { cubic: 'Cubic', bbr: 'BBR' } as const;

function armsOf(): Readonly<Record<string, PaperArm>> {
  const singles = (['tcp', 'quic'] as const).flatMap((transport) =>
    CONTROLS.map((congestion) => {
      const { called, protocol } = TRANSPORTS[transport];
      return { name: `${transport}-${congestion}`, called: `${called} ${CALLED[congestion]}`, protocol, congestion };
    }),
  );
  const pairs = singles.flatMap((own) =>
    singles
      .filter(({ protocol }) => protocol === own.protocol)
      .map(({ name, called, protocol, congestion }) => ({
        ...own,
        name: `${own.name}+${name}`,
        called: `${own.called} beside ${called}`,
        beside: { protocol, congestion },
      })),
  );
  return Object.fromEntries([...singles, ...pairs].map(({ name, ...arm }) => [name, arm]));
}

const CHARTS = 'the text and its charts';

function constantOverhead(
  id: string,
  of: string,
  places: PaperPlaces,
  varying: { dimension: 'rateKbps' | 'rttMs' | 'lossPercent'; from: number; to: number },
): PaperClaim {
  return {
    id: `overhead-${id}`,
    says: `The overhead of QUIC does not depend on ${of}.`,
    where: CHARTS,
    published: 'does not depend',
    reads: 'it changes by less than a fifth between the ends of the range',
    question: {
      where: [places],
      asks: {
        kind: 'growth',
        figure: 'overheadDownPercent',
        arms: ['quic-cubic', 'quic-bbr'],
        range: { above: 0.8, below: 1 / 0.8 },
        ...varying,
      },
      holdsIn: 'each',
    },
  };
}

export const oliveira2020: Paper = {
  name: 'oliveira2020',
  short: 'Oliveira 2020',
  citation: 'A. T. de Oliveira Filho. Uma análise experimental de desempenho do protocolo QUIC. UFPE, 2020',
  task: 'Dumbbell testbed (2 servers, 2 routers, 2 clients; the bottleneck between the routers). One client downloads one file; then two clients download at once through the same bottleneck. Ten repetitions.',
  arms: armsOf(),
  margin: 0.03,
  claims: [
    {
      id: 'ahead-where-high',
      says: 'QUIC beats TCP in total time where delay and loss are both high.',
      where: CHARTS,
      published: 'QUIC ahead',
      reads: 'both high: 100 ms with 5 %',
      notes: [
        'It is asked of 2 MB too, of which the paper also says that there is little difference: here by however little.',
      ],
      question: {
        where: [BOTH_HIGH],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: QUIC_TO_TCP, range: { below: 1 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'only-there',
      says: 'QUIC beats TCP only where delay and loss are both high, nowhere else.',
      where: CHARTS,
      published: 'not ahead elsewhere',
      reads: 'elsewhere QUIC is nowhere ahead by 3 % or more',
      question: {
        where: ELSEWHERE,
        asks: { kind: 'ratio', figure: 'pltMs', pairs: QUIC_TO_TCP, range: { above: 0.97 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'tcp-throughput',
      says: 'With 100 Mbit/s, 10 ms and no loss TCP has the higher throughput.',
      where: CHARTS,
      published: 'TCP higher',
      question: {
        where: [{ site: SITES, rateKbps: [100_000], rttMs: [10], lossPercent: [0] }],
        asks: { kind: 'ratio', figure: 'wireDownKbps', pairs: TCP_TO_QUIC, range: { above: 1 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'overhead',
      says: 'The overhead of QUIC is larger in nearly every scenario.',
      where: CHARTS,
      published: 'larger',
      reads: 'nearly every: more than nine in ten',
      question: {
        where: [ALL],
        asks: { kind: 'ratio', figure: 'overheadDownPercent', pairs: QUIC_TO_TCP, range: { above: 1 } },
        holdsIn: { moreThan: 0.9 },
      },
    },
    constantOverhead(
      'rate',
      'the rate',
      { site: SITES, rttMs: RTTS, lossPercent: LOSSES },
      { dimension: 'rateKbps', from: 5_000, to: 100_000 },
    ),
    constantOverhead(
      'delay',
      'the delay',
      { site: SITES, rateKbps: RATES, lossPercent: LOSSES },
      { dimension: 'rttMs', from: 10, to: 100 },
    ),
    constantOverhead(
      'loss',
      'the loss',
      { site: SITES, rateKbps: RATES, rttMs: RTTS },
      { dimension: 'lossPercent', from: 0, to: 5 },
    ),
    {
      id: 'bbr-no-help',
      says: 'BBR does not help QUIC; it is slightly behind Cubic there.',
      where: CHARTS,
      published: 'slightly behind',
      reads: 'it is not ahead by 3 % or more, in most conditions',
      question: {
        where: [ALL],
        asks: {
          kind: 'ratio',
          figure: 'pltMs',
          range: { above: 0.97 },
          pairs: [{ of: { arm: 'quic-bbr' }, to: [{ arm: 'quic-cubic' }] }],
        },
        holdsIn: { moreThan: 0.5 },
      },
    },
    {
      id: 'fairer',
      says: 'QUIC shares the bottleneck more fairly than TCP in every scenario.',
      where: CHARTS,
      published: 'fairer',
      reads: 'Jain’s index while both transfers run',
      question: {
        where: [ALL],
        asks: { kind: 'ratio', figure: 'fairness', pairs: TOGETHER, range: { above: 1 } },
        holdsIn: 'each',
      },
    },
    {
      id: 'little-difference',
      says: 'Transfers of 2 MB show little difference.',
      where: CHARTS,
      published: 'little difference',
      reads: 'little: less than 10 %; in most conditions',
      question: {
        where: [{ ...ALL, site: ['single-2mb'] }],
        asks: { kind: 'ratio', figure: 'pltMs', pairs: QUIC_TO_TCP, range: { above: 0.9, below: 1 / 0.9 } },
        holdsIn: { moreThan: 0.5 },
      },
    },
  ],
  tables: [],
  notes: [
    'The paper prints its results as charts, not as numbers: directions are compared, not values.',
    'Its QUIC was Google’s (Q046) with HTTP/2 on it; HTTP/3 stands for it.',
    'Throughput and overhead are the paper’s: all bytes that came down the wire for each second until the last of them, and those beyond the file. Elsewhere in this report overhead is of what was sent, in both directions.',
    'The paper gave the bottleneck its delay on one way, 10, 50 or 100 ms; here each way has half of it, and the round trip is the same.',
    'Its queue was tbf’s, of a length that the paper does not say; here it holds one round trip at the link’s rate.',
    'Total time is from the navigation to a page whose script fetches the file, not from the transfer’s start: two round trips or three more for each.',
    'Behind both transports stands HAProxy, whose QUIC can be told its congestion control, with nginx behind it. Of Cubic beside BBR and BBR beside Cubic, which are the same, one is measured.',
  ],
};
