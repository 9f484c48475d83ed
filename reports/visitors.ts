import type { ProfileAdvice } from '../harness/model/advice.ts';
import { fullTitleOfLink } from '../harness/model/link-title.ts';
import { gainInterval, gainInWords } from './answer-words.ts';
import { choice } from './arms.ts';
import { type Child, element, type HtmlColumn, htmlTable, named, section } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { percent } from './wording.ts';

/** A mix's profiles, or all of it, as a row of its table. */
interface Row extends Pick<ProfileAdvice, 'share' | 'serve' | 'asGood' | 'sureness' | 'gain'> {
  readonly name: Child;
}

/** What the advice comes to for the visitors of each connection; not there where they are all alike. */
export function drawVisitors(first: Report): Part | undefined {
  const place = openPlace();
  const node = section('visitors', 'By connection', place.node);
  const update = (report: Report) => {
    place.fill(report.data.summary.advice, () => partsOf(report));
    node.hidden = place.node.hidden;
  };
  update(first);
  return node.hidden ? undefined : { node, title: 'Connections', show: () => {}, update };
}

function partsOf(report: Report): readonly Child[] {
  const table = tableOf(report);
  return table ? [table, element('p', { class: 'quiet' }, AVERAGE)] : [];
}

/** How conditions are averaged. */
const AVERAGE =
  'An average adds up load times in multiples of the fastest protocol’s. So a slow page counts no more than a quick one.';

/** A row for the visitors of each profile, and one for all of them. */
function tableOf(report: Report): HTMLElement | undefined {
  const { titleOf, data } = report;
  const { advice } = data.summary;
  if (!advice || advice.byProfile.length < 2) return undefined;
  const { byProfile, serve, asGood, sureness, gain } = advice;
  const nameOf = (profile: string) => named(fullTitleOfLink(profile), 60);
  const rows: readonly Row[] = [
    ...byProfile.map((own) => ({ ...own, name: nameOf(own.profile) })),
    { name: element('b', {}, 'All of the traffic'), share: 1, serve, asGood, sureness, gain },
  ];
  const ofGain: readonly HtmlColumn<Row>[] = [
    {
      title: `With ${titleOf(serve)} in place of ${titleOf(gain.over)}`,
      numeric: true,
      cell: (row) => gainInWords(row.gain.percent),
    },
    { title: '95 % interval', cell: (row) => gainInterval(row.gain) },
  ];
  return htmlTable<Row>(
    'The advice by visitors',
    [
      { title: 'Visitors', cell: ({ name }) => name },
      { title: 'Share', numeric: true, cell: ({ share }) => percent(100 * share) },
      { title: 'Best for them alone', cell: (row) => choice(report, [row.serve, ...row.asGood]) },
      { title: 'How sure', cell: (row) => row.sureness },
      ...(serve === gain.over ? [] : ofGain),
    ],
    rows,
  );
}
