import { describeShared, gainInWords, type OfferFindings, type OfferRow, offerRows } from '../findings/offers.ts';
import type { Summary } from '../findings/summary.ts';
import { OFFER_TITLES } from '../model/offer.ts';
import { renderTable, type TerminalColumn } from './table.ts';
import { wrapped } from './wrapped.ts';

/** What each offer does: in sentences, and as a table with a line for each kind of visit. */
export function renderOffers(
  findings: OfferFindings,
  { rule, conditions }: Pick<Summary, 'rule' | 'conditions'>,
): string {
  const gainOf = (cell: ReturnType<OfferRow['cellOf']>) => (cell ? gainInWords(cell, 100 * rule.advantage) : '');
  const columns: readonly TerminalColumn<OfferRow>[] = [
    { title: '', text: ({ title }) => title },
    ...findings.offers.map(
      (each): TerminalColumn<OfferRow> => ({
        title: OFFER_TITLES[each.offer],
        text: ({ cellOf }) => gainOf(cellOf(each)),
      }),
    ),
  ];
  const shared = describeShared(conditions);
  return [wrapped(findings.text), renderTable(columns, offerRows(findings)), ...(shared ? [wrapped(shared)] : [])].join(
    '\n\n',
  );
}
