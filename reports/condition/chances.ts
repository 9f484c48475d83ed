import { RULES } from '../../harness/comparison/rules.ts';
import type { ComparisonSummary } from '../../harness/findings/summary.ts';
import { type ArmLook, chip, choice } from '../arms.ts';
import { type Child, element, htmlTable, styled } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { chance, count, percent, time } from '../wording.ts';

/** What is to be expected of each arm, and what is proven of them; nothing where nothing was measured. */
export function drawChances(report: Report, condition: ReportCondition): HTMLElement[] {
  if (condition.blocks === 0) return [];
  return [drawArms(report, condition), ...drawProofs(report, condition), ...drawPaperLabel(report, condition)];
}

function drawArms(report: Report, { arms, answer, within }: ReportCondition): HTMLElement {
  const margin = percent(100 * report.data.summary.rule.advantage);
  const outlookOf = ({ name }: ArmLook) => answer?.arms[name];
  const failedOf = (look: ArmLook) => {
    const failed = outlookOf(look)?.failedLoads;
    return failed === undefined ? undefined : element('small', { class: 'failed' }, `${count(failed, 'load')} failed`);
  };
  const proven = element('span', { class: 'proof' }, '✓ proven');
  return element(
    'div',
    { class: 'chances' },
    htmlTable<ArmLook>(
      'What to expect of each protocol',
      [
        { title: 'Protocol', cell: (look) => element('span', {}, chip(look), failedOf(look)) },
        { title: 'Median', numeric: true, cell: ({ name }) => time(arms[name]?.medianMs) },
        { title: 'Expected regret', numeric: true, cell: (look) => percent(outlookOf(look)?.regretPercent) },
        { title: 'Chance that it is the best', numeric: true, cell: (look) => bar(look, outlookOf(look)?.bestChance) },
        {
          title: `Chance that it is within ${margin} of the best`,
          numeric: true,
          cell: (look) => bar(look, outlookOf(look)?.withinChance),
        },
        { title: 'No other beats it', cell: ({ name }) => (within.includes(name) ? proven.cloneNode(true) : '–') },
      ],
      report.looks,
    ),
  );
}

/** A chance as a bar and a number. */
function bar({ className }: ArmLook, value: number | undefined): Child {
  if (value === undefined) return '–';
  return element(
    'span',
    { class: 'with-bar' },
    element(
      'span',
      { class: 'track', 'aria-hidden': 'true' },
      styled(element('span', { class: `fill ${className}` }), { width: `${100 * value}%` }),
    ),
    chance(value),
  );
}

/** What is proven of each two: a badge on the answer, which does not rest on it. */
function drawProofs(report: Report, { comparisons }: ReportCondition): HTMLElement[] {
  if (comparisons.length === 0) return [];
  const proofs = comparisons.filter(({ verdict }) => verdict !== 'undecided');
  const open = comparisons.length - proofs.length;
  return [
    element(
      'ul',
      { class: 'proofs', 'aria-label': 'What is proven of each two' },
      ...proofs.map((pair) =>
        element('li', {}, element('span', { class: 'proof' }, `✓ ${proofInWords(report, pair)}`)),
      ),
      open > 0 && element('li', { class: 'quiet' }, `Of ${count(open, 'pair')} nothing is proven yet.`),
    ),
  ];
}

function proofInWords({ titleOf }: Report, { a, b, verdict, decidedAfter }: ComparisonSummary): string {
  const says =
    verdict === 'tie'
      ? `neither ${titleOf(a)} nor ${titleOf(b)} beats the other`
      : `${titleOf(verdict === 'a' ? a : b)} beats ${titleOf(verdict === 'a' ? b : a)}`;
  return decidedAfter === undefined ? says : `${says} (after ${count(decidedAfter, 'block')})`;
}

/** What the repeated paper would have called the best, beside our answer. */
function drawPaperLabel(report: Report, { paperLabel }: ReportCondition): HTMLElement[] {
  if (!paperLabel) return [];
  const { advantage, share } = RULES.kramer2015;
  const wins = `wins by ${percent(100 * advantage)} in ${percent(100 * share)} of the blocks`;
  const rule = `the one that ${wins} against all others; else all but one that all others win against; else all`;
  const who = report.data.summary.thenAndNow?.short ?? 'the paper';
  return [
    element(
      'p',
      { class: 'paper-label' },
      `As ${who} counted: `,
      choice(report, paperLabel),
      element('span', { class: 'quiet' }, ` (${rule})`),
    ),
  ];
}
