import {
  isSplit,
  type Leaf,
  type NumericFeature,
  type Split,
  subjectsOf,
  type Tree,
  type TreeFindings,
  type TreeSubject,
} from '../model/tree.ts';
import { percentInWords } from '../model/wording.ts';
import { counted } from './counted.ts';
import { markLead } from './lead-text.ts';
import { wrapped } from './wrapped.ts';

/**
 * A tree as text on the terminal, and below it what it costs, beside what one arm for all costs:
 *
 *     Decision tree: RTT below 60 ms?
 *     ├─ yes: h2=h3*  [3 conditions, regret 0.2 %, at worst 0.5 %]
 *     └─ no:  loss below 1 %?
 *             ├─ yes: h3**  [9 conditions, regret 0 %, at worst 0.1 %]
 *             └─ no:  h1~  [8 conditions, regret 1.1 %, at worst 4 %]
 */
export function renderTree(findings: TreeFindings, arms: readonly string[]): string {
  const { tree } = findings;
  const [first, ...rest] = renderNode(tree, arms);
  const drawn = rest.length < MOST_LINES ? [`Decision tree: ${first}`, ...rest] : [IN_THE_REPORT];
  return [
    ...(isSplit(tree) ? [wrapped(howToChoose(subjectsOf(tree))), ...drawn] : [`everywhere: ${first}`]),
    wrapped(describeRegret(findings)),
  ].join('\n');
}

/** A tree of five leaves: a larger one leaves no room for the rest of the findings. */
const MOST_LINES = 9;
const IN_THE_REPORT = 'The decision tree is too large for the terminal: the report has it.';

const WAYS: Readonly<Record<TreeSubject, string>> = {
  page: 'By page: choose by host name.',
  link: 'By link: only a CDN can, by country or network.',
  visit: 'By visit: a server cannot choose.',
};

/** How one follows a tree, which may ask for more than a server knows. */
export function howToChoose(asks: readonly TreeSubject[]): string {
  return asks.map((subject) => WAYS[subject]).join(' ');
}

/** What remains where none of that can be done. */
export const WHERE_NO_CHOICE = 'Where you cannot choose, serve one protocol for everything.';

/** What the tree costs in conditions that it was not grown from, in words that the page has, too. */
export const WHERE_UNMEASURED = 'for a page or link it has not seen';

function describeRegret({ tree, regret: { meanPercent, leftOutMeanPercent }, always }: TreeFindings): string {
  const unmeasured =
    leftOutMeanPercent === undefined ? '' : `, ${WHERE_UNMEASURED} ${percentInWords(leftOutMeanPercent)}`;
  const ofTree = isSplit(tree) ? `the tree ${percentInWords(meanPercent)}${unmeasured}; ` : '';
  const ofArms = Object.entries(always).map(([arm, own]) => `${arm} ${percentInWords(own.meanPercent)}`);
  return `Regret is the extra time over the best choice. On average: ${ofTree}always ${ofArms.join(', ')}.`;
}

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
