import {
  gainInWords,
  intervalOf,
  MET_BY,
  MET_BY_TITLES,
  type OfferCell,
  type OfferFindings,
} from '../harness/findings/offers.ts';
import { OFFER_TITLES } from '../harness/model/offer.ts';
import { element, type HtmlColumn, htmlTable, lead, section, unfolding } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { percent } from './wording.ts';

type Row = OfferFindings['offers'][number];

/** What each offer does to whom, and the lines that make a server offer it; no part of a study that makes none. */
export function drawOffers(first: Report): Part | undefined {
  if (!first.data.summary.offers) return undefined;
  const place = openPlace();
  const update = ({ data: { summary } }: Report) => {
    const { offers, rule } = summary;
    place.fill([offers], () => (offers ? contentsOf(offers, 100 * rule.advantage) : []));
  };
  update(first);
  return { node: section('offers', 'What switching it on does', place.node), title: 'Offers', show: () => {}, update };
}

function contentsOf({ text, offers, metBy, shares }: OfferFindings, marginPercent: number) {
  const cell = (own: OfferCell | undefined) => own && `${gainInWords(own, marginPercent)} (${intervalOf(own)})`;
  const columns: readonly HtmlColumn<Row>[] = [
    { title: 'Offer', cell: ({ offer }) => OFFER_TITLES[offer] },
    ...MET_BY.filter((met) => metBy[met] !== undefined).map(
      (met): HtmlColumn<Row> => ({
        title: `${MET_BY_TITLES[met]} (${percent(100 * metBy[met]!)})`,
        cell: ({ cells }) => cell(cells[met]),
      }),
    ),
    { title: 'Over all', cell: ({ overall }) => cell(overall) },
    { title: 'As good as any', cell: ({ sureness }) => sureness },
  ];
  return [
    lead(text),
    htmlTable<Row>('Offers by who meets them', columns, offers),
    element(
      'p',
      {},
      `First visits are taken for ${percent(100 * shares.firstVisits)} of all, visitors without UDP for ${percent(100 * shares.withoutUdp)}. In brackets 95 % intervals; a cell is open where its interval does not say faster, slower or as fast.`,
    ),
    ...offers.flatMap(({ offer, snippets }) =>
      snippets.map(({ of, text: lines }) =>
        unfolding(`${OFFER_TITLES[offer]}: ${of}`, () => element('pre', {}, lines)),
      ),
    ),
  ];
}
