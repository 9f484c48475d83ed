import { comparisonsOf } from '../findings/comparisons.ts';
import { answersOf } from '../findings/conclusions.ts';
import type { Answer } from '../model/answer.ts';
import type { Comparison } from '../model/comparison.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import { percentInWords } from '../model/wording.ts';
import { FIGURES } from '../store/figures.ts';
import type { StoredBlock, StoreReader } from '../store/reading.ts';
import type { StoredTrial } from '../store/trials.ts';
import { type ExportPlaces, exportPlacesOf, placeColumns } from './export-places.ts';
import { type ColumnOf, column, type ExportTable, exportTableOf } from './export-table.ts';

/** All that a study found, as tables: its loads, its blocks, and what they say. */
export function exportTables(store: StoreReader): readonly ExportTable[] {
  const { plan } = store.readStudy()!;
  const places = exportPlacesOf(plan);
  // Read only when they are asked for: all measurements at once take much memory.
  const answers = () => answersOf(plan, store.measurements());
  const comparisons = () => comparisonsOf(plan, store.measurements());
  return [
    exportTableOf(LOADS, loadColumns(places), () => store.trials()),
    exportTableOf(BLOCKS, blockColumns(places), () => store.blocks()),
    exportTableOf(ANSWERS, answerColumns(places), answers),
    exportTableOf(COMPARISONS, comparisonColumns(places), comparisons),
  ];
}

const LOADS = {
  name: 'loads',
  says: 'A row for each page load, in the order of measuring, with those of the self-test. A failed load counts. Void loads and the rest of their block do not: of a block, the first serial without a void load counts.',
};

const BLOCKS = {
  name: 'blocks',
  says: 'A row a block: every arm once, one right after the other. A block with a void load was run again under another serial.',
};

const ANSWERS = {
  name: 'answers',
  says: 'A row a condition: what to serve in it, how sure that is and what it costs if it is wrong. A condition that was not measured has the answer of the tree.',
};

const COMPARISONS = {
  name: 'comparisons',
  says: "A row for every two arms of a condition: what the blocks that were judged say of them. The control's are in `summary.json`.",
};

const VISIT = 'What the browser still knew: the kind of visit.';
const INDEX = 'Which block of its condition, from 0.';

function loadColumns(places: ExportPlaces): ColumnOf<StoredTrial>[] {
  const { conditions, arms } = places;
  const visitOf = ({ arm, condition }: Measurement) => arms.get(arm)?.visit ?? conditions.get(condition)?.visit;
  const failureOf = ({ measurement }: StoredTrial) => (measurement.status === 'ok' ? undefined : measurement);
  const fileSays = "Its files below the study's folder, separated by semicolons.";
  return [
    ...placeColumns<StoredTrial>(places, ({ measurement }) => measurement.condition),
    column(['visit', 'text'], VISIT, ({ measurement }) => visitOf(measurement)),
    column(['arm', 'text'], 'What is compared.', ({ measurement }) => measurement.arm),
    column(['protocol', 'text'], "The arm's protocol.", ({ measurement }) => arms.get(measurement.arm)?.protocol),
    ...RUN,
    column(['block', 'count'], INDEX, ({ measurement }) => measurement.block),
    column(['position', 'count'], 'Its place in the block, from 0.', ({ position }) => position),
    column(['status', 'text'], '`ok`, `failed` or `void`.', ({ measurement }) => measurement.status),
    column(['reason', 'text'], 'Why it failed or is void.', (trial) => failureOf(trial)?.reason),
    column(['says', 'text'], 'The same in words.', (trial) => failureOf(trial)?.says),
    ...FIGURES.map(([name, { kind, unit, says }]) =>
      column<StoredTrial>([name, kind, unit], says, ({ measurement }) => (measurement as Partial<LoadFigures>)[name]),
    ),
    column(['evidence', 'text'], fileSays, ({ evidence }) => evidence.join(';') || undefined),
  ];
}

/** When a block was run. */
const RUN: readonly ColumnOf<Pick<StoredBlock, 'session' | 'serial' | 'beganMs'>>[] = [
  column(['session', 'count'], 'Which stretch of work at the study, from 1.', ({ session }) => session),
  column(['serial', 'count'], 'Which block of the study, from 1.', ({ serial }) => serial),
  column(['beganMs', 'number', 'ms'], 'When its block began, since 1970.', ({ beganMs }) => beganMs),
];

