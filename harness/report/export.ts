import type { Comparison } from '../model/comparison.ts';
import type { LoadFigures } from '../model/measurement.ts';
import { FIGURES } from '../store/figures.ts';
import type { StoredBlock, StoreReader } from '../store/reading.ts';
import type { StoredTrial } from '../store/trials.ts';
import { compareStudy } from '../verdict/estimate.ts';
import { judgePlan } from '../verdict/judge-plan.ts';
import { type Places, placeColumns, placesOf } from './export-places.ts';
import { type ColumnOf, type ExportTable, tableOf } from './export-table.ts';

/** All that a study found, as tables: its loads, its blocks, and what they say. */
export function exportTables(store: StoreReader): readonly ExportTable[] {
  const { plan } = store.readStudy()!;
  const { records, judgement } = judgePlan(plan, store.measurements());
  const comparisons = compareStudy(plan, records, judgement);
  const places = placesOf(plan);
  return [
    tableOf(LOADS, loadColumns(places), () => store.trials()),
    tableOf(BLOCKS, blockColumns(places), () => store.blocks()),
    tableOf(COMPARISONS, comparisonColumns(places), () => comparisons),
  ];
}

const LOADS = {
  name: 'loads',
  says: "A row a page load, in the order in which they were made, those of the study's control included. A load counts where it failed, too; what is void counts for nothing, nor does anything else of its block, which was run again: of a condition's block, its first serial without a void load counts.",
};

const BLOCKS = {
  name: 'blocks',
  says: 'A row a block: every arm once, one right after the other. A block with a void load was run again under another serial.',
};

const COMPARISONS = {
  name: 'comparisons',
  says: 'A row for every two arms of a condition: what the blocks that were judged say of them.',
};

function loadColumns(places: Places): ColumnOf<StoredTrial>[] {
  const { conditions, arms } = places;
  return [
    ...placeColumns<StoredTrial>(places, ({ measurement }) => measurement.condition),
    {
      ...{ name: 'visit', kind: 'text', says: 'What the browser still knew: the kind of visit.' },
      cell: ({ measurement: { arm, condition } }) => arms.get(arm)?.visit ?? conditions.get(condition)?.visit,
    },
    { name: 'arm', kind: 'text', says: 'What is compared.', cell: ({ measurement }) => measurement.arm },
    {
      ...{ name: 'protocol', kind: 'text', says: "The arm's protocol." },
      cell: ({ measurement }) => arms.get(measurement.arm)?.protocol,
    },
    ...RUN,
    {
      name: 'block',
      kind: 'count',
      says: 'Which block of its condition, from 0.',
      cell: ({ measurement }) => measurement.block,
    },
    { name: 'position', kind: 'count', says: 'Its place in the block, from 0.', cell: ({ position }) => position },
    { name: 'status', kind: 'text', says: '`ok`, `failed` or `void`.', cell: ({ measurement }) => measurement.status },
    ...(['reason', 'says'] as const).map(
      (name): ColumnOf<StoredTrial> => ({
        ...{ name, kind: 'text', says: `Why it failed or is void${name === 'says' ? ', in words' : ''}.` },
        cell: ({ measurement }) => (measurement.status === 'ok' ? undefined : measurement[name]),
      }),
    ),
    ...FIGURES.map(
      ([name, figure]): ColumnOf<StoredTrial> => ({
        ...{ name, ...figure },
        cell: ({ measurement }) => (measurement as Partial<LoadFigures>)[name],
      }),
    ),
    {
      ...{ name: 'evidence', kind: 'text', says: "Its files below the study's folder, separated by semicolons." },
      cell: ({ evidence }) => evidence.join(';'),
    },
  ];
}

/** When a block was run. */
const RUN: readonly ColumnOf<Pick<StoredBlock, 'session' | 'serial' | 'beganMs'>>[] = [
  {
    name: 'session',
    kind: 'count',
    says: 'Which stretch of work at the study, from 1.',
    cell: ({ session }) => session,
  },
  { name: 'serial', kind: 'count', says: 'Which block of the study, from 1.', cell: ({ serial }) => serial },
  {
    name: 'beganMs',
    kind: 'number',
    unit: 'ms',
    says: 'When its block began, since 1970.',
    cell: ({ beganMs }) => beganMs,
  },
];

function blockColumns(places: Places): ColumnOf<StoredBlock>[] {
  return [
    ...placeColumns<StoredBlock>(places, ({ block }) => block.condition),
    ...RUN,
    { name: 'block', kind: 'count', says: 'Which block of its condition, from 0.', cell: ({ block }) => block.index },
    {
      ...{ name: 'order', kind: 'text', says: 'The arms in the order of their loads, separated by semicolons.' },
      cell: ({ block }) => block.order.join(';'),
    },
    ...(['ok', 'failed', 'void'] as const).map(
      (status): ColumnOf<StoredBlock> => ({
        ...{ name: status, kind: 'count', says: `Loads of this status.` },
        cell: (block) => block[status],
      }),
    ),
  ];
}

function comparisonColumns(places: Places): ColumnOf<Comparison>[] {
  const { conditions, plan } = places;
  const { advantage, share } = plan.rule;
  const beats = `at least ${100 * advantage} % less time in more than ${100 * share} % of all blocks`;
  return [
    ...placeColumns<Comparison>(places, ({ condition }) => condition),
    {
      ...{ name: 'visit', kind: 'text', says: 'What the browser still knew: the kind of visit.' },
      cell: ({ condition }) => conditions.get(condition)?.visit,
    },
    { name: 'a', kind: 'text', says: 'An arm.', cell: ({ a }) => a },
    { name: 'b', kind: 'text', says: 'The arm that it is compared with.', cell: ({ b }) => b },
    { name: 'metric', kind: 'text', says: 'The time that decides.', cell: () => plan.metric },
    {
      ...{
        name: 'verdict',
        kind: 'text',
        says: `\`a\` or \`b\`, which beats the other (${beats}), \`tie\` or \`undecided\`.`,
      },
      cell: ({ verdict }) => verdict,
    },
    {
      name: 'ratio',
      kind: 'number',
      says: "a's time over b's, from blocks that have both.",
      cell: ({ ratio }) => ratio,
    },
    {
      name: 'ratioLow',
      kind: 'number',
      says: 'The lower end of its 95 % interval.',
      cell: ({ interval }) => interval[0],
    },
    {
      name: 'ratioHigh',
      kind: 'number',
      says: 'The upper end of its 95 % interval.',
      cell: ({ interval }) => interval[1],
    },
    { name: 'method', kind: 'text', says: 'How the ratio was estimated.', cell: ({ method }) => method },
    { name: 'share', kind: 'number', says: 'Blocks that agree with the verdict, of all.', cell: (row) => row.share },
    { name: 'eValue', kind: 'number', says: 'The evidence for the verdict.', cell: ({ eValue }) => eValue },
    { name: 'blocks', kind: 'count', says: 'Blocks that were judged.', cell: ({ blocks }) => blocks },
    { name: 'aWon', kind: 'count', says: 'Blocks in which a beat b.', cell: ({ aWon }) => aWon },
    { name: 'bWon', kind: 'count', says: 'Blocks in which b beat a.', cell: ({ bWon }) => bWon },
    {
      ...{ name: 'decidedAfter', kind: 'count', says: 'Blocks when the verdict was given, where one was.' },
      cell: ({ decidedAfter }) => decidedAfter,
    },
  ];
}
