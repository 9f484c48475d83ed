import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Counters } from '../../harness/network/counters.ts';
import { settle } from '../../harness/run/settle.ts';
import { linkOf } from '../links.ts';

const link = linkOf('rtt=40ms');

/** A host with a given number of frames that have passed it by each look, counted from 1. */
function hostWith(framesAt: (look: number) => number) {
  let looks = 0;
  const frames = () => {
    looks += 1;
    return framesAt(looks);
  };
  return { counters: [{ frames } as Counters], looks: () => looks };
}

function holdUp(ms: number): void {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs; );
}

test('a load has settled once nothing has passed for a round trip and what this machine takes', async () => {
  const { counters } = hostWith((look) => Math.min(look, 10));
  const beganMs = performance.now();
  expect(await settle({ counters, link, beyondMs: 0 })).toBeUndefined();
  expect(performance.now() - beganMs).toBeGreaterThan(50 + 8 * 3);
});

test('while the machine is held up nothing passes, which is no silence', async () => {
  const { counters, looks } = hostWith((look) => {
    if (look === 3) holdUp(200);
    return look < 8 ? 1 : 2;
  });
  expect(await settle({ counters, link, beyondMs: 0 })).toBeUndefined();
  expect(looks()).toBeGreaterThan(8 + 50 / 6);
});

describe('on a clock of their own', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** What becomes of a load after which frames pass for a time, and the seconds until that is known. */
  async function settleAfter(wire: { text: string; trace?: string }, busyS: number) {
    const beganMs = performance.now();
    const frames = () => Math.min(performance.now() - beganMs, busyS * 1000);
    const around = { counters: [{ frames } as Counters], link: linkOf(wire.text, wire.trace), beyondMs: 0 };
    const settled = settle(around).then((broken) => [broken?.says, Math.round((performance.now() - beganMs) / 1000)]);
    await jest.advanceTimersByTimeAsync(300_000);
    return settled;
  }

  test('a load over a link with outages may take as long as they do, and a little more', async () => {
    const deliveries = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const outage = { text: 'trace=gap.trace,rtt=40ms', trace: [...deliveries, 60_000].join('\n') };
    expect(await settleAfter(outage, 0)).toEqual([undefined, 40]);
    expect(await settleAfter(outage, 41)).toEqual([undefined, 81]);
  });

  test('one over which frames go on passing is given up', async () => {
    expect(await settleAfter({ text: 'rtt=40ms' }, 299)).toEqual(['not quiet 30 s after the load', 30]);
  });
});
