import { madeBy } from '../findings/made-by.ts';
import type { ControlSummaries, Summary } from '../findings/summary.ts';
import { uncountedOf } from '../findings/uncounted.ts';
import { dependsOnVisitors, FIRST_VISITS, isUneven } from '../model/advice.ts';
import { subjectsOf, type TreeFindings } from '../model/tree.ts';
import { inWords } from '../model/wording.ts';
import { renderConditions } from './conditions-text.ts';
import { counted } from './counted.ts';
import { describeFloor } from './floor-text.ts';
import { describeNoAdvice } from './lead-text.ts';
import { renderMix } from './mix-text.ts';
import type { NextStep } from './next-steps.ts';
import { renderOffers } from './offers-text.ts';
import { describeTime } from './progress.ts';
import { renderThenAndNow } from './then-and-now-text.ts';
import { renderTree } from './tree.ts';
import { TERMINAL_COLUMNS, wrapped } from './wrapped.ts';

/** Where the rest of the findings stands, and what to do after them. */
export interface FindingsContext {
  /** The report's path. */
  readonly page: string;
  /** What to do now. */
  readonly next: readonly NextStep[];
}

/**
 * What a study found, as text on the terminal, in the order in which it is of use: the answer, what to serve where, the
 * tree, whether it can be believed, how to continue, and where the rest stands.
 */
export function renderFindings(summary: Summary, { page, next }: FindingsContext): string {
  const { conditions, advice, tree, thenAndNow } = summary;
  const arms = Object.keys(conditions[0]!.arms);
  const isCompared = arms.length > 1;
  const floor = describeFloor(conditions);
  return [
    ...(summary.offers ? [renderOffers(summary.offers, summary)] : []),
    ...(isCompared ? [renderAnswer(summary, next)] : []),
    renderConditions(summary),
    ...(isCompared && conditions.length > 1 && tree
      ? [tellsByLink(summary) ? TREE_BY_LINK : renderTree(treeOf(summary), arms)]
      : []),
    ...(isCompared && advice && isUneven(advice.mix) ? [renderMix(advice, arms)] : []),
    ...(thenAndNow ? [renderThenAndNow(thenAndNow)] : []),
    [
      ...[
        renderControls(summary.controls),
        ...describeMachines(summary),
        ...(floor ? [`${floor}.`] : []),
        describeLoads(summary),
      ].map((line) => wrapped(line)),
      `Report: ${page}`,
      ...(next.length > 0 ? [renderNext(next)] : []),
    ].join('\n'),
  ].join('\n\n');
}

/** What to do now: each step with its command, in one line where both find room. */
function renderNext(next: readonly NextStep[]): string {
  const lines = next.map(({ says, command }, index) => {
    const line = `${index + 1}. ${says}: ${command}`;
    return line.length <= TERMINAL_COLUMNS ? line : `${wrapped(`${index + 1}. ${says}:`, '   ')}\n   ${command}`;
  });
  return ['Next:', ...lines].join('\n');
}

const TREE_BY_LINK = 'The report has what is best by link as a decision tree.';

/** Whether the advice says already, link by link, what the tree says that asks about links alone. */
function tellsByLink({ advice, tree }: Summary): boolean {
  return advice !== undefined && dependsOnVisitors(advice) && subjectsOf(tree!).every((subject) => subject === 'link');
}

function treeOf({ tree, regret }: Summary): TreeFindings {
  const { tree: own, ...others } = regret!;
  const always = Object.entries(others).map(([name, each]) => [name.replace('always ', ''), each]);
  return { tree: tree!, regret: own!, always: Object.fromEntries(always) };
}

/** What to serve, what that gains, and what is open. */
function renderAnswer(summary: Summary, next: readonly NextStep[]): string {
  const { advice, finished } = summary;
  const { text } = advice ?? describeNoAdvice(summary);
  const lines = [
    // Where a next step measures first visits it says this too.
    ...text.split('\n').filter((line) => line !== FIRST_VISITS || !next.some(({ step }) => step === 'first-visits')),
    ...(finished ? describeLimit(summary) : []),
  ];
  return lines.map((line) => wrapped(line, line.startsWith('  ') ? '    ' : '  ')).join('\n');
}

/** Whether the machines of a study that workers ran measure the same; remarks on one machine name it. */
function describeMachines({ machines = [] }: Summary): readonly string[] {
  if (machines.length === 0) return [];
  const told = machines.flatMap(({ name, says }) => says.map((each) => `${name}: ${each}.`));
  const on = `Measured on ${counted(machines.length, 'machine')}`;
  if (machines.length === 1) return [`${on}.`, ...told];
  const open = machines.filter(({ aa }) => aa === 'undecided').map(({ name }) => name);
  if (open.length === 0)
    return [`${on}${told.length === 0 ? ', none of which differs from the others' : ''}.`, ...told];
  return [`${on}. Too few loads tell if pages take as long on ${inWords(open, 'and')} as on the others.`, ...told];
}

/** Why what is open stays open. */
function describeLimit({ advice, stopping }: Summary): readonly string[] {
  if (!advice || advice.open.conditions === 0) return [];
  const [most, option] = stopping.kind === 'exactly' ? [stopping.blocks, 'exactly'] : [stopping.cap, 'blocks'];
  return [`This study allows no more than ${counted(most, 'block')} in a condition (--${option}).`];
}

function describeLoads(summary: Summary): string {
  const { loads, wallSeconds } = summary;
  const took = describeTime(1000 * wallSeconds);
  const { loads: uncounted } = uncountedOf(loads);
  const others = uncounted + loads.disturbed;
  const checks = others === 0 ? '' : `; ${others} not counted`;
  return [
    `${counted(loads.counted, 'load')} ${madeBy(summary)} in ${took}, ${loads.failed} failed${checks}.`,
    ...(loads.void === 0 ? [] : [describeVoid(loads.void)]),
  ].join(' ');
}

function describeVoid(loads: number): string {
  return loads === 1
    ? '1 load was void, so its block was measured again.'
    : `${loads} loads were void, so their blocks were measured again.`;
}

/** Whether Photofinish can be believed: what it makes of an arm and its twin, and of a delay that is known. */
export function renderControls({ aa, planted }: ControlSummaries): string {
  if (aa.blocks === 0) return 'No self-test: the study has too few blocks for one.';
  const delay = planted.delayMs === undefined ? 'a delay' : `a delay of ${planted.delayMs} ms`;
  const twin = `the same protocol twice ${aa.verdict === 'tie' ? 'ties' : 'is alike'}`;
  if (!aa.passed) return `Self-test FAILED: the same protocol twice differs after ${counted(aa.blocks, 'block')}.`;
  if (planted.found) return `Self-test passed: ${twin}, ${delay} is found.`;
  if (planted.open) return 'Self-test: the same protocol twice is alike; the delay added on purpose is not found yet.';
  return `Self-test FAILED: ${delay} that was added on purpose is not found in ${counted(planted.blocks, 'block')}.`;
}
