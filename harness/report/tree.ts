import { titleOfLink } from '../model/link-title.ts';
import {
  isSplit,
  type Leaf,
  type NumericFeature,
  type Split,
  subjectsOf,
  type Tree,
  type TreeFindings,
  type TreeRegret,
} from '../model/tree.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import { counted } from './counted.ts';
import { markLead } from './lead-text.ts';
import { TERMINAL_COLUMNS, wrapped } from './wrapped.ts';

/**
 * A tree as text on the terminal, and below it what it costs, beside what one arm for all costs:
 *
 *     Decision tree, if you can choose by link and page: RTT below 60 ms?
 *     ├─ yes: h2=h3*  fibre and cable [regret 0.2 %, at worst 0.5 %]
 *     └─ no:  size of the page below 1 MB?
 *             ├─ yes: h3**  [9 conditions, regret 0 %, at worst 0.1 %]
 *             └─ no:  h1~  [3 conditions, regret 1.1 %, at worst 4 %]
 */
export function renderTree(findings: TreeFindings, arms: readonly string[]): string {
  const { tree } = findings;
  const [first, ...rest] = renderNode(tree, arms);
  const title = `Decision tree, if you can choose by ${inWords(subjectsOf(tree), 'and')}`;
  const begins = `${title}: ${first}`.length > TERMINAL_COLUMNS ? [`${title}:`, first!] : [`${title}: ${first}`];
  const drawn = rest.length < MOST_LINES ? [...begins, ...rest] : [IN_THE_REPORT];
  return [
    ...(isSplit(tree) ? drawn : [`everywhere: ${first}`]),
    ...describeRegret(findings).map((line) => wrapped(line)),
  ].join('\n');
}

/** A tree of five leaves: a larger one leaves no room for the rest of the findings. */
const MOST_LINES = 9;
const IN_THE_REPORT = 'The decision tree is too large for the terminal: the report has it.';

function describeRegret({ tree, regret, always }: TreeFindings): readonly string[] {
  const ofArms = Object.entries(always).map(([arm, { meanPercent }]) => `${arm} ${percentInWords(meanPercent)}`);
  const one = `always ${ofArms.join(', ')}`;
  const regrets = isSplit(tree) ? `tree ${percentInWords(regret.meanPercent)}, ${one}` : one;
  const least = Math.min(...Object.values(always).map(({ meanPercent }) => meanPercent));
  return [`Regret (time beyond the best): ${regrets}.`, ...(isSplit(tree) ? describeElsewhere(regret, least) : [])];
}

/** From this part of what the best single arm costs a tree is no help. */
const POOR = 0.9;

/** What a tree costs where it was made without a page, or without a link, and what follows from that. */
function describeElsewhere({ newPage, newLink }: TreeRegret, least: number): readonly string[] {
  const costs = [
    ...(newPage ? [`for other pages ${percentInWords(newPage.meanPercent)}`] : []),
    ...(newLink ? [`other links ${percentInWords(newLink.meanPercent)}`] : []),
  ];
  if (costs.length === 0) return [];
  const isPoor = (newLink?.meanPercent ?? 0) > POOR * least;
  return [`Tree ${costs.join(', ')}${isPoor ? ': use it for these links only' : ''}.`];
}

function renderNode(node: Tree<Leaf>, arms: readonly string[], room = TERMINAL_COLUMNS): string[] {
  if (!isSplit(node)) return [describeLeaf(node, arms, room)];
  const below = (start: string, rest: string, lines: readonly string[]) =>
    lines.map((line, index) => (index === 0 ? start : rest) + line);
  return [
    `${describeSplit(node)}?`,
    ...below('├─ yes: ', '│       ', renderNode(node.yes, arms, room - INDENT)),
    ...below('└─ no:  ', '        ', renderNode(node.no, arms, room - INDENT)),
  ];
}

/** How much further in a node stands than the question above it. */
const INDENT = 8;

/**
 * A leaf in a line: what to serve, how sure that is, where, and what it costs. Its links say where, if it is made of whole
 * links and there is room for their names, and elsewhere the number of its conditions.
 */
function describeLeaf(leaf: Leaf, arms: readonly string[], room: number): string {
  const { conditions, links, regretPercent, worstPercent } = leaf;
  const costs = [
    `regret ${percentInWords(regretPercent)}`,
    ...(conditions.length > 1 ? [`at worst ${percentInWords(worstPercent)}`] : []),
  ];
  const marked = markLead(leaf, arms);
  const byLinks = links && `${marked}  ${inWords(links.map(titleOfLink), 'and')} [${costs.join(', ')}]`;
  if (byLinks && byLinks.length <= room) return byLinks;
  return `${marked}  [${[counted(conditions.length, 'condition'), ...costs].join(', ')}]`;
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
