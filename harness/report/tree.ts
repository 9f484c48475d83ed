import {
  isSplit,
  type Leaf,
  type NumericFeature,
  type Regret,
  type Split,
  type Tree,
  type TreeFindings,
} from '../model/tree.ts';
import { counted } from './counted.ts';
import { renderTable, type TerminalColumn } from './table.ts';

/**
 * A tree as text on the terminal, with what it is worth below it:
 *
 *     RTT below 60 ms?
 *     ├─ yes: h2 = h3 (tie)
 *     └─ no:  loss below 1 %?
 *             ├─ yes: h3
 *             └─ no:  h1
 */
export function renderTree({ tree, regret, baselines, leaveOneOut }: TreeFindings, arms: readonly string[]): string {
  const rows = [
    { who: 'this tree', regret },
    ...Object.entries(baselines).map(([arm, own]) => ({ who: `always ${arm}`, regret: own })),
  ];
  return [
    ...renderNode(tree, arms),
    '',
    renderTable(REGRET_COLUMNS, rows),
    ...(leaveOneOut.of > 0
      ? ['', `Grown without a condition it is right about it in ${leaveOneOut.right} of ${leaveOneOut.of}.`]
      : []),
  ].join('\n');
}

const REGRET_COLUMNS: readonly TerminalColumn<{ readonly who: string; readonly regret: Regret }>[] = [
  { title: 'who follows', text: (row) => row.who },
  { title: 'regret', align: 'right', text: (row) => percent(row.regret.regretPercent) },
  { title: 'worst', align: 'right', text: (row) => percent(row.regret.worstPercent) },
];

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

/** A leaf in a line: what it says, of how many conditions, at what regret, and how sure it is. */
function describeLeaf(
  { leaf, undecided, conditions, wrong, regretPercent, support }: Leaf,
  arms: readonly string[],
): string {
  const facts = [
    counted(conditions.length, 'condition'),
    ...(wrong.length > 0 ? [`wrong about ${wrong.length}`] : []),
    `regret ${percent(regretPercent)}`,
    `support ${percent(100 * support)}`,
  ];
  return `${nameLeaf(leaf, undecided, arms)}  [${facts.join(', ')}]`;
}

function nameLeaf(leaf: readonly string[], undecided: readonly string[], arms: readonly string[]): string {
  if (undecided.length === leaf.length) return `${leaf.join(', ')} (undecided)`;
  const names = leaf.join(' = ');
  if (undecided.length > 0) return `${names} (${undecided.join(', ')} undecided)`;
  return leaf.length === arms.length && arms.length > 1 ? `${names} (tie)` : names;
}

const NAMES: Readonly<Record<NumericFeature, readonly [name: string, unit: string]>> = {
  rateKbps: ['rate', 'kbit/s'],
  rttMs: ['RTT', 'ms'],
  lossPercent: ['loss', '%'],
  objects: ['objects', ''],
  bytesPerObject: ['bytes per object', 'B'],
  totalBytes: ['total bytes', 'B'],
  queuePackets: ['queue', 'packets'],
};

/** A question in words. */
export function describeSplit(split: Split): string {
  if (split.feature === 'visit') return `${split.is} visit`;
  const [name, unit] = NAMES[split.feature];
  return `${name} below ${split.below.toLocaleString('en')} ${unit}`.trimEnd();
}

function percent(value: number): string {
  if (!Number.isFinite(value)) return 'without end';
  return `${Number(value.toFixed(value < 9.95 ? 1 : 0))} %`;
}
