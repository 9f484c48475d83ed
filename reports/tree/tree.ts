import type { Leaf, Regret, Tree } from '../harness/model/tree.ts';
import { isSplit } from '../harness/verdict/tree-search.ts';
import { chips } from './answer.ts';
import { type ArmLook, chip, markAt } from './arms.ts';
import { type Child, clipped, drawn, element, letterScale, section, styled, tableOf, unfolding } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import { describeSplit, pathOf } from './question.ts';
import type { Report } from './report.ts';
import { count, list, percent } from './wording.ts';

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

/** A node and where it stands. */
interface Placed {
  readonly node: Tree<Leaf>;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly answer?: 'yes' | 'no';
  readonly above?: Placed;
}

interface TreeView {
  readonly width: number;
  readonly lit: readonly unknown[];
}

const ROW = 58;
/** Half of the thickest line, which would be cut off. */
const EDGE = 2;
const LEAF_WIDTH = 270;
/** Of a question, as wide as its text is at most, and of the way to the next. */
const QUESTION_WIDTH = 236;
const QUESTION_CHARS = 31;
const WAY_WIDTH = 62;

function treeImage(report: Report, tree: Tree<Leaf>, { width: pixels, lit }: TreeView): SVGElement {
  const scale = letterScale();
  const width = pixels / scale - EDGE;
  // Where there is no room beside each other, questions stand under each other.
  const narrow = width < LEAF_WIDTH + depthOf(tree) * (QUESTION_WIDTH + WAY_WIDTH);
  const placed = narrow ? placeBelow(tree) : placeBeside(tree, width);
  const height = Math.max(...placed.map(({ y }) => y)) + ROW * 0.6;
  return drawn(
    'svg',
    {
      class: 'tree',
      width: pixels,
      height: height * scale,
      viewBox: `${-EDGE} 0 ${width + EDGE} ${height}`,
      role: 'img',
      'aria-label': tellTree(tree, report),
    },
    ...placed
      .filter(({ above }) => above)
      .sort((a, b) => Number(lit.includes(a.node)) - Number(lit.includes(b.node)))
      .flatMap((each) => drawEdge(each, narrow, lit.includes(each.node))),
    ...placed.map((each) => drawNode(each, report, { width, narrow, lit: lit.includes(each.node) })),
  );
}

/** Questions in columns, leaves in rows at the right. */
function placeBeside(tree: Tree<Leaf>, width: number): Placed[] {
  const depth = depthOf(tree);
  const column = depth === 0 ? 0 : (width - LEAF_WIDTH) / depth;
  const placed: Placed[] = [];
  let rows = 0;
  const place = (node: Tree<Leaf>, at: number): number => {
    const index = placed.push({ node, depth: at, x: isSplit(node) ? at * column : depth * column, y: 0 }) - 1;
    const ys = isSplit(node) ? [place(node.yes, at + 1), place(node.no, at + 1)] : [ROW * (0.5 + rows++)];
    placed[index] = { ...placed[index]!, y: (ys[0]! + ys.at(-1)!) / 2 };
    return placed[index]!.y;
  };
  place(tree, 0);
  return withParents(placed);
}

/** Each node in a row, further in the deeper it stands. */
function placeBelow(tree: Tree<Leaf>): Placed[] {
  const placed: Placed[] = [];
  const place = (node: Tree<Leaf>, depth: number): void => {
    placed.push({ node, depth, x: 26 * depth, y: ROW * (0.5 + placed.length) });
    if (isSplit(node)) for (const side of [node.yes, node.no]) place(side, depth + 1);
  };
  place(tree, 0);
  return withParents(placed);
}

function withParents(placed: readonly Placed[]): Placed[] {
  return placed.map((each) => {
    const above = placed.find(({ node }) => isSplit(node) && (node.yes === each.node || node.no === each.node));
    return above
      ? { ...each, above, answer: isSplit(above.node) && above.node.yes === each.node ? 'yes' : 'no' }
      : each;
  });
}

