import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { chips } from '../answer.ts';
import { htmlTable } from '../elements.ts';
import { splitAsQuestion } from '../question.ts';
import type { Report } from '../report.ts';
import { joinWords, percent } from '../wording.ts';

interface LeafRow {
  readonly leaf: Leaf;
  /** What leads to it. */
  readonly conditions: readonly string[];
}

function leavesOf(tree: Tree<Leaf>, way: readonly string[]): LeafRow[] {
  if (!isSplit(tree)) return [{ leaf: tree as Leaf, conditions: way }];
  const question = splitAsQuestion(tree);
  return [...leavesOf(tree.yes, [...way, `${question} yes`]), ...leavesOf(tree.no, [...way, `${question} no`])];
}

/** A tree for those who cannot see it. */
export function tellTree(tree: Tree<Leaf>, report: Report): string {
  return `Decision tree: ${leavesOf(tree, [])
    .map(
      ({ leaf, conditions }) =>
        `${conditions.join(', ') || 'always'}: ${joinWords(leaf.leaf.map((arm) => report.lookOf(arm).title))}`,
    )
    .join('; ')}`;
}

/** Every leaf with the way to it, and how well it holds. */
export function leafTable(report: Report, tree: Tree<Leaf>): HTMLElement {
  return htmlTable<LeafRow>(
    'Leaves of the tree',
    [
      { title: 'Where', cell: ({ conditions }) => conditions.join(' ') || 'always' },
      { title: 'Serve', cell: ({ leaf }) => chips(report, leaf.leaf) },
      { title: 'Of them undecided', cell: ({ leaf }) => joinWords(leaf.undecided) },
      { title: 'Conditions', numeric: true, cell: ({ leaf }) => `${leaf.conditions.length}` },
      { title: 'Wrong about', numeric: true, cell: ({ leaf }) => `${leaf.wrong.length}` },
      { title: 'Support', numeric: true, cell: ({ leaf }) => percent(100 * leaf.support) },
      { title: 'Regret', numeric: true, cell: ({ leaf }) => percent(leaf.regretPercent) },
    ],
    leavesOf(tree, []),
  );
}
