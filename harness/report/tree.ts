import {
  isSplit,
  type Leaf,
  type NumericFeature,
  type Split,
  type Tree,
  type TreeFindings,
  type TreeRegret,
} from '../model/tree.ts';
import { percentInWords } from '../model/wording.ts';
import { counted } from './counted.ts';
import { markLead } from './lead-text.ts';
import { renderTable, type TerminalColumn } from './table.ts';

/**
 * A tree as text on the terminal, and below it what it costs, beside what one arm for all costs:
 *
 *     If you can choose by page or visitor: RTT below 60 ms?
 *     ├─ yes: h2=h3*  [3 conditions, regret 0.2 %, at worst 0.5 %]
 *     └─ no:  loss below 1 %?
 *             ├─ yes: h3**  [9 conditions, regret 0 %, at worst 0.1 %]
 *             └─ no:  h1~  [8 conditions, regret 1.1 %, at worst 4 %]
 */
export function renderTree({ tree, regret, always }: TreeFindings, arms: readonly string[]): string {
  const isTree = isSplit(tree);
  const rows = [
    ...(isTree ? [{ serving: 'as the tree says', regret }] : []),
    ...Object.entries(always).map(([arm, own]) => ({ serving: `always ${arm}`, regret: own })),
  ];
  const leftOut = isTree && regret.leftOutMeanPercent !== undefined ? [LEFT_OUT] : [];
  const [first, ...rest] = renderNode(tree, arms);
  const lines = [`${isTree ? CHOOSING : 'everywhere'}: ${first}`, ...rest];
  return [...lines, renderTable([...REGRET_COLUMNS, ...leftOut], rows)].join('\n');
}

/** What a tree is for: the answer above it is one protocol for everything. */
const CHOOSING = 'If you can choose by page or visitor';

interface Row {
  readonly serving: string;
  readonly regret: TreeRegret;
}

const REGRET_COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'regret: expected excess over the best', text: ({ serving }) => `  ${serving}` },
  { title: 'on average', align: 'right', text: ({ regret }) => percentInWords(regret.meanPercent) },
  { title: 'at worst', align: 'right', text: ({ regret }) => percentInWords(regret.worstPercent) },
];

/** The mean regret in conditions that the tree has not seen; that of one arm for all is the same there. */
const LEFT_OUT: TerminalColumn<Row> = {
  title: 'in new cases',
  align: 'right',
  text: ({ regret: { leftOutMeanPercent } }) =>
    leftOutMeanPercent === undefined ? '' : percentInWords(leftOutMeanPercent),
};

function renderNode(node: Tree<Leaf>, arms: readonly string[]): string[] {
  if (!isSplit(node)) return [describeLeaf(node, arms)];
  const below = (start: string, rest: string, lines: readonly string[]) =>
    lines.map((line, index) => (index === 0 ? start : rest) + line);
  return [
    `${describeSplit(node)}?`,
    ...below('├─ yes: ', '│       ', renderNode(node.yes, arms)),
    ...below('└─ no:  ', '        ', renderNode(node.no, arms)),
  ];
}

/** A leaf in a line: what to serve, how sure that is, in how many conditions, and what it costs. */
function describeLeaf(leaf: Leaf, arms: readonly string[]): string {
  const { conditions, regretPercent, worstPercent } = leaf;
  const facts = [
    counted(conditions.length, 'condition'),
    `regret ${percentInWords(regretPercent)}`,
    ...(conditions.length > 1 ? [`at worst ${percentInWords(worstPercent)}`] : []),
  ];
  return `${markLead(leaf, arms)}  [${facts.join(', ')}]`;
}

const NAMES: Readonly<Record<NumericFeature, readonly [name: string, unit: string, kilo?: string, mega?: string]>> = {
  rateKbps: ['rate', 'kbit/s', 'Mbit/s', 'Gbit/s'],
  rttMs: ['RTT', 'ms'],
  lossPercent: ['loss', '%'],
  objects: ['number of objects', ''],
  bytesPerObject: ['size of an object', 'B', 'kB', 'MB'],
  totalBytes: ['size of the page', 'B', 'kB', 'MB'],
  queuePackets: ['queue', 'packets'],
};

/** A question in words: `rate below 35 Mbit/s`. */
export function describeSplit(split: Split): string {
  if (split.feature === 'visit') return `${split.is} visit`;
  const [name, ...units] = NAMES[split.feature];
  // What is a thousand units of its own is said in the next larger one.
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(split.below) / 3)));
  const number = (split.below / 1000 ** power).toLocaleString('en', { maximumSignificantDigits: 4 });
  return `${name} below ${number} ${units[power]}`.trimEnd();
}
