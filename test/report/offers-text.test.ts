import { expect, test } from '@jest/globals';
import type { OfferCell } from '../../harness/comparison/offer-gains.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { OfferFindings } from '../../harness/findings/offers.ts';
import { renderOffers } from '../../harness/report/offers-text.ts';

const cell = (percent: number, sureness: OfferCell['sureness'] = 'sure'): OfferCell => ({
  gain: { over: 'h2', percent, interval: [percent - 4, percent + 4] },
  sureness,
});
const FINDINGS: OfferFindings = {
  shares: { firstVisits: 0.5, withoutUdp: 0.1 },
  metBy: { first: 0.45, returning: 0.45, withoutUdp: 0.1 },
  offers: [
    {
      arm: 'h3-altsvc',
      offer: 'h3-altsvc',
      sureness: 'open',
      snippets: [],
      cells: { first: cell(-16), returning: cell(10), withoutUdp: cell(0.5, 'open') },
      overall: cell(-3, 'open'),
    },
  ],
  text: 'In words.',
};

test('offers are told in sentences and in a table, with what was loaded for two of them', () => {
  const told = renderOffers(FINDINGS, { rule: RULES.default, conditions: [] });
  expect(told).toBe(`In words.

                            HTTP/3 by Alt-Svc
First visits, 45 %          16 % slower
Returning visitors, 45 %    10 % faster
Visitors without UDP, 10 %  as fast as now (open)
Over all                    3 % slower (open)`);
  const shared = [{ arms: { 'h3-record': { loadedAs: 'h3-altsvc' } } }];
  const toldOfBoth = renderOffers(FINDINGS, { rule: RULES.default, conditions: shared as never });
  expect(toldOfBoth).toContain('their loads count for both offers.');
});