function drawEdge({ above, x, y, answer }: Placed, narrow: boolean, lit: boolean): SVGElement[] {
  const from = above!;
  const className = lit ? 'edge lit' : 'edge';
  if (narrow) {
    const left = from.x + 8;
    return [drawn('path', { class: className, d: `M${left} ${from.y + 14}V${y}H${x + 4}` })];
  }
  const turn = from.x + QUESTION_WIDTH + 4;
  return [
    drawn('path', {
      class: className,
      d: `M${from.x + 8} ${from.y}H${turn}C${turn + 24} ${from.y} ${turn + 4} ${y} ${turn + 40} ${y}H${x - 6}`,
    }),
    drawn('text', { class: lit ? 'answer lit' : 'answer', x: turn + 34, y: y - 6 }, answer),
  ];
}

interface NodeView {
  readonly width: number;
  readonly narrow: boolean;
  readonly lit: boolean;
}

function drawNode({ node, x, y, answer }: Placed, report: Report, view: NodeView): SVGElement {
  // Where there is but one answer, no way leads to it.
  const className = view.lit && (answer !== undefined || isSplit(node)) ? 'node lit' : 'node';
  const before = view.narrow && answer ? `${answer}: ` : '';
  if (!isSplit(node))
    return drawLeaf(node as Leaf, report, { x: view.narrow ? x + 10 : x, y, before, className, width: view.width });
  const room = Math.floor((view.width - x) / 8);
  const text = clipped(`${before}${describeSplit(node)}`, Math.max(room, 12));
  const chars = text.length * 7.6 + 20;
  return drawn(
    'g',
    { class: className },
    drawn('rect', {
      class: 'question',
      x,
      y: y - 15,
      width: view.narrow ? Math.min(view.width - x, chars) : QUESTION_WIDTH,
      height: 30,
      rx: 15,
    }),
    drawn('text', { x: x + 12, y: y + 5 }, view.narrow ? text : clipped(text, QUESTION_CHARS)),
  );
}

interface LeafView {
  readonly x: number;
  readonly y: number;
  readonly before: string;
  readonly className: string;
  readonly width: number;
}

function drawLeaf(leaf: Leaf, { lookOf }: Report, { x, y, before, className, width }: LeafView): SVGElement {
  const left = x + (before === '' ? 0 : 34);
  const isOpen = leaf.undecided.length === leaf.leaf.length;
  let at = left + 8;
  const arms = leaf.leaf.flatMap((arm) => {
    const look: ArmLook = lookOf(arm);
    const title = clipped(look.name, 12);
    const nodes = [markAt(look, at, y - 9), drawn('text', { class: 'arm', x: at + 11, y: y - 4 }, title)];
    at += 26 + title.length * 9;
    return nodes;
  });
  return drawn(
    'g',
    { class: `${className} leaf` },
    drawn('rect', {
      ...{ class: 'leaf-box', x: left - 8, y: y - 25, rx: 8 },
      ...{ width: Math.min(LEAF_WIDTH, width - left + 8 - EDGE), height: 48 },
    }),
    before !== '' && drawn('text', { class: 'answer', x, y: y - 4 }, before),
    ...arms,
    isOpen && drawn('text', { class: 'arm open', x: at, y: y - 4 }, 'undecided'),
    drawn(
      'text',
      { class: 'facts', x: left + 2, y: y + 14 },
      `${before === '' ? `${count(leaf.conditions.length, 'condition')} · ` : ''}${percent(100 * leaf.support)} support · regret ${percent(leaf.regretPercent)}`,
    ),
  );
}

function depthOf(tree: Tree<Leaf>): number {
  return isSplit(tree) ? 1 + Math.max(depthOf(tree.yes), depthOf(tree.no)) : 0;
}

/** The leaf and all that stands above it. */
function nodesTo(tree: Tree<Leaf>, leaf: Leaf): readonly unknown[] {
  if (!isSplit(tree)) return tree === leaf ? [tree] : [];
  const below = [...nodesTo(tree.yes, leaf), ...nodesTo(tree.no, leaf)];
  return below.length > 0 ? [tree, ...below] : [];
}

