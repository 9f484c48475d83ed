import { describe, expect, test } from '@jest/globals';
import { judgeLink, linkHolds } from '../../harness/calibration/calibration.ts';
import type { DirectionFigures, LinkFigures } from '../../harness/model/calibration.ts';
import { median } from '../../harness/stats/order.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { linkOf } from '../links.ts';

const direction: DirectionFigures = {
  udpKbps: 10_000,
  tcpKbps: 9564,
  lossPercent: 0,
  lossProbes: 1000,
  lost: 0,
  queuePackets: 34,
  reorderedPercent: 0,
  duplicatedPercent: 0,
};
const figures: LinkFigures = {
  rttMs: 40.2,
  rttMeanMs: 40.3,
  rttP99Ms: 41,
  rttProbes: 60,
  directions: { down: direction, up: direction },
  longestFrameBytes: 1514,
};
const asked = linkOf('rate=10mbit,rtt=40ms');
const changed = (down: Partial<DirectionFigures>, others: Partial<LinkFigures> = {}): LinkFigures => ({
  ...figures,
  ...others,
  directions: { down: { ...direction, ...down }, up: direction },
});

function without(figure: keyof DirectionFigures): LinkFigures {
  const { [figure]: _, ...down } = direction;
  return { ...figures, directions: { down: down as DirectionFigures, up: direction } };
}

test('a link that is what was asked holds', () => {
  expect(linkHolds(judgeLink(asked, figures))).toBe(true);
});

describe('a link does not hold, and the figure is named,', () => {
  test.each([
    ['RTT 0.6 ms too long', changed({}, { rttMs: 40.6 }), 'rtt'],
    ['RTT 0.6 ms too short', changed({}, { rttMs: 39.4 }), 'rtt'],
    ['no probe came back', changed({}, { rttMs: Number.NaN }), 'rtt'],
    ['UDP 1.1 % short', changed({ udpKbps: 9890 }), 'down udp'],
    ['TCP 1.1 % short', changed({ tcpKbps: 9458 }), 'down tcp'],
    ['queue two short', changed({ queuePackets: 32 }), 'down queue'],
    ['queue two long', changed({ queuePackets: 36 }), 'down queue'],
    ['no packet was ever refused', without('queuePackets'), 'down queue'],
    ['no datagram came through', without('udpKbps'), 'down udp'],
    ['TCP never connected', without('tcpKbps'), 'down tcp'],
    ['one packet lost where none may be', changed({ lossPercent: 0.1, lost: 1 }), 'down loss'],
    ['a frame that an offload made', changed({}, { longestFrameBytes: 2962 }), 'longest frame'],
  ])('%s', (_, seen, figure) => {
    expect(
      judgeLink(asked, seen)
        .filter((check) => !check.ok)
        .map((check) => check.figure),
    ).toEqual([figure]);
  });
});

test.each([
  ['loss=2%', 2, true],
  ['loss=2%', 0.6, false],
  ['loss=2%', 3.8, false],
  ['loss=0.148%', 0.7, true],
  ['loss=0.148%', 0.8, false],
  ['burst=2%:5', 4.5, true],
  ['burst=2%:5', 8, false],
])('%s: %d %% of 1000 lost is within: %s', (spec, lossPercent, ok) => {
  const lossy = linkOf(`rate=10mbit,rtt=40ms,${spec}`);
  const { queuePackets, ...noQueue } = direction;
  const seen = {
    ...figures,
    directions: {
      down: { ...noQueue, lossPercent, lost: lossPercent * 10 },
      up: { ...noQueue, lossPercent: 2, lost: 20 },
    },
  };
  expect(judgeLink(lossy, seen).find((check) => check.figure === 'down loss')!.ok).toBe(ok);
});

test.each([
  [5, true],
  [8, true],
  [1, false],
  [12, false],
])('of bursts of 5 packets, such of %d hold: %s', (meanBurstPackets, ok) => {
  const bursty = linkOf('rate=10mbit,rtt=40ms,burst=2%:5');
  const seen = changed({ lossPercent: 2, lost: 20 * 5, lossProbes: 5_000, meanBurstPackets });
  expect(judgeLink(bursty, seen).filter(({ figure }) => figure === 'down burst')).toMatchObject([{ ok }]);
});

test('TCP over a lossy link may be as slow as it is, but not faster than the link, and the table says why', () => {
  const lossy = linkOf('rate=10mbit,rtt=40ms,loss=2%');
  const check = judgeLink(lossy, changed({ tcpKbps: 1200 })).find((each) => each.figure === 'down tcp')!;
  expect(check).toMatchObject({ ok: true, measured: 1200, why: expect.stringContaining('does not fill') });
  expect(check.within![0]).toBe(0);
});

test('a long RTT may be 1 % off', () => {
  const long = linkOf('rate=10mbit,rtt=400ms,queue=34');
  expect(linkHolds(judgeLink(long, changed({}, { rttMs: 403.9 })))).toBe(true);
  expect(linkHolds(judgeLink(long, changed({}, { rttMs: 404.1 })))).toBe(false);
});

describe('an RTT with jitter is judged by what netem’s table is:', () => {
  const random = seededRandom(5);
  const draws = {
    uniform: () => 2 * random() - 1,
    normal: () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()),
    // iproute2's pareto.c makes its table like this: a = 3, cut off at four.
    pareto: () => Math.min(4, (4 / 3) * (random() ** (-1 / 3) - 1.5)),
  };
  /** The share of links of this kind that pass when each is expected to be `offMs` off. */
  const held = (spec: string, draw: () => number, offMs: number) => {
    const jittered = linkOf(`rate=10mbit,rtt=80ms,${spec}`);
    const rtts = Array.from(
      { length: 600 },
      () => 80 + offMs + jittered.down.jitterMs * draw() + jittered.up.jitterMs * draw(),
    );
    const rttMeanMs = rtts.reduce((sum, ms) => sum + ms, 0) / rtts.length;
    const seen = { ...figures, rttMs: median(rtts), rttMeanMs, rttProbes: rtts.length };
    return judgeLink(jittered, seen).find((check) => check.figure === 'rtt')!.ok;
  };
  const TRIALS = Array.from({ length: 300 });

  test.each(Object.keys(draws) as (keyof typeof draws)[])('%s', (distribution) => {
    const spec = `jitter=10ms,distribution=${distribution}`;
    expect(TRIALS.filter(() => held(spec, draws[distribution], 0)).length).toBeGreaterThan(295);
    expect(TRIALS.filter(() => held(spec, draws[distribution], 8)).length).toBe(0);
    expect(TRIALS.filter(() => held(spec, draws[distribution], -8)).length).toBe(0);
  });

  test('one direction alone, too', () => {
    const spec = 'down.jitter=10ms,down.distribution=pareto';
    expect(TRIALS.filter(() => held(spec, draws.pareto, 0)).length).toBeGreaterThan(295);
  });
});
