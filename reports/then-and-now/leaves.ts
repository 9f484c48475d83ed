import type { TreeFinding } from '../../harness/model/then-and-now.ts';
import { inWords } from '../../harness/model/wording.ts';
import { chips } from '../arms.ts';
import { element, htmlTable } from '../elements.ts';
import type { Deeds } from '../part.ts';
import type { Report } from '../report.ts';
import { linkToCondition } from './links.ts';

/** What the paper's tree says of some places, beside what this study's own tree says of them. */
export function drawLeaves({ where, says, leaves }: TreeFinding, report: Report, deeds: Deeds): HTMLElement {
  return element(
    'div',
    { class: 'published' },
    element('h3', {}, `Its decision tree (${where}), and ours`),
    element('ul', { class: 'paper-notes' }, ...says.map((each) => element('li', {}, each))),
    htmlTable<TreeFinding['leaves'][number]>(
      'Leaves of the trees',
      [
        { title: 'Where', cell: (leaf) => leaf.says },
        {
          title: 'Then',
          cell: ({ published }) =>
            published.length === report.looks.length
              ? `a tie of ${inWords(published, 'and')}`
              : inWords(published, 'or'),
        },
        {
          title: 'Now, by our tree',
          cell: ({ measured }) =>
            measured.length === 0
              ? 'not measured'
              : element(
                  'span',
                  { class: 'chips' },
                  ...measured.flatMap((leaf, index) => [
                    index > 0 && element('span', {}, 'elsewhere '),
                    chips(report, leaf),
                  ]),
                ),
        },
        {
          title: 'Loads',
          cell: ({ conditions }) =>
            element('span', { class: 'chips' }, ...conditions.map((id) => linkToCondition(id, 'open', report, deeds))),
        },
      ],
      leaves,
    ),
  );
}
