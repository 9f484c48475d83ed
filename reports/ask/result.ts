import type { Features, Leaf } from '../../harness/model/tree.ts';
import { chips } from '../answer.ts';
import { chip } from '../arms.ts';
import { element, named, styled } from '../elements.ts';
import type { Deeds } from '../part.ts';
import { nearestTo, pathOf, type Step, splitAsQuestion } from '../question.ts';
import type { Report, ReportCondition } from '../report.ts';
import { bytes, change, count, figure, percent, rate, time } from '../wording.ts';

/** What is said to a question. */
interface Said {
  readonly steps: readonly Step[];
  readonly leaf: Leaf;
  /** The nearest that was measured, with what its arms took. */
  readonly nearest?: Pick<ReportCondition, 'id' | 'title' | 'features' | 'arms'>;
}

/** What the tree says to a question, and what was measured nearest to it. */
export function answerTo({ data: { summary }, conditions }: Report, asked: Features): Said {
  const nearest = nearestTo(asked, conditions);
  if (!nearest) return pathOf(summary.tree!, asked);
  const { id, title, features, arms } = nearest;
  return { ...pathOf(summary.tree!, asked), nearest: { id, title, features, arms } };
}

/** The answer: the way through the tree, the leaf, and the nearest condition's times. */
export function drawResult(report: Report, { steps, leaf, nearest }: Said, open: Deeds['open']): HTMLElement[] {
  const path = element(
    'ol',
    { class: 'path', 'aria-label': 'How the tree gets there' },
    ...steps.map(({ split, yes }) =>
      element('li', {}, `${splitAsQuestion(split)} `, element('b', {}, yes ? 'yes' : 'no')),
    ),
  );
  return [
    element('h3', { class: 'leaf', 'data-leaf': leaf.leaf.join(' ') }, ...nameLeaf(report, leaf)),
    element('p', { class: 'quiet' }, describeLeaf(leaf, report.looks.length)),
    ...(steps.length > 0 ? [path] : []),
    ...(nearest ? [drawExpected(report, nearest, open)] : []),
  ];
}

/** What is not proven is no answer: its arms stand behind the word. */
function nameLeaf(report: Report, { leaf, undecided }: Leaf): HTMLElement[] {
  if (undecided.length < leaf.length) return [chips(report, leaf)];
  return [element('span', {}, 'Undecided'), element('span', { class: 'candidates' }, chips(report, leaf))];
}

/** What a leaf says beside its arms, and how sure it is. */
function describeLeaf({ leaf, undecided, support, regretPercent, conditions }: Leaf, arms: number): string {
  const says =
    undecided.length === leaf.length
      ? 'Nothing is proven here.'
      : leaf.length === arms
        ? 'As good as each other.'
        : leaf.length > 1
          ? 'As good as each other, and better than the rest.'
          : 'Better than the rest.';
  return `${says} ${count(conditions.length, 'condition')} like this, support ${percent(100 * support)}, regret ${percent(regretPercent)}.`;
}

/** The times of each arm in a condition, and what choosing it costs there. */
function drawExpected(report: Report, condition: NonNullable<Said['nearest']>, open: Deeds['open']): HTMLElement {
  const medians = report.looks.map(({ name }) => condition.arms[name]?.medianMs);
  const known = medians.filter((each) => each !== undefined);
  const [best, most] = [Math.min(...known), Math.max(...known)];
  const { features } = condition;
  return element(
    'div',
    { class: 'expected' },
    element(
      'p',
      {},
      'Nearest measured: ',
      element('button', { type: 'button', class: 'link', click: () => open(condition.id) }, named(condition.title, 60)),
      element(
        'span',
        { class: 'quiet' },
        ` ${rate(features.rateKbps)}, ${figure(features.rttMs)} ms, ${percent(features.lossPercent)} loss; ${count(features.objects, 'object')}, ${bytes(features.totalBytes)}`,
      ),
    ),
    element(
      'dl',
      { class: 'bars' },
      ...report.looks.flatMap((look, index) => {
        const ms = medians[index];
        const says = ms === undefined ? 'no load finished' : time(ms);
        const regret =
          ms === undefined ? '' : ms === best ? 'fastest median' : `${change(100 * (ms / best - 1))} regret`;
        return [
          element('dt', {}, chip(look)),
          element(
            'dd',
            { 'data-arm': look.name },
            element(
              'span',
              { class: 'track' },
              styled(element('span', { class: `fill ${look.className}` }), {
                width: `${ms === undefined ? 0 : (100 * ms) / most}%`,
              }),
            ),
            element('b', {}, says),
            element('span', { class: 'quiet' }, regret),
          ),
        ];
      }),
    ),
  );
}