function blockColumns(places: ExportPlaces): ColumnOf<StoredBlock>[] {
  const orderSays = 'The arms in the order of their loads, separated by semicolons.';
  return [
    ...placeColumns<StoredBlock>(places, ({ block }) => block.condition),
    ...RUN,
    column(['block', 'count'], INDEX, ({ block }) => block.index),
    column(['order', 'text'], orderSays, ({ block }) => block.order.join(';')),
    column(['ok', 'count'], 'Loads that are `ok`.', ({ ok }) => ok),
    column(['failed', 'count'], 'Loads that failed.', ({ failed }) => failed),
    column(['void', 'count'], 'Loads that are void.', (block) => block.void),
  ];
}

function answerColumns(places: ExportPlaces): ColumnOf<Answer>[] {
  const { conditions, plan } = places;
  const margin = percentInWords(100 * plan.rule.advantage);
  const asGoodSays = `The other arms that are within ${margin} of the best with a chance of 80 % or more, separated by semicolons.`;
  const surenessSays = `\`proven\`, \`sure\` (the chance that the arm is slower than the best by more than ${margin} is below 5 %), \`likely\` (below 20 %) or \`open\`.`;
  const regretSays = 'How much longer loads are expected to take with it than with the best arm.';
  const chanceSays = `The chance that it is slower than the best arm by more than ${margin}; none where it is predicted. By few blocks an answer is not called sure, however low it is.`;
  const gainSays = `How much less time loads take with it than with \`${plan.served}\`, which is served today.`;
  return [
    ...placeColumns<Answer>(places, ({ condition }) => condition),
    column(['visit', 'text'], VISIT, ({ condition }) => conditions.get(condition)?.visit),
    column(['metric', 'text'], 'The time that decides.', () => plan.metric),
    column(['serve', 'text'], 'The arm to serve.', ({ serve }) => serve),
    column(['asGood', 'text'], asGoodSays, ({ asGood }) => asGood.join(';') || undefined),
    column(['sureness', 'text'], surenessSays, ({ sureness }) => sureness),
    column(['regretPercent', 'number', '%'], regretSays, ({ regretPercent }) => regretPercent),
    column(['chanceAboveMargin', 'number'], chanceSays, ({ chanceAboveMargin }) => chanceAboveMargin),
    column(['gainPercent', 'number', '%'], gainSays, ({ gain }) => gain.percent),
    column(['gainLowPercent', 'number', '%'], 'The lower end of its 95 % interval.', ({ gain }) => gain.interval[0]),
    column(['gainHighPercent', 'number', '%'], 'The upper end of its 95 % interval.', ({ gain }) => gain.interval[1]),
    column(['settled', 'flag'], 'Whether it is sure, and rests on two launches or more.', ({ settled }) => settled),
    column(['predicted', 'flag'], 'Whether the tree predicts it.', ({ predicted }) => predicted ?? false),
    column(['blocks', 'count'], 'Blocks that it rests on.', ({ blocks }) => blocks),
  ];
}

function comparisonColumns(places: ExportPlaces): ColumnOf<Comparison>[] {
  const { conditions, plan } = places;
  const { advantage, share } = plan.rule;
  const beats = `at least ${percentInWords(100 * advantage)} less time in more than ${percentInWords(100 * share)} of all blocks`;
  const verdictSays = `\`a\` or \`b\`, which beats the other (${beats}), \`tie\` or \`undecided\`.`;
  const decidedSays = 'Blocks when the verdict was given, where one was.';
  return [
    ...placeColumns<Comparison>(places, ({ condition }) => condition),
    column(['visit', 'text'], VISIT, ({ condition }) => conditions.get(condition)?.visit),
    column(['a', 'text'], 'An arm.', ({ a }) => a),
    column(['b', 'text'], 'The arm that it is compared with.', ({ b }) => b),
    column(['metric', 'text'], 'The time that decides.', () => plan.metric),
    column(['verdict', 'text'], verdictSays, ({ verdict }) => verdict),
    column(['ratio', 'number'], "a's time over b's, from blocks that have both.", ({ ratio }) => ratio),
    column(['ratioLow', 'number'], 'The lower end of its 95 % interval.', ({ interval }) => interval[0]),
    column(['ratioHigh', 'number'], 'The upper end of its 95 % interval.', ({ interval }) => interval[1]),
    column(['method', 'text'], 'How the ratio was estimated.', ({ method }) => method),
    column(['share', 'number'], 'Blocks that agree with the verdict, of all.', (comparison) => comparison.share),
    column(['eValue', 'number'], 'The evidence for the verdict.', ({ eValue }) => eValue),
    column(['blocks', 'count'], 'Blocks that were judged.', ({ blocks }) => blocks),
    column(['aWon', 'count'], 'Blocks in which a beat b.', ({ aWon }) => aWon),
    column(['bWon', 'count'], 'Blocks in which b beat a.', ({ bWon }) => bWon),
    column(['decidedAfter', 'count'], decidedSays, ({ decidedAfter }) => decidedAfter),
  ];
}
