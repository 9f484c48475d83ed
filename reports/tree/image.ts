import { intervalInWords } from '../../harness/advice/advice-text.ts';
import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';
import { counted } from '../../harness/report/counted.ts';
import { type ArmLook, markAt } from '../arms.ts';
import { clipped, drawn, letterScale } from '../elements.ts';
import { splitAsQuestion } from '../question.ts';
import type { Report } from '../report.ts';
import { percent, unbroken } from '../wording.ts';
import { linksInWords, tellTree, titleOfWorst } from './leaves.ts';
import { depthOf, LEAF_WIDTH, type Placed, placeBelow, placeBeside, ROW } from './placing.ts';

interface TreeView {
  readonly width: number;
  readonly lit: readonly unknown[];
}

/** Half of the thickest line, which would be cut off. */
const EDGE = 2;

/** The width of a question, which is that of its longest text. */
const QUESTION_WIDTH = 224;
const QUESTION_CHARS = 31;
const WAY_WIDTH = 54;

/** The tree as wide as there is room, with what is lit. */
export function treeImage(report: Report, tree: Tree<Leaf>, { width: pixels, lit }: TreeView): SVGElement {
  const scale = letterScale();
  const width = pixels / scale - EDGE;
  // Where there is no room beside each other, questions stand under each other.
  const narrow = width < LEAF_WIDTH + depthOf(tree) * (QUESTION_WIDTH + WAY_WIDTH);
  const placed = narrow ? placeBelow(tree) : placeBeside(tree, width);
  const height = Math.max(...placed.map(({ y }) => y)) + ROW * 0.5;
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
  const text = clipped(`${before}${splitAsQuestion(node)}`, Math.max(room, 12));
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

function drawLeaf(leaf: Leaf, report: Report, { x, y, before, className, width }: LeafView): SVGElement {
  const left = x + (before === '' ? 0 : 34);
  let at = left + 8;
  const arms = [leaf.serve, ...leaf.asGood].flatMap((arm, index) => {
    const look: ArmLook = report.lookOf(arm);
    const title = clipped(look.name, 12);
    const or = index > 0 ? drawn('text', { class: 'or', x: at - 4, y: y - 14 }, 'or') : undefined;
    if (or) at += 20;
    const nodes = [markAt(look, at, y - 19), drawn('text', { class: 'arm', x: at + 11, y: y - 14 }, title)];
    at += 26 + title.length * 9;
    return [or, ...nodes];
  });
  const boxWidth = Math.min(LEAF_WIDTH, width - left + 8 - EDGE);
  const room = Math.floor((boxWidth - 16) / FACTS_CHAR);
  const facts = factsOf(leaf, report, room).map((text) => clipped(unbroken(text), room));
  return drawn(
    'g',
    { class: `${className} leaf ${leaf.sureness}` },
    drawn('rect', { class: 'leaf-box', x: left - 8, y: y - 35, rx: 8, width: boxWidth, height: 70 }),
    before !== '' && drawn('text', { class: 'answer', x, y: y - 14 }, before),
    ...arms,
    drawn('text', { class: 'how-sure', x: at, y: y - 14 }, leaf.sureness),
    ...facts.map((text, index) => drawn('text', { class: 'facts', x: left + 2, y: y + 5 + 18 * index }, text)),
  );
}

/**
 * What two lines say of a leaf: where it holds, and what it costs. Where it is made of whole links, these say where; how many they
 * are, if there is no room for their names.
 */
function factsOf(leaf: Leaf, report: Report, room: number): readonly string[] {
  const { regretPercent, interval, worstPercent, conditions, links } = leaf;
  const mean = `regret ${percent(regretPercent)} (${intervalInWords(...interval)})`;
  const worst = conditions.length === 1 ? '' : `worst ${percent(worstPercent)}`;
  const names = links && linksInWords(links);
  if (names)
    return [names.length > room ? counted(links.length, 'link') : names, [mean, worst].filter(Boolean).join(', ')];
  return [`mean ${mean}`, `${worst && `${worst}, `}in ${titleOfWorst(report, leaf)}`];
}

/** How wide a letter of a leaf's facts is, about. */
const FACTS_CHAR = 5.6;
