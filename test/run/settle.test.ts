import { expect, test } from '@jest/globals';
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
