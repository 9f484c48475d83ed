import type { Advice, Saving } from '../harness/model/advice.ts';
import { savingEndsOf } from '../harness/report/saving-ends.ts';
import { chip } from './arms.ts';
import { type Child, element, type HtmlColumn, htmlTable, named } from './elements.ts';
import { hasOwnName, linkInWords } from './links.ts';
import type { Report } from './report.ts';
import { change, percent } from './wording.ts';

/** A mix's profiles, or all of it, as a row of its table. */
interface Row {
  readonly name: Child;
  readonly share: number;
  readonly serve: readonly string[];
  readonly saving: Saving | undefined;
}

/** What the advice comes to for the visitors of each profile, and for all of them; nothing where they are all alike. */
export function mixTable({ looks, lookOf, conditions }: Report, advice: Advice): HTMLElement | undefined {
  const { byProfile, serve, against, saving } = advice;
  if (byProfile.length < 2) return undefined;
  const nameOf = (profile: string) => {
    const { features } = conditions.find(({ link }) => `${link.name}` === profile)!;
    return hasOwnName(profile) ? named(profile, 60) : linkInWords(features).join(', ');
  };
  const rows: readonly Row[] = [
    ...byProfile.map((own) => ({ ...own, name: nameOf(own.profile), saving: own.saving })),
    { name: element('b', {}, 'All of the traffic'), share: 1, serve, saving },
  ];
  const best = ({ serve: arms }: Row) =>
    arms.length === looks.length && looks.length > 1
      ? 'any, as far as is known'
      : element('span', { class: 'chips' }, ...arms.map((arm) => chip(lookOf(arm))));
  const columns: readonly HtmlColumn<Row>[] = [
    { title: 'Visitors', cell: ({ name }) => name },
    { title: 'Share', numeric: true, cell: ({ share }) => percent(100 * share) },
    { title: 'Best to serve', cell: best },
    ...(against === undefined
      ? []
      : ([
          {
            title: `Time with ${lookOf(serve[0]!).title}, against ${lookOf(against).title}, as measured`,
            numeric: true,
            cell: (row) => change(row.saving && -row.saving.percent),
          },
          { title: '95 % interval', numeric: true, cell: (row) => interval(row.saving) },
        ] satisfies HtmlColumn<Row>[])),
  ];
  return element(
    'div',
    { class: 'mix-table' },
    htmlTable('The mix of visitors, and what the advice does for each', columns, rows),
  );
}

/** Of a change in time. */
function interval(saving: Saving | undefined): string {
  const { low, high } = savingEndsOf(saving);
  const [from, to] = [high, low].map((end) => (end === undefined ? undefined : change(-end)));
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (from !== undefined) return `${from} or more`;
  return to === undefined ? 'cannot be told yet' : `${to} or less`;
}
