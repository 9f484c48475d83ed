import type { OfferCell } from '../harness/comparison/offer-gains.ts';
import {
  describeShared,
  gainInWords,
  intervalOf,
  type OfferFindings,
  type OfferRow,
  offerRows,
} from '../harness/findings/offers.ts';
import { OFFER_TITLES } from '../harness/model/offer.ts';
import { element, type HtmlColumn, htmlTable, lead, section, unfolding } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { percent } from './wording.ts';

/**
 * What each offer does to which visitors, and the lines that make a server offer it; absent in studies that compare no
 * offers.
 */
export function drawOffers(first: Report): Part | undefined {
  if (!first.data.summary.offers) return undefined;
  const place = openPlace();
  const update = ({ data: { summary } }: Report) => {
    const { offers, rule, conditions } = summary;
    const shared = describeShared(conditions);
    place.fill([offers, shared], () => (offers ? contentsOf(offers, 100 * rule.advantage, shared) : []));
  };
  update(first);
  return { node: section('offers', 'What switching it on does', place.node), title: 'Offers', show: () => {}, update };
}

function contentsOf(findings: OfferFindings, marginPercent: number, shared = '') {
  const { text, offers, shares } = findings;
  const columns: readonly HtmlColumn<OfferRow>[] = [
    { title: 'Who meets it', cell: ({ title }) => title },
    ...offers.map(
      (each): HtmlColumn<OfferRow> => ({
        title: OFFER_TITLES[each.offer],
        cell: ({ cellOf }) => drawCell(cellOf(each), marginPercent),
      }),
    ),
  ];
  return [
    lead(text),
    htmlTable('What each offer does to those who meet it', columns, offerRows(findings)),
    element(
      'p',
      { class: 'quiet' },
      `First visits are taken for ${percent(100 * shares.firstVisits)} of all, visitors without UDP for ${percent(100 * shares.withoutUdp)}. Below each gain is its 95 % interval. A gain is open where that does not say if the offer is faster, slower or as fast. ${shared}`,
    ),
    ...offers.flatMap(({ offer, snippets }) =>
      snippets.map(({ of, text: lines }) =>
        unfolding(`${OFFER_TITLES[offer]}: ${of}`, () => element('pre', {}, lines)),
      ),
    ),
  ];
}

/** A gain in words, and its interval below it. */
function drawCell(cell: OfferCell | undefined, marginPercent: number): HTMLElement | undefined {
  if (!cell) return undefined;
  return element('span', {}, gainInWords(cell, marginPercent), element('br'), element('small', {}, intervalOf(cell)));
}