function tellTree(tree: Tree<Leaf>, report: Report): string {
  return `Decision tree: ${leavesOf(tree, [])
    .map(
      ({ leaf, conditions }) =>
        `${conditions.join(', ') || 'always'}: ${list(leaf.leaf.map((arm) => report.lookOf(arm).title))}`,
    )
    .join('; ')}`;
}

interface LeafRow {
  readonly leaf: Leaf;
  /** What leads to it. */
  readonly conditions: readonly string[];
}

function leavesOf(tree: Tree<Leaf>, way: readonly string[]): LeafRow[] {
  if (!isSplit(tree)) return [{ leaf: tree as Leaf, conditions: way }];
  const question = describeSplit(tree);
  return [...leavesOf(tree.yes, [...way, `${question} yes`]), ...leavesOf(tree.no, [...way, `${question} no`])];
}

function leafTable(report: Report, tree: Tree<Leaf>): HTMLElement {
  return tableOf<LeafRow>(
    'Leaves of the tree',
    [
      { title: 'Where', cell: ({ conditions }) => conditions.join(' ') || 'always' },
      { title: 'Serve', cell: ({ leaf }) => chips(report, leaf.leaf) },
      { title: 'Of them undecided', cell: ({ leaf }) => list(leaf.undecided) },
      { title: 'Conditions', numeric: true, cell: ({ leaf }) => `${leaf.conditions.length}` },
      { title: 'Wrong about', numeric: true, cell: ({ leaf }) => `${leaf.wrong.length}` },
      { title: 'Support', numeric: true, cell: ({ leaf }) => percent(100 * leaf.support) },
      { title: 'Regret', numeric: true, cell: ({ leaf }) => percent(leaf.regretPercent) },
    ],
    leavesOf(tree, []),
  );
}

/** What following the tree, or always the same protocol, costs against the best protocol everywhere. */
function drawBaselines({ data: { summary }, looks }: Report): Child[] {
  const { regret, baselines = {}, leaveOneOut } = summary;
  const rows = [
    { who: 'This tree' as string | ArmLook, regret: regret! },
    ...looks.map((look) => ({ who: look as string | ArmLook, regret: baselines[`always ${look.name}`]! })),
  ].filter((row): row is { who: string | ArmLook; regret: Regret } => row.regret !== undefined);
  const finite = rows.map(({ regret: { regretPercent } }) => regretPercent).filter(Number.isFinite);
  // What never ends is longer than all that does.
  const most = Math.max(1, ...finite) * (finite.length < rows.length ? 1.6 : 1);
  const share = ({ regretPercent }: Regret) => (Number.isFinite(regretPercent) ? (100 * regretPercent) / most : 100);
  return [
    element('h3', {}, 'Regret'),
    element(
      'p',
      { class: 'quiet' },
      'How much longer loads take than with each condition’s best protocol: on average, and in the worst condition; ∞ where they fail and others do not.',
    ),
    element(
      'dl',
      { class: 'bars' },
      ...rows.flatMap(({ who, regret: own }) => [
        element('dt', {}, typeof who === 'string' ? element('b', {}, who) : chip(who, `always ${who.name}`)),
        element(
          'dd',
          { 'data-rule': typeof who === 'string' ? 'tree' : who.name },
          element(
            'span',
            { class: 'track' },
            styled(element('span', { class: `fill ${typeof who === 'string' ? 'own' : who.className}` }), {
              width: `${share(own)}%`,
            }),
          ),
          element('b', {}, percent(own.regretPercent)),
          element('span', { class: 'quiet' }, `worst ${percent(own.worstPercent)}`),
        ),
      ]),
    ),
    leaveOneOut !== undefined &&
      leaveOneOut.of > 0 &&
      element(
        'p',
        { class: 'quiet after' },
        `Grown without a condition, the tree is right about it in ${leaveOneOut.right} of ${leaveOneOut.of}.`,
      ),
  ];
}
