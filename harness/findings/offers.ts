import { intervalInWords } from '../advice/advice-text.ts';
import { combineDecisions } from '../comparison/combine.ts';
import { type MetCondition, type OfferCell, offerCell, weighOffers } from '../comparison/offer-gains.ts';
import type { Mix } from '../model/advice.ts';
import type { Sureness } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { MET_BY, type MetBy, OFFER_TITLES, type Offer, type OfferShares } from '../model/offer.ts';
import { sumOfWeights } from '../model/traffic.ts';
import { inWords, percentInWords, withCapital } from '../model/wording.ts';
import { offerSnippets, type Snippet } from './offer-snippets.ts';

/** What people call each kind of visit. */
const MET_BY_TITLES: Readonly<Record<MetBy, string>> = {
  first: 'first visits',
  returning: 'returning visitors',
  withoutUdp: 'visitors without UDP',
};

/** What switching offers does, and to whom. */
export interface OfferFindings {
  readonly shares: OfferShares;
  /** The part of the traffic that each kind of visit has. */
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
  readonly conditions: readonly MetCondition[];
  readonly arms: readonly { readonly name: string; readonly offer: Offer }[];
  readonly rule: Rule;
  readonly served: string;
  readonly mix?: Mix | undefined;
  readonly offered: OfferShares;
}

/** Finds what each offer does, and to which visitors; undefined where nothing was measured. */
export function findOffers(request: OfferRequest): OfferFindings | undefined {
  const { conditions, rule, served, mix, offered } = request;
  const measured = weighOffers(conditions, mix);
  if (measured.all.length === 0) return undefined;
  const asked = { arms: request.arms.map(({ name }) => name), rule, served };
  const byWhom = [...measured.by];
  const offers = request.arms
    .filter(({ name }) => name !== served)
    .map(
      ({ name, offer }): OfferFinding => ({
        arm: name,
        offer,
        cells: Object.fromEntries(byWhom.map(([met, own]) => [met, offerCell(own, name, asked)])),
        overall: offerCell(measured.all, name, asked),
        sureness: combineDecisions(measured.all, asked, name).sureness,
        snippets: offerSnippets(offer),
      }),
    );
  const metBy = Object.fromEntries(byWhom.map(([met, own]) => [met, sumOfWeights(own) / sumOfWeights(measured.all)]));
  const found = { shares: offered, metBy, offers };
  return { ...found, text: writeOffers(found, 100 * rule.advantage) };
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

/** The interval of a gain, as it is told: `11 to 17 %` of what is faster, or slower; both ends say which where they differ. */
export function intervalOf({ gain: { interval } }: OfferCell): string {
  const [low, high] = interval;
  if (low >= 0) return intervalInWords(low, high);
  if (high <= 0) return intervalInWords(0 - high, 0 - low);
  return `${percentInWords(0 - low)} slower to ${percentInWords(high)} faster`;
}

/** A line of the table of offers: visits that meet them in one way, or all visits together. */
export interface OfferRow {
  readonly title: string;
  readonly cellOf: (offer: OfferFinding) => OfferCell | undefined;
}

/** The kinds of visits that meet the offers, with their part of the traffic, and all visits together. */
export function offerRows({ metBy }: Pick<OfferFindings, 'metBy'>): readonly OfferRow[] {
  const met = MET_BY.flatMap((each): OfferRow[] => {
    const share = metBy[each];
    if (share === undefined) return [];
    const title = `${MET_BY_TITLES[each]}, ${percentInWords(100 * share)}`;
    return [{ title: withCapital(title), cellOf: ({ cells }) => cells[each] }];
  });
  return [...met, { title: 'Over all', cellOf: ({ overall }) => overall }];
}

/** `21 % faster`, `as fast as now`, with a word of doubt where there is one. */
export function gainInWords({ gain: { percent, interval }, sureness }: OfferCell, marginPercent: number): string {
  const doubt = sureness === 'open' ? ' (open)' : '';
  const [low, high] = interval;
  // What is sure to lie within the margin, and may be nothing, is no gain and no loss.
  const isNothing = sureness === 'sure' && low <= 0 && high >= 0;
  if (isNothing || Math.abs(percent) < Math.min(1, marginPercent)) return `as fast as now${doubt}`;
  return `${percentInWords(Math.abs(percent))} ${percent > 0 ? 'faster' : 'slower'}${doubt}`;
}

/** What a reader must know where some visits were made once for two offers; undefined where none were. */
export function describeShared(
  conditions: readonly { readonly arms: Readonly<Record<string, { readonly loadedAs?: string | undefined }>> }[],
): string | undefined {
  const isShared = conditions.some(({ arms }) => Object.values(arms).some(({ loadedAs }) => loadedAs !== undefined));
  if (!isShared) return undefined;
  return 'Returning visitors know of HTTP/3 from Alt-Svc, with an HTTPS record or without: their loads count for both offers.';
}
