import { deedInWords } from '../../harness/findings/lead.ts';
import type { Mix } from '../../harness/model/advice.ts';
import type { Gain, Sureness } from '../../harness/model/answer.ts';
import type { Features, Leaf } from '../../harness/model/tree.ts';
import { inWords } from '../../harness/model/wording.ts';
import { besideInWords } from '../answer-words.ts';
import { chip, markOf } from '../arms.ts';
import { element, named, styled } from '../elements.ts';
import type { Deeds } from '../part.ts';
import { distance, nearestTo, pathOf, type Step, splitAsQuestion } from '../question.ts';
import type { Report, ReportCondition } from '../report.ts';
import { sureWord } from '../sureness.ts';
import { bytes, change, count, figure, percent, rate, time, unbroken } from '../wording.ts';

/** What to serve to what was asked for. */
interface Reply {
  readonly serve: string;
  readonly asGood: readonly string[];
  readonly sureness: Sureness;
  readonly regretPercent: number;
  readonly gain: Gain;
}

/** What is said to a question. */
interface Said {
  readonly reply: Reply;
  readonly steps: readonly Step[];
  readonly leaf: Leaf;
  /** How many measured conditions are what was asked for; where it is one, the answer is its own. */
  readonly alike: number;
  /** The nearest that was measured, with what its arms took. */
  readonly nearest?: Pick<ReportCondition, 'id' | 'title' | 'features' | 'arms'>;
}

/**
 * What is known of what is asked: where it was measured, what its own loads say; elsewhere what the tree says, which is
 * that of the reader's traffic.
 */
export function answerTo(report: Report, asked: Features, mix: Mix | undefined): Said {
  const path = pathOf(report.concludeFor(mix).tree!, asked);
  const nearest = nearestTo(asked, report.conditions);
  if (!nearest) return { ...path, alike: 0, reply: replyOf(path.leaf) };
  const answers = report.conditions.flatMap(({ features, answer }) => {
    const isAsked = distance(asked, features) === 0 && asked.queuePackets === features.queuePackets;
    return isAsked && answer && !answer.predicted ? [answer] : [];
  });
  const own = answers.length === 1 ? answers[0] : undefined;
  const { id, title, features, arms } = nearest;
  return {
    ...path,
    reply: replyOf(own ?? path.leaf),
    alike: answers.length,
    nearest: { id, title, features, arms },
  };
}

function replyOf({ serve, asGood, sureness, regretPercent, gain }: Reply): Reply {
  return { serve, asGood, sureness, regretPercent, gain };
}

/** The answer: what to serve, how well that is known, the way through the tree, and the nearest condition's times. */
export function drawResult(report: Report, said: Said, open: Deeds['open']): HTMLElement[] {
  const { reply, steps, nearest, alike } = said;
  const { serve, asGood, gain } = reply;
  const arms = serve === gain.over ? [serve] : [serve, ...asGood];
  const path = element(
    'ol',
    { class: 'path', 'aria-label': 'How the tree gets there' },
    ...steps.map(({ split, yes }) =>
      element('li', {}, `${splitAsQuestion(split)} `, element('b', {}, yes ? 'yes' : 'no')),
    ),
  );
  return [
    element(
      'h3',
      { class: 'leaf', 'data-leaf': [serve, ...asGood].join(' ') },
      element('span', { class: 'marks' }, ...arms.map((arm) => markOf(report.lookOf(arm)))),
      deedInWords(reply, report.titleOf),
    ),
    element('p', {}, gainsIn(report, reply)),
    drawSource(report, said),
    ...(steps.length > 0 ? [path] : []),
    ...(nearest ? [drawExpected(report, nearest, { open, isAsked: alike > 0 })] : []),
  ];
}

/** What the answer rests on, and how sure that is. */
function drawSource(report: Report, { reply: { sureness, regretPercent }, leaf, alike }: Said): HTMLElement {
  const word = sureWord(report, sureness);
  const regret = percent(regretPercent);
  if (alike === 1)
    return element('p', { class: 'quiet' }, 'It was measured. How sure: ', word, `. Expected regret ${regret}.`);
  const others = count(alike > 1 ? alike : leaf.conditions.length, 'condition');
  const says =
    alike > 1
      ? `The tree answers for ${others} like this.`
      : `It was not measured: the tree predicts it from ${others}.`;
  return element('p', { class: 'quiet' }, `${says} How sure it is there: `, word, `. Average regret there ${regret}.`);
}

/** What serving it gains, and what would be as good. */
function gainsIn({ titleOf, data }: Report, { serve, asGood, gain }: Reply): string {
  const says =
    serve === gain.over ? `${titleOf(serve)} is what is served today.` : `Pages load ${besideInWords(gain, titleOf)}.`;
  if (asGood.length === 0) return unbroken(says);
  const too = `${inWords(asGood.map(titleOf), 'and')} ${asGood.length > 1 ? 'are' : 'is'} within`;
  return unbroken(`${says} ${too} ${percent(100 * data.summary.rule.advantage)} of the best too.`);
}

/** The times of each arm in a condition, and what choosing it costs there. */
function drawExpected(
  report: Report,
  condition: NonNullable<Said['nearest']>,
  { open, isAsked }: { readonly open: Deeds['open']; readonly isAsked: boolean },
): HTMLElement {
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
      isAsked ? 'Measured: ' : 'Nearest that was measured: ',
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
        const regret = ms === undefined ? '' : ms === best ? 'fastest median' : `${change(100 * (ms / best - 1))}`;
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
