import { gainInWords, MET_BY, MET_BY_TITLES, type OfferFindings } from '../findings/offers.ts';
import { OFFER_TITLES } from '../model/offer.ts';
import { percentInWords } from '../model/wording.ts';
import { renderTable, type TerminalColumn } from './table.ts';
import { wrapped } from './wrapped.ts';

type Row = OfferFindings['offers'][number];

/** What each offer does: in sentences, and as a table of offers by those who meet them. */
export function renderOffers({ text, offers, metBy }: OfferFindings, marginPercent: number): string {
  const columns: readonly TerminalColumn<Row>[] = [
    { title: 'offer', text: ({ offer }) => OFFER_TITLES[offer] },
    ...MET_BY.filter((met) => metBy[met] !== undefined).map(
      (met): TerminalColumn<Row> => ({
        title: `${MET_BY_TITLES[met]}, ${percentInWords(100 * metBy[met]!)}`,
        text: ({ cells }) => gainInWords(cells[met]!, marginPercent),
      }),
    ),
    { title: 'over all', text: ({ overall }) => gainInWords(overall, marginPercent) },
  ];
  return `${wrapped(text)}\n\n${renderTable(columns, offers)}`;
}
