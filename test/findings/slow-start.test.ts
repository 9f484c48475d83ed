import { describe, expect, test } from '@jest/globals';
import { summarizeArm } from '../../harness/findings/arm-summary.ts';
import { slowStartCutShort } from '../../harness/findings/slow-start.ts';
import type { ConditionSummary } from '../../harness/findings/summary.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { describeSlowStarts, whereToSetTcp } from '../../harness/report/slow-start-text.ts';

type Shown = Pick<ConditionSummary, 'arms' | 'features' | 'link'>;

/** A condition over a link that holds 206 packets, by the windows at which slow starts ended. */
function condition(windows: Readonly<Record<string, number | undefined>>, change: Partial<Shown> = {}): Shown {
  const arms = Object.entries(windows).map(([arm, slowStartPackets]) => [
    arm,
    { ok: 3, failed: 0, void: 0, slowStartPackets },
  ]);
  return {
    arms: Object.fromEntries(arms),
    features: { rateKbps: 50_000, rttMs: 50 } as Shown['features'],
    link: { name: 'satellite-leo', jitterMs: 5 },
    ...change,
  };
}

describe('a slow start that was cut short', () => {
  test.each<[string, Parameters<typeof condition>, ReturnType<typeof slowStartCutShort>]>([
    [
      'ended at less than half of what the link holds',
      [{ h1: 260, h2: 43, h3: undefined }],
      { arm: 'h2', windowPackets: 43, heldPackets: 206 },
    ],
    ['is the shortest one', [{ h1: 80, h2: 43 }], { arm: 'h2', windowPackets: 43, heldPackets: 206 }],
    ['is none where the link was nearly full', [{ h1: 260, h2: 103 }], undefined],
    ['is none where delay does not vary', [{ h2: 43 }, { link: { name: 'train' } }], undefined],
    ['is none where delay ended none', [{ h1: undefined, h2: undefined }], undefined],
    [
      'is none where the link has no limit',
      [{ h2: 43 }, { features: { rateKbps: Number.POSITIVE_INFINITY, rttMs: 50 } as Shown['features'] }],
      undefined,
    ],
  ])('%s', (_, made, found) => {
    expect(slowStartCutShort(condition(...made))).toEqual(found);
  });
});

const SETTING = 'With BBR, another setting of TCP, it does not.';

test.each<[string, readonly Shown[], string | undefined, string | undefined]>([
  ['nothing where none was cut short', [condition({ h2: 200 })], undefined, undefined],
  [
    'its link, and how far it came',
    [condition({ h2: 43.5 })],
    `Over satellite-leo TCP takes varying delay for congestion and slows down early: with h2 at 44 packets, where the link holds 206. ${SETTING}`,
    'satellite-leo',
  ],
  [
    'all links, and the shortest of them',
    [condition({ h2: 60 }), condition({ h2: 43 }, { link: { name: '5g', jitterMs: 4 } })],
    `Over satellite-leo and 5g TCP takes varying delay for congestion and slows down early: with h2 at worst at 43 packets, where the link holds 206. ${SETTING}`,
    '5g',
  ],
])('of slow starts is told %s', (_, conditions, told, advised) => {
  expect(describeSlowStarts(conditions)).toBe(told);
  expect(whereToSetTcp(conditions, 'h2')?.link.name).toBe(advised);
});

test.each([
  ['delay ended it in most of them', [43, 200, undefined], 200],
  ['and none if it did in half of them', [43, undefined], undefined],
])('loads have a window at the end of slow start if %s', (_, windows, median) => {
  const measurements = windows.map((slowStartPackets) => ({ status: 'ok', pltMs: 1, slowStartPackets }) as Measurement);
  expect(summarizeArm({ measurements, scores: [], metric: 'plt' }).slowStartPackets).toBe(median);
});
