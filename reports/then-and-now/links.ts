import type { ClaimFinding } from '../../harness/model/then-and-now.ts';
import { type Child, clipped, element, named } from '../elements.ts';
import type { Deeds } from '../part.ts';
import type { Report } from '../report.ts';

/** Leads to a condition: its distributions, blocks and loads. */
export function linkToCondition(id: string, text: Child, { conditions }: Report, { open }: Deeds): HTMLElement {
  const title = conditions.find((each) => each.id === id)?.title ?? id;
  const label = typeof text === 'string' ? { 'aria-label': `${text}: ${clipped(title, 100)}` } : {};
  return element('button', { type: 'button', class: 'link', click: () => open(id), ...label }, text);
}

/** At most this many conditions are named; where there are more, the table has them. */
const NAMED = 2;

/** The conditions that a claim is about, where they are few: a figure of the paper's has its like there. */
export function linksToConditions({ cases }: ClaimFinding, report: Report, deeds: Deeds): HTMLElement[] {
  const ids = [...new Set(cases.flatMap(({ conditions }) => conditions))];
  if (ids.length === 0 || ids.length > NAMED) return [];
  const links = ids.map((id) => {
    const title = report.conditions.find((each) => each.id === id)?.title ?? id;
    return linkToCondition(id, named(title, 80), report, deeds);
  });
  return [
    element('p', { class: 'quiet loads-of' }, 'Our distributions: ', element('span', { class: 'chips' }, ...links)),
  ];
}
