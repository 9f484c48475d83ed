import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { element, section, unfolding } from '../elements.ts';
import type { Part } from '../part.ts';
import { openPlace } from '../place.ts';
import { pathOf } from '../question.ts';
import type { Report } from '../report.ts';
import { treeImage } from './image.ts';
import { leafTable } from './leaves.ts';
import { depthOf } from './placing.ts';
import { drawBaselines } from './rules.ts';

/** The tree, drawn, with the way that the question takes lit; and what one-line rules cost beside it. */
export function drawTree(first: Report): Part | undefined {
  if (!first.data.summary.tree) return undefined;
  const image = openImage();
  const says = element('p', { class: 'lead' });
  const leaves = openPlace();
  const rules = openPlace({ class: 'rules' });
  const both = element('div', { class: 'tree-and-rules' }, element('div', {}, image.node, leaves.node), rules.node);
  let tree: Tree<Leaf>;
  const update = (report: Report) => {
    const { summary } = report.data;
    tree = summary.tree!;
    says.textContent = isSplit(tree)
      ? 'The smallest set of questions that tells where each protocol is best. The way of the question above is lit.'
      : 'One answer for everything that was measured: no question tells its conditions apart.';
    both.classList.toggle('deep', depthOf(tree) > 2);
    image.update(report, tree);
    leaves.fill(tree, () => [unfolding('Tree as a table', () => leafTable(report, tree))]);
    rules.fill([summary.regret, summary.baselines, summary.leaveOneOut], () => drawBaselines(report));
  };
  update(first);
  return {
    node: section('tree', 'The tree', says, both),
    title: 'Tree',
    show: ({ asked }) => image.light(nodesTo(tree, pathOf(tree, asked).leaf)),
    update,
  };
}

/** A drawing that is as wide as there is room. */
function openImage() {
  const node = element('div', { class: 'tree-canvas' });
  let drawnOf: { readonly report: Report; readonly tree: Tree<Leaf> } | undefined;
  let lit: readonly unknown[] = [];
  let width = 0;
  const draw = () => {
    if (drawnOf && width > 0) node.replaceChildren(treeImage(drawnOf.report, drawnOf.tree, { width, lit }));
  };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry!.contentRect.width);
    if (now === width) return;
    width = now;
    draw();
  }).observe(node);
  return {
    node,
    update(report: Report, tree: Tree<Leaf>) {
      drawnOf = { report, tree };
      lit = [];
    },
    light(nodes: readonly unknown[]) {
      if (nodes.at(-1) === lit.at(-1)) return;
      lit = nodes;
      draw();
    },
  };
}

/** The leaf and all that stands above it. */
function nodesTo(tree: Tree<Leaf>, leaf: Leaf): readonly unknown[] {
  if (!isSplit(tree)) return tree === leaf ? [tree] : [];
  const below = [...nodesTo(tree.yes, leaf), ...nodesTo(tree.no, leaf)];
  return below.length > 0 ? [tree, ...below] : [];
}
