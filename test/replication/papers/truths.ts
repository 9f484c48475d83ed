import type { LoadFigures } from '../../../harness/model/measurement.ts';
import type { PaperName, PaperPlace } from '../../../harness/model/paper.ts';
import type { Truth } from './synthetic.ts';

/** What would be true if all that a paper claims were so, and if all of it were the other way round. */
export interface Truths {
  readonly so: Truth;
  readonly reversed: Truth;
}

type Times = Readonly<Record<string, number>>;

const timed =
  (timesOf: (place: PaperPlace) => Times): Truth =>
  (place, arm) => ({ pltMs: timesOf(place)[arm]! });

function kramerSo({ site, rateKbps, rttMs, lossPercent }: PaperPlace): Times {
  const isLossy = lossPercent === 2;
  if (site === 'many-large' && rateKbps === 50_000) {
    // Here HTTP/1.1 is the fastest with loss, and QUIC slow without.
    return isLossy ? { h1: 2000, h2: 4000, h3: 4200 } : { h1: 1000, h2: 1000, h3: 3500 };
  }
  if (site === 'many-small' && rateKbps === 2_000 && rttMs === 218)
    return isLossy ? { h1: 2000, h2: 1800, h3: 1200 } : { h1: 1000, h2: 900, h3: 600 };
  if (rttMs === 18) return isLossy ? { h1: 2000, h2: 3000, h3: 1200 } : { h1: 1000, h2: 1000, h3: 1000 };
  const h3 = { 2000: 600, 10000: 650, 50000: 750 }[rateKbps!]!;
  return isLossy ? { h1: 2000, h2: 2300, h3: 1.2 * h3 } : { h1: 1000, h2: 950, h3 };
}

function kramerReversed({ site, rateKbps, rttMs, lossPercent }: PaperPlace): Times {
  const isLossy = lossPercent === 2;
  if (site === 'many-large' && rateKbps === 50_000)
    return isLossy ? { h1: 900, h2: 400, h3: 700 } : { h1: 1000, h2: 1000, h3: 400 };
  if (rttMs === 18) return isLossy ? { h1: 2000, h2: 1500, h3: 6000 } : { h1: 1000, h2: 1300, h3: 1700 };
  const h3 = { 2000: 3000, 10000: 2000, 50000: 1700 }[rateKbps!]!;
  return isLossy ? { h1: 2000, h2: 2300, h3: 3 * h3 } : { h1: 1000, h2: 1300, h3 };
}

/** The requests and megabytes of each page. */
const PAGES: Readonly<Record<string, readonly [requests: number, megabytes: number]>> = {
  'game-of-thrones': [39, 3],
  'eforlad-travel': [56, 2],
  'global-master': [19, 1],
};

function valle(isSo: boolean): Truth {
  return ({ site, lossPercent = 0, rateKbps }, arm) => {
    const scenario2 = rateKbps === 1_000;
    if (lossPercent > 4) return arm === (isSo ? 'h2' : 'h3') ? 'failed' : { pltMs: 90_000, uploadMs: 89_000 };
    // The second scenario's photo, over QUIC.
    const jpg = site === 'upload-jpg-5mb' && arm === 'h3' ? (isSo ? 1.4 : 0.3) : 1;
    const isFaster = arm === (scenario2 === isSo ? 'h2' : 'h3');
    return { pltMs: 1, uploadMs: (isFaster ? 50_000 : 60_000) * jpg };
  };
}

function goncalves(isSo: boolean): Truth {
  const less = isSo ? 0.7 : 1.4;
  return ({ tabs }, arm) => {
    if (arm !== 'h2') return { pltMs: 12_000, connections: 30, bytesDown: 7e6, bytesUp: 1e5 };
    return {
      pltMs: 12_000 * (tabs === 10 ? less : 1 / less),
      connections: 30 * less,
      bytesDown: 7e6 * less,
      bytesUp: 1e5,
    };
  };
}

function oliveira(isSo: boolean): Truth {
  const [more, less] = isSo ? [1.05, 0.5] : [0.5, 2];
  return ({ rttMs, lossPercent, rateKbps }, arm): Partial<LoadFigures> => {
    const isQuic = arm.startsWith('quic');
    const isHigh = rttMs === 100 && lossPercent === 5;
    const bbr = arm.startsWith('quic-bbr') ? (isSo ? 1.04 : 0.6) : 1;
    const pltMs = 1000 * (isQuic ? (isHigh ? less : more) : 1) * bbr;
    const grows = isSo ? 1 : (rateKbps === 100_000 ? 2 : 1) * (rttMs === 100 ? 2 : 1) * (lossPercent === 5 ? 2 : 1);
    const overhead = isQuic ? 0.8 * grows : isSo ? 0.5 : 10;
    const bytesReceived = 1e6 * (1 + overhead);
    return {
      pltMs,
      bytesReceived,
      payloadBytes: 1e6,
      // The rate on the wire is as much higher as the load is sooner done.
      lastByteMs: (bytesReceived * pltMs) / 1e6,
      fairness: isQuic === isSo ? 0.97 : 0.9,
    };
  };
}

export const TRUTHS: Readonly<Record<PaperName, Truths>> = {
  kramer2015: { so: timed(kramerSo), reversed: timed(kramerReversed) },
  dncs2020: {
    so: timed(({ site }) => {
      const [requests] = PAGES[site!]!;
      return { h1: 10 * requests, h2: 12 * requests, h3: 13 * requests };
    }),
    reversed: timed(({ site }) => {
      const [, megabytes] = PAGES[site!]!;
      return { h1: 400 * megabytes, h2: 300 * megabytes, h3: 310 * megabytes };
    }),
  },
  valle2023: { so: valle(true), reversed: valle(false) },
  goncalves2015: { so: goncalves(true), reversed: goncalves(false) },
  oliveira2020: { so: oliveira(true), reversed: oliveira(false) },
};
