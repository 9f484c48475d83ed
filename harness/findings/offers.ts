import { intervalInWords } from '../advice/advice-text.ts';
import { combineDecisions, gainOver, type WeightedDecision } from '../comparison/combine.ts';
import type { Mix } from '../model/advice.ts';
import type { Decision, Gain, Sureness } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { OFFER_TITLES, type Offer, type OfferShares } from '../model/offer.ts';
import { trafficOf, weigh } from '../model/traffic.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import { offerSnippets, type Snippet } from './offer-snippets.ts';

/** Who meets an offer: browsers that know nothing of it, those that were there, and those on networks without UDP. */
export const MET_BY = ['first', 'returning', 'withoutUdp'] as const;

export type MetBy = (typeof MET_BY)[number];

/** What people call them. */
export const MET_BY_TITLES: Readonly<Record<MetBy, string>> = {
  first: 'first visits',
  returning: 'returning visitors',
  withoutUdp: 'visitors without UDP',
};

/** What an offer gains some visitors over what is served today. */
export interface OfferCell {
  readonly gain: Gain;
  /** Whether the gain's interval leaves open if it is faster, slower or as fast; `open` where it does. */
  readonly sureness: 'sure' | 'open';
}

/** What switching offers does, and to whom. */
export interface OfferFindings {
  readonly shares: OfferShares;
  /** The part of the traffic that each of them has. */
  readonly metBy: Readonly<Partial<Record<MetBy, number>>>;
  readonly offers: readonly OfferFinding[];
  readonly text: string;
}

/** One offer, over the one that is made today. */
export interface OfferFinding {
  readonly arm: string;
  readonly offer: Offer;
  readonly cells: Readonly<Partial<Record<MetBy, OfferCell>>>;
  readonly overall: OfferCell;
  /** How sure it is that the offer is as good as any, over all traffic. */
  readonly sureness: Sureness;
  /** What makes a server offer it. */
  readonly snippets: readonly Snippet[];
}

/** What findings on offers are drawn from. */
export interface OfferRequest {
  readonly conditions: readonly {
    readonly profile: string;
    readonly part: number;
    readonly met: MetBy;
    readonly decision: Decision | undefined;
  }[];
  readonly arms: readonly { readonly name: string; readonly offer: Offer }[];
  readonly rule: Rule;
  readonly served: string;
  readonly mix?: Mix | undefined;
  readonly offered: OfferShares;
}

/** Says what each offer does to whom; undefined where nothing was measured. */
export function findOffers(request: OfferRequest): OfferFindings | undefined {
  const { conditions, rule, served, mix, offered } = request;
  const names = request.arms.map(({ name }) => name);
  const traffic = trafficOf(
    conditions.map(({ profile }) => profile),
    mix,
  );
  if (!traffic) return undefined;
  const weighed = weigh(conditions, traffic);
  // What was not measured yet of those who meet an offer is taken to be like what was.
  const measured = MET_BY.flatMap((met) => {
    const own = weighed.filter((each) => each.met === met);
    const known = own.flatMap(({ decision, weight }) => (decision && weight > 0 ? [{ met, decision, weight }] : []));
    const scale = sumOf(own) / (sumOf(known) || 1);
    return known.map((each) => ({ ...each, weight: scale * each.weight }));
  });
  if (measured.length === 0) return undefined;
  const asked = { arms: names, rule, served };
  const cellOf = (own: readonly WeightedDecision[], arm: string): OfferCell => {
    const gain = gainOver(own, arm, asked);
    return { gain, sureness: isTold(gain, 100 * rule.advantage) ? 'sure' : 'open' };
  };
  const byWhom = MET_BY.map((met) => [met, measured.filter((each) => each.met === met)] as const).filter(
    ([, own]) => own.length > 0,
  );
  const offers = request.arms
    .filter(({ name }) => name !== served)
    .map(
      ({ name, offer }): OfferFinding => ({
        ...{ arm: name, offer },
        cells: Object.fromEntries(byWhom.map(([met, own]) => [met, cellOf(own, name)])),
        overall: cellOf(measured, name),
        sureness: combineDecisions(measured, asked, name).sureness,
        snippets: offerSnippets(offer),
      }),
    );
  const metBy = Object.fromEntries(byWhom.map(([met, own]) => [met, sumOf(own) / sumOf(measured)]));
  const found = { shares: offered, metBy, offers };
  return { ...found, text: writeOffers(found, 100 * rule.advantage) };
}

function sumOf(weighted: readonly { readonly weight: number }[]): number {
  return weighted.reduce((sum, { weight }) => sum + weight, 0);
}

/** Faster, slower, or neither by more than the margin: an interval that says one of these says something. */
function isTold({ interval: [low, high] }: Gain, marginPercent: number): boolean {
  return low > 0 || high < 0 || (low >= -marginPercent && high <= marginPercent);
}

/** The answer: what switching each offer on does to whom, and over all. */
function writeOffers({ offers }: Omit<OfferFindings, 'text'>, marginPercent: number): string {
  return offers
    .map(({ offer, cells, overall }) => {
      const told = MET_BY.flatMap((met) => {
        const cell = cells[met];
        return cell ? [`${MET_BY_TITLES[met]} ${gainInWords(cell, marginPercent)}`] : [];
      });
      return `${SWITCHING[offer]}: ${inWords(told, 'and')}. Over all: ${gainInWords(overall, marginPercent)}, ${intervalOf(overall)}.`;
    })
    .join(' ');
}

const SWITCHING: Readonly<Record<Offer, string>> = {
  h2: `Going back to ${OFFER_TITLES.h2}`,
  'h3-altsvc': 'Switching HTTP/3 on by Alt-Svc',
  'h3-record': 'With an HTTPS record as well',
};

/** The interval of a gain, as it is told: `11 to 17 %` of what is faster, or slower. */
export function intervalOf({ gain: { percent, interval } }: OfferCell): string {
  const [low, high] = percent < 0 ? [0 - interval[1], 0 - interval[0]] : interval;
  return intervalInWords(low, high);
}

/** `21 % faster`, `as fast as now`, with a word of doubt where there is one. */
export function gainInWords({ gain: { percent }, sureness }: OfferCell, marginPercent: number): string {
  const doubt = sureness === 'open' ? ' (open)' : '';
  if (Math.abs(percent) < Math.min(1, marginPercent)) return `as fast as now${doubt}`;
  return `${percentInWords(Math.abs(percent))} ${percent > 0 ? 'faster' : 'slower'}${doubt}`;
}
