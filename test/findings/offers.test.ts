import { describe, expect, test } from '@jest/globals';
import { RULES } from '../../harness/comparison/rules.ts';
import { findOffers, gainInWords, intervalOf, type OfferRequest, offerRows } from '../../harness/findings/offers.ts';
import { knownDecision } from '../comparison/decisions.ts';

/** What each offer takes, over the time of the best one. */
const condition = (met: 'first' | 'returning' | 'withoutUdp', slowdowns: Readonly<Record<string, number>>) => ({
  profile: met === 'withoutUdp' ? '4g,udp=drop' : '4g',
  part: met === 'first' ? 0.6 : 0.4,
  met,
  decision: knownDecision(met, slowdowns),
});

const REQUEST: OfferRequest = {
  conditions: [
    condition('first', { h2: 1.25, 'h3-altsvc': 1.25, 'h3-record': 1 }),
    condition('returning', { h2: 1.5, 'h3-altsvc': 1, 'h3-record': 1 }),
    condition('withoutUdp', { h2: 1, 'h3-altsvc': 1.1, 'h3-record': 1.1 }),
  ],
  arms: (['h2', 'h3-altsvc', 'h3-record'] as const).map((offer) => ({ name: offer, offer })),
  rule: RULES.default,
  served: 'h2',
  mix: { '4g': 0.9, '4g,udp=drop': 0.1 },
  offered: { firstVisits: 0.6, withoutUdp: 0.1 },
};

describe('what offers do', () => {
  const found = findOffers(REQUEST)!;

  test('is told for each of those who meet them, over what is served today, and over all of the traffic', () => {
    const [altSvc, record] = found.offers;
    expect([altSvc!.arm, record!.arm, found.offers.length]).toEqual(['h3-altsvc', 'h3-record', 2]);
    expect(altSvc!.cells.first!.gain.percent).toBeCloseTo(0);
    expect(altSvc!.cells.returning!.gain.percent).toBeCloseTo(100 / 3);
    expect(altSvc!.cells.withoutUdp!.gain.percent).toBeCloseTo(-10);
    expect(record!.cells.first!.gain.percent).toBeCloseTo(20);
    // First visits have six tenths of what is not without UDP.
    expect(Object.values(found.metBy).map((share) => Math.round(100 * share))).toEqual([54, 36, 10]);
    const now = 0.54 * 1.25 + 0.36 * 1.5 + 0.1;
    expect(altSvc!.overall.gain.percent).toBeCloseTo(100 * (1 - (0.54 * 1.25 + 0.36 + 0.11) / now));
    expect([altSvc!, record!].map(({ overall }) => overall.sureness)).toEqual(['sure', 'sure']);
  });

  test('counts what was not measured yet of some visitors as what was', () => {
    const half = { ...REQUEST.conditions[1]!, decision: undefined };
    const { metBy } = findOffers({
      ...REQUEST,
      conditions: [...REQUEST.conditions, { ...REQUEST.conditions[0]! }, half],
    })!;
    expect(metBy.returning).toBeCloseTo(found.metBy.returning!);
    expect(metBy.first).toBeCloseTo(found.metBy.first!);
  });

  test('is said in those words', () => {
    expect(found.text).toMatch(
      /^Switching HTTP\/3 on by Alt-Svc: first visits as fast as now, returning visitors 33 % faster and visitors without UDP 10 % slower\. Over all: [\d.]+ % faster, [\d.]+ to [\d.]+ %\. With an HTTPS record as well: first visits 20 % faster/,
    );
  });

  test('has a line for each of those who meet them, and one for all', () => {
    const [altSvc] = found.offers;
    const rows = offerRows(found);
    expect(rows.map(({ title }) => title)).toEqual([
      'First visits, 54 %',
      'Returning visitors, 36 %',
      'Visitors without UDP, 10 %',
      'Over all',
    ]);
    expect(rows.map(({ cellOf }) => cellOf(altSvc!)!.gain.percent.toFixed())).toEqual(['0', '33', '-10', '13']);
  });

  test('calls nothing a gain that may be none and lies within the margin', () => {
    const told = (percent: number, ...interval: readonly [number, number]) =>
      gainInWords({ gain: { over: 'h2', percent, interval }, sureness: 'sure' }, 3);
    expect([told(2, -1, 2.4), told(2, 0.5, 2.8), told(-2, -2.9, 0.1)]).toEqual([
      'as fast as now',
      '2 % faster',
      'as fast as now',
    ]);
  });

  test('says of an interval what its ends mean', () => {
    const told = (...interval: readonly [number, number]) =>
      intervalOf({ gain: { over: 'h2', percent: 0, interval }, sureness: 'open' });
    expect([told(11, 17), told(-25, -8), told(-7, 9)]).toEqual(['11 to 17 %', '8 to 25 %', '7 % slower to 9 % faster']);
  });

  test('has the lines that make a server offer it', () => {
    const [altSvc, record] = found.offers;
    expect(altSvc!.snippets.map(({ of }) => of)).toEqual(['nginx', 'HAProxy', 'Caddy', 'Apache', 'firewall']);
    expect(record!.snippets[0]!.text).toContain('HTTPS  1 . alpn="h3,h2"');
  });

  test('is nothing where nothing was measured', () => {
    const conditions = REQUEST.conditions.map((each) => ({ ...each, decision: undefined }));
    expect(findOffers({ ...REQUEST, conditions })).toBeUndefined();
  });
});
