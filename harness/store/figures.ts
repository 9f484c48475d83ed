import type { LoadFigures } from '../model/measurement.ts';

/** How a figure of a load is kept and told. */
export interface Figure {
  /** A `count` is whole, a `flag` is true or false. */
  readonly kind: 'number' | 'count' | 'flag';
  readonly unit?: Unit | undefined;
  /** A load may lack it. */
  readonly optional?: true;
  /** The version of the schema from which on a load may lack it, where it was required in the first. */
  readonly requiredBefore?: number;
  /** The version of the schema that it came with; absent: the first. */
  readonly since?: number;
  readonly says: string;
}

type Unit = 'ms' | 'kbit/s' | '%' | 'bytes' | 'packets';

type Name = keyof LoadFigures;

/** No figure of a load can be left out here, or be said to be there where it may be absent. */
type FigureList = {
  readonly [Key in Name]-?: Figure & {
    readonly kind: Required<LoadFigures>[Key] extends boolean ? 'flag' : 'number' | 'count';
  } & (Partial<Pick<LoadFigures, Key>> extends Pick<LoadFigures, Key>
      ? { readonly optional: true }
      : { readonly optional?: never });
};

const LIST: FigureList = {
  pltMs: { kind: 'number', unit: 'ms', says: 'Page load time: from navigation to the end of the load event.' },
  ttfbMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    says: "From navigation to the first byte of the page's own response.",
  },
  domContentLoadedMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    says: 'From navigation to the end of DOMContentLoaded.',
  },
  fcpMs: { kind: 'number', unit: 'ms', optional: true, says: 'First contentful paint, where anything was painted.' },
  lcpMs: { kind: 'number', unit: 'ms', optional: true, says: 'Largest contentful paint up to the end of the load.' },
  cls: { kind: 'number', optional: true, says: 'Cumulative layout shift: the worst session window.' },
  lastByteMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    says: 'From navigation to the last byte of the last object.',
  },
  quietMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    says: 'To the last byte before the network was quiet for half a second.',
  },
  doneMs: { kind: 'number', unit: 'ms', optional: true, says: 'When the page said that it was done, if it did.' },
  uploadMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    says: 'From the click to the answer, where a file was sent.',
  },
  loadedRttMs: { kind: 'number', unit: 'ms', optional: true, says: 'Median round trip of probes while it was sent.' },
  tabs: { kind: 'count', optional: true, says: "A crowd's tabs; its page load time is that of the last of them." },
  evenness: {
    kind: 'number',
    optional: true,
    since: 6,
    says: "Of a crowd: Jain's index of how quickly each client had all of its tabs.",
  },
  ownKbps: { kind: 'number', unit: 'kbit/s', optional: true, says: 'Of two transfers at once: the rate of the arm.' },
  besideKbps: { kind: 'number', unit: 'kbit/s', optional: true, says: 'The rate of what ran beside it.' },
  fairness: { kind: 'number', optional: true, says: "Jain's index of the two rates while both ran." },
  requests: { kind: 'count', says: 'Requests that went over the network.' },
  connections: { kind: 'count', says: 'Connections that the browser opened, whether it used them or not.' },
  usedConnections: { kind: 'count', optional: true, says: 'Connections that a request went over.' },
  peakInFlight: { kind: 'count', optional: true, says: 'The most requests under way at once.' },
  h3SharePercent: {
    kind: 'number',
    unit: '%',
    optional: true,
    since: 7,
    says: 'The share of requests that came by H3, of a page of which anything may.',
  },
  resumedConnections: { kind: 'count', says: 'Connections whose handshake took up an earlier session.' },
  earlyRequests: { kind: 'count', says: 'Requests that came before the handshake was done.' },
  packetsDown: { kind: 'count', unit: 'packets', says: "Frames that the server's interface let go." },
  packetsUp: { kind: 'count', unit: 'packets', says: "Frames that the browser's interface let go." },
  bytesDown: { kind: 'count', unit: 'bytes', says: "Bytes of the server's frames, without preamble and checksum." },
  bytesUp: { kind: 'count', unit: 'bytes', says: "Bytes of the browser's frames, without preamble and checksum." },
  bytesReceived: {
    kind: 'count',
    unit: 'bytes',
    optional: true,
    since: 2,
    says: "Those of the server's bytes that came to the browser's interface.",
  },
  lostDown: {
    kind: 'count',
    unit: 'packets',
    optional: true,
    since: 5,
    says: 'Frames towards the visitor that the link lost, or that its full queue dropped; too few where it duplicates.',
  },
  lostUp: {
    kind: 'count',
    unit: 'packets',
    optional: true,
    since: 5,
    says: 'Frames towards the server that the link lost, or that its full queue dropped; too few where it duplicates.',
  },
  payloadBytes: { kind: 'count', unit: 'bytes', says: 'Content of all responses, as the server sent it.' },
  overheadPercent: {
    kind: 'number',
    unit: '%',
    optional: true,
    requiredBefore: 4,
    says: 'Bytes on the wire, both ways, beyond the payload; nothing where there is no payload.',
  },
  throughputKbps: { kind: 'number', unit: 'kbit/s', says: 'Payload over the time to the last byte.' },
  undigestedObjects: {
    kind: 'count',
    optional: true,
    says: 'Of a watched load: required objects of which only the length is known.',
  },
  retransmittedSegments: { kind: 'count', optional: true, says: "Segments that TCP sent again; none in QUIC's arms." },
  slowStartPackets: {
    kind: 'count',
    unit: 'packets',
    optional: true,
    since: 9,
    says: "What TCP's windows held together when rising delay had ended the slow start of all connections (HyStart).",
  },
  strayPackets: { kind: 'count', unit: 'packets', says: "Packets at the browser's end that were not the page's." },
  hostDrops: { kind: 'count', optional: true, says: "Datagrams that the lab's hosts lost, not the link." },
  coreBusyShare: {
    kind: 'number',
    says: "The share of the load during which the busiest core was busy, or the browser's busiest thread.",
  },
  cpuBound: { kind: 'flag', says: 'Whether that core was saturated, so that it decided the time.' },
  coreWaitMs: {
    kind: 'number',
    unit: 'ms',
    optional: true,
    since: 6,
    says: "How long the browser's threads waited for a core, all together.",
  },
  cpuSlowdown: {
    kind: 'number',
    optional: true,
    since: 6,
    says: 'By how much slower than this machine a telephone was seen to compute.',
  },
  stolenShare: {
    kind: 'number',
    optional: true,
    since: 3,
    says: "The share of all cores' time that this machine's host gave to others.",
  },
  launch: { kind: 'count', says: 'Which launch of the browsers it was, from 1 on in its study.' },
  overheadMs: { kind: 'number', unit: 'ms', says: 'What the trial took beyond the page load.' },
};

/** The figures of a load, in the order in which they are shown: the store's columns, and those of an export. */
export const FIGURES = Object.entries(LIST) as readonly (readonly [name: Name, figure: Figure])[];
