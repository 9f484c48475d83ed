import { intervalInWords } from '../../harness/advice/advice-text.ts';
import { titleOfLink } from '../../harness/model/link-title.ts';
import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { inWords } from '../../harness/model/wording.ts';
import { armsInWords, gainInWords } from '../answer-words.ts';
import { choice } from '../arms.ts';
import { type HtmlColumn, htmlTable, named } from '../elements.ts';
import { splitAsQuestion } from '../question.ts';
import type { Report } from '../report.ts';
import { percent, unbroken } from '../wording.ts';

interface LeafRow {
  readonly leaf: Leaf;
  /** What leads to it. */
  readonly conditions: readonly string[];
}

/** The leaves of a tree, from its first to its last answer. */
export function leavesOf(tree: Tree<Leaf>, way: readonly string[] = []): LeafRow[] {
  if (!isSplit(tree)) return [{ leaf: tree as Leaf, conditions: way }];
  const question = splitAsQuestion(tree);
  return [...leavesOf(tree.yes, [...way, `${question} yes`]), ...leavesOf(tree.no, [...way, `${question} no`])];
}

/** A tree in words, for readers who cannot see it. */
export function tellTree(tree: Tree<Leaf>, report: Report): string {
  return `Decision tree: ${leavesOf(tree)
    .map(
      ({ leaf, conditions }) =>
        `${conditions.join(', ') || 'always'}${leaf.links ? ` (${linksInWords(leaf.links)})` : ''}: ${armsInWords(report, leaf)}, ${leaf.sureness}, ${tellRegret(leaf)}`,
    )
    .join('; ')}`;
}

/** The links that a leaf is made of. */
export function linksInWords(links: readonly string[]): string {
  return inWords(links.map(titleOfLink), 'and');
}

/** What a leaf costs: the mean with its interval, and the worst. */
export function tellRegret({ regretPercent, interval, worstPercent }: Leaf): string {
  return unbroken(
    `mean regret ${percent(regretPercent)} (${intervalInWords(...interval)}), worst ${percent(worstPercent)}`,
  );
}

/** What people call a leaf's worst condition. */
export function titleOfWorst({ conditions }: Report, { worstCondition }: Leaf): string {
  return conditions.find(({ id }) => id === worstCondition)?.title ?? worstCondition;
}

/** Every leaf with the way to it, and how well it holds. */
export function leafTable(report: Report, tree: Tree<Leaf>): HTMLElement {
  const rows = leavesOf(tree);
  return htmlTable<LeafRow>(
    'Leaves of the tree',
    [
      { title: 'Where', cell: ({ conditions }) => conditions.join(' ') || 'always' },
      ...(rows.some(({ leaf }) => leaf.links) ? [LINKS] : []),
      { title: 'Serve', cell: ({ leaf }) => choice(report, [leaf.serve, ...leaf.asGood]) },
      { title: 'How sure', cell: ({ leaf }) => leaf.sureness },
      {
        title: `Beside ${report.titleOf(report.data.summary.served)}`,
        numeric: true,
        cell: ({ leaf }) => gainInWords(leaf.gain.percent),
      },
      { title: 'Mean regret', numeric: true, cell: ({ leaf }) => percent(leaf.regretPercent) },
      { title: '95 % interval', numeric: true, cell: ({ leaf }) => unbroken(intervalInWords(...leaf.interval)) },
      { title: 'Worst regret', numeric: true, cell: ({ leaf }) => percent(leaf.worstPercent) },
      { title: 'Worst in', cell: ({ leaf }) => named(titleOfWorst(report, leaf), 60) },
      { title: 'Conditions', numeric: true, cell: ({ leaf }) => `${leaf.conditions.length}` },
    ],
    rows,
  );
}

/** The links that are whole in a leaf. */
const LINKS: HtmlColumn<LeafRow> = {
  title: 'Connections',
  cell: ({ leaf }) => leaf.links && named(linksInWords(leaf.links)),
};
