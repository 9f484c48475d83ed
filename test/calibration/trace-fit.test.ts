import { describe, expect, test } from '@jest/globals';
import { judgeLink } from '../../harness/calibration/calibration.ts';
import { fitTrace } from '../../harness/calibration/trace-fit.ts';
import type { Trace } from '../../harness/model/link.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { NAMED_TRACES } from '../../harness/study/trace.ts';
import { linkOf } from '../links.ts';

const trace = NAMED_TRACES['train-down']!();
const PERIOD_MS = trace.deliveriesMs.at(-1)!;
const WATCH_MS = 7_000;

/** When the frames come that a link with this trace lets through, watched from a phase on; none is on time. */
function watch({ deliveriesMs }: Trace, phaseMs: number, random = seededRandom(1)): number[] {
  const twice = [...deliveriesMs, ...deliveriesMs.map((ms) => ms + PERIOD_MS)];
  return twice
    .filter((ms) => ms > phaseMs && ms <= phaseMs + WATCH_MS)
    .map((ms) => 1e12 + ms + 4 * random())
    .sort((a, b) => a - b);
}

/** The checks of a train's downward direction that do not hold. */
function refused(arrivalsMs: readonly number[]): string[] {
  const nothing = { lossPercent: 0, lossProbes: 200, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 };
  const directions = { down: { ...nothing, ...fitTrace(trace, arrivalsMs) }, up: nothing };
  const figures = { rttMs: 70, rttMeanMs: 70, rttP99Ms: 71, rttProbes: 60, directions, longestFrameBytes: 1514 };
  const checks = judgeLink(linkOf('train'), figures);
  return checks.flatMap(({ ok, figure }) => (!ok && figure.startsWith('down') ? [figure] : []));
}

describe('deliveries that follow a trace are recognised from any phase on', () => {
  test.each([0, 1, 2_999, 6_900, 13_500, 19_999])('%d ms', (phaseMs) => {
    const arrivalsMs = watch(trace, phaseMs);
    expect(fitTrace(trace, arrivalsMs).trace!.strayPercent).toBeLessThan(3);
    expect(refused(arrivalsMs)).toEqual([]);
  });
});

const share = (keep: (index: number) => boolean): Trace => ({
  ...trace,
  deliveriesMs: trace.deliveriesMs.filter((_, index) => keep(index)),
});
const MEAN_GAP_MS = PERIOD_MS / trace.deliveriesMs.length;

describe('what follows another trace is not taken for it, from any phase on:', () => {
  test.each<[string, Trace]>([
    ['one backwards', { ...trace, deliveriesMs: trace.deliveriesMs.map((ms) => PERIOD_MS - ms).reverse() }],
    ['one that is a twelfth slower', share((index) => index % 12 !== 0)],
    ['one at a quarter of the rate', NAMED_TRACES['train-up']!()],
    [
      'its mean rate all the time',
      { ...trace, deliveriesMs: trace.deliveriesMs.map((_, index) => Math.round((index + 1) * MEAN_GAP_MS)) },
    ],
    [
      'one whose clock runs ten percent fast',
      { ...trace, deliveriesMs: trace.deliveriesMs.map((ms) => Math.round(ms / 1.1)) },
    ],
  ])('%s', (_, other) => {
    for (const phaseMs of [0, 3_000, 9_000, 14_000]) expect(refused(watch(other, phaseMs))).not.toEqual([]);
  });
});

test('where nothing came there is nothing to compare, and the check has failed', () => {
  expect(fitTrace(trace, [])).toEqual({});
  expect(refused([])).toEqual(['down udp', 'down stray']);
});

test('a trace that is shorter than the watch is compared over several of its rounds', () => {
  const short = { name: 'short', deliveriesMs: Array.from({ length: 300 }, (_, index) => index + 1) };
  const arrivalsMs = Array.from({ length: 2_000 }, (_, index) => index);
  const { udpKbps, trace: fitted } = fitTrace(short, arrivalsMs);
  expect(udpKbps).toBeCloseTo(12_112, 0);
  expect(fitted).toEqual({ kbps: udpKbps, strayPercent: 0 });
});
