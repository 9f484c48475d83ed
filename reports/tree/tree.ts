import type { Mix } from '../../harness/model/advice.ts';
import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { element, section, unfolding } from '../elements.ts';
import type { Part } from '../part.ts';
import { openPlace } from '../place.ts';
import { pathOf } from '../question.ts';
import type { PageConclusions, Report } from '../report.ts';
import type { State } from '../state.ts';
import { treeImage } from './image.ts';
import { leafTable } from './leaves.ts';
import { depthOf } from './placing.ts';
import { drawRules } from './rules.ts';

/** The tree for the reader's traffic, with the way that the question takes lit; and what one-line rules cost beside it. */
export function drawTree(first: Report): Part | undefined {
  if (!first.data.summary.tree) return undefined;
  const image = openImage();
  const says = element('p', { class: 'lead' });
  const leaves = openPlace();
  const rules = openPlace({ class: 'rules' });
  const both = element('div', { class: 'tree-and-rules' }, element('div', {}, image.node, leaves.node), rules.node);
  let report = first;
  let shown: PageConclusions | undefined;
  const draw = (conclusions: PageConclusions, mix: Mix | undefined) => {
    const tree = conclusions.tree!;
    says.textContent = `${
      isSplit(tree)
        ? `A few questions tell which protocol costs least; more of them would save next to nothing. Where you cannot choose, serve one protocol for everything. The way of the question above is lit.`
        : 'One answer for everything that was measured: no question is worth asking.'
    }${mix ? ' It is grown for your traffic, as it is set above.' : ''}`;
    both.classList.toggle('deep', depthOf(tree) > 2);
    image.update(report, tree);
    leaves.fill(tree, () => [unfolding('Tree as a table', () => leafTable(report, tree))]);
    rules.fill(conclusions.regret, () => drawRules(report, conclusions));
  };
  const show = ({ asked, mix }: State) => {
    const conclusions = report.concludeFor(mix);
    if (conclusions !== shown) draw(conclusions, mix);
    shown = conclusions;
    image.light(nodesTo(conclusions.tree!, pathOf(conclusions.tree!, asked).leaf));
  };
  return {
    node: section('tree', 'The decision tree', says, both),
    title: 'Tree',
    show,
    update(next) {
      report = next;
      shown = undefined;
    },
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
