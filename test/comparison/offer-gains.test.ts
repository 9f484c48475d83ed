import { describe, expect, test } from '@jest/globals';
import { type MetCondition, offerCell, untoldOffers, weighOffers } from '../../harness/comparison/offer-gains.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Decision } from '../../harness/model/answer.ts';
import { decisionOf } from './decisions.ts';

const asked = { arms: ['h2', 'h3-altsvc', 'h3-record'], rule: RULES.default, served: 'h2' };

/** What the offers take over the best one, each in turn of the draws. */
const decision = (slowdowns: Readonly<Record<string, readonly number[]>>) => decisionOf('c', slowdowns);

describe('what an offer gains', () => {
  const cellOf = (altsvc: readonly number[]) =>
    offerCell(
      weighOffers([condition('first', decision({ h2: [1.1], 'h3-altsvc': altsvc, 'h3-record': [1] }))]).all,
      'h3-altsvc',
      asked,
    ).sureness;

  test.each<[string, readonly number[], 'sure' | 'open']>([
    ['faster, whatever is true', [1, 1.05], 'sure'],
    ['slower, whatever is true', [1.12, 1.3], 'sure'],
    ['as fast, give or take the margin', [1.08, 1.12], 'sure'],
    ['faster or slower', [1, 1.2], 'open'],
    ['as fast or slower', [1.09, 1.2], 'open'],
  ])('is told where it is %s', (_, slowdowns, sureness) => {
    expect(cellOf(slowdowns)).toBe(sureness);
  });
});

function condition(met: MetCondition['met'], own: Decision | undefined): MetCondition {
  return { profile: met === 'withoutUdp' ? 'drop' : '4g', part: 0.5, met, decision: own };
}

describe('offers that more blocks may tell of', () => {
  const link = (udp?: 'drop') => ({ name: udp ? 'drop' : '4g', udp });
  const visits = [
    { visit: 'first', link: link() },
    { visit: 'returning', link: link() },
    { visit: 'first', link: link('drop') },
  ];
  const plan = {
    conditions: visits,
    offered: { firstVisits: 0.5, withoutUdp: 0.1 },
    rule: RULES.default,
    served: 'h2',
    arms: asked.arms.map((name) => ({ name })),
    mix: { '4g': 0.9, drop: 0.1 },
  } as unknown as Parameters<typeof untoldOffers>[0];
  const told = decision({ h2: [1.2], 'h3-altsvc': [1], 'h3-record': [1.3] });
  const open = decision({ h2: [1.1], 'h3-altsvc': [1, 1.2], 'h3-record': [1.3] });

  test('are those that are open to the visitors of a condition', () => {
    expect(untoldOffers(plan, [told, told, told])).toEqual([[], [], []]);
    expect(untoldOffers(plan, [told, told, open])).toEqual([[], [], ['h3-altsvc']]);
  });

  test('are none where nobody visits like this', () => {
    const returningOnly = { ...plan, offered: { firstVisits: 0, withoutUdp: 0.1 } };
    expect(untoldOffers(returningOnly, [open, open, told])).toEqual([[], ['h3-altsvc'], []]);
    expect(untoldOffers(returningOnly, [undefined, told, told])[0]).toEqual([]);
  });

  test('are open in each condition where they are open over all', () => {
    const mild = decision({ h2: [1], 'h3-altsvc': [1, 1.2], 'h3-record': [1.3] });
    expect(untoldOffers(plan, [mild, mild, told])).toEqual([['h3-altsvc'], ['h3-altsvc'], ['h3-altsvc']]);
  });

  test('are all where nothing was measured of some', () => {
    expect(untoldOffers(plan, [told, told, undefined])).toEqual([[], [], ['h3-altsvc', 'h3-record']]);
    expect(untoldOffers(plan, [undefined, undefined, undefined])[0]).toEqual(['h3-altsvc', 'h3-record']);
  });
});
