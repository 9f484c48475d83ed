import { LEAST_BLOCKS, RULES, type RuleName } from '../../comparison/rules.ts';
import { LIKELY_BELOW, SURE_BELOW } from '../../model/answer.ts';
import type { TreeFindings } from '../../model/tree.ts';
import { renderTable, type TerminalColumn } from '../../report/table.ts';
import { renderTree } from '../../report/tree.ts';
import { growTree } from '../../tree/tree.ts';
import { type Calibration, calibrationOf } from './calibration.ts';
import { MOST_BLOCKS, SCENARIOS, type Scenario, simulate } from './generated.ts';
import { decideReplayed, type ReplayedCondition, readReplayed, replay } from './replay.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;
const REPLAYS = 200;
const STUDIES = 400;
/** What is asked of answers, and of the tree of the 2015 study; shares and regrets as fractions. */
const ASKED = { settledRegret: 0.01, treeLeftOut: 0.03, treeLeaves: 8 } as const;

/**
 * `photofinish bench decisions`: what the answers of the 2015 study come to, what its tree costs, and whether "sure" and
 * "likely" are true as often as they say, over replays of that study and over generated ones whose truth is known.
 */
export async function benchDecisions(print: (line: string) => void): Promise<number> {
  const conditions = readReplayed();
  const tree = growReplayed(conditions);
  for (const line of describeAnswers(conditions, tree)) print(line);
  const replayed = (['default', 'kramer2015'] as const).map((rule) => ({
    name: `margin ${Math.round(100 * RULES[rule].advantage)} %`,
    rule,
    figures: calibrationOf(replay(conditions, RULES[rule], REPLAYS)),
  }));
  print(
    `\nThe same blocks in random order, ${REPLAYS} times, looked at after every block until the answer is sure (of the ${conditions.filter(({ launches }) => launches.length >= LEAST_BLOCKS.sure).length} conditions with ${LEAST_BLOCKS.sure} blocks or more):`,
  );
  print(renderTable(REPLAY_COLUMNS, replayed));
  const generated = SCENARIOS.map((scenario) => ({ scenario, figures: calibrationOf(simulate(scenario, STUDIES)) }));
  print(
    `\n${(STUDIES * SCENARIOS.length).toLocaleString('en')} generated studies of three arms, the machine drifting by 5 %, at most ${MOST_BLOCKS} blocks:`,
  );
  print(renderTable(GENERATED_COLUMNS, generated));
  print(
    `\nOf answers called sure at most ${100 * SURE_BELOW} % may cost more than the margin, of those called likely at most ${100 * LIKELY_BELOW} %, at any look.`,
  );
  const holds =
    holdsTree(tree) &&
    replayed.every(({ figures }) => isCalibrated(figures) && figures.meanRegret <= ASKED.settledRegret);
  print(holds ? 'The replays hold that.' : 'THE REPLAYS DO NOT HOLD THAT.');
  return holds ? 0 : 1;
}

/** The tree of the 2015 study over all conditions that have a decision. */
export function growReplayed(conditions: readonly ReplayedCondition[]): TreeFindings {
  const decisions = decideReplayed(conditions, RULES.default);
  return growTree({
    conditions: conditions.flatMap(({ id, features }, index) => {
      const decision = decisions[index];
      return decision ? [{ id, features, decision, weight: 1 }] : [];
    }),
    arms: ARMS,
    rule: RULES.default,
    served: 'h2',
  })!;
}

function describeAnswers(conditions: readonly ReplayedCondition[], tree: TreeFindings): readonly string[] {
  const measured = conditions.filter(({ launches }) => launches.length > 0);
  const decisions = decideReplayed(conditions, RULES.default).filter((decision) => decision !== undefined);
  const counts = (['proven', 'sure', 'likely', 'open'] as const).map(
    (sureness) => `${decisions.filter(({ answer }) => answer.sureness === sureness).length} ${sureness}`,
  );
  const predicted = measured.length - decisions.length;
  return [
    `The 2015 study's sample: ${measured.length} conditions with blocks, 0 without an answer: ${counts.join(', ')}, ${predicted} predicted by the tree (one block alone).`,
    '',
    renderTree(tree, ARMS),
    '',
  ];
}

/** Whether "sure" and "likely" are true as often as they say. */
export function isCalibrated({ settledWrong, likelyWrong }: Calibration): boolean {
  return settledWrong <= SURE_BELOW && likelyWrong <= LIKELY_BELOW;
}

/** Whether the tree of the 2015 study costs no more than is asked of it. */
export function holdsTree({ regret, tree }: TreeFindings): boolean {
  const leaves = JSON.stringify(tree).split('"serve"').length - 1;
  return leaves <= ASKED.treeLeaves && regret.leftOutMeanPercent! <= 100 * ASKED.treeLeftOut;
}

interface Row {
  readonly figures: Calibration;
}

const FIGURES = [
  { title: 'settled', align: 'right', text: ({ figures }) => percent(figures.settled / figures.conditions) },
  { title: 'blocks', align: 'right', text: ({ figures }) => figures.meanBlocks.toFixed(1) },
  { title: 'median', align: 'right', text: ({ figures }) => `${figures.medianBlocks}` },
  { title: '90 %', align: 'right', text: ({ figures }) => `${figures.p90Blocks}` },
  { title: 'regret', align: 'right', text: ({ figures }) => percent(figures.meanRegret, 2) },
  { title: 'sure, wrong', align: 'right', text: ({ figures }) => percent(figures.settledWrong, 1) },
  { title: 'likely, wrong', align: 'right', text: ({ figures }) => percent(figures.likelyWrong, 1) },
] as const satisfies readonly TerminalColumn<Row>[];

const REPLAY_COLUMNS: readonly TerminalColumn<Row & { readonly name: string; readonly rule: RuleName }>[] = [
  { title: 'replays', text: ({ name }) => name },
  ...FIGURES,
];

const GENERATED_COLUMNS: readonly TerminalColumn<Row & { readonly scenario: Scenario }>[] = [
  { title: 'true ratios', text: ({ scenario }) => scenario.ratios },
  { title: 'noise', text: ({ scenario }) => `${percent(scenario.noise)}, ${scenario.shape}` },
  { title: 'launches', align: 'right', text: ({ scenario }) => (scenario.launchShare > 0 ? 'a third' : 'none') },
  { title: 'other pages', text: ({ scenario: { otherPages = 'none' } }) => otherPages },
  {
    title: 'machines',
    align: 'right',
    text: ({ scenario: { machines } }) => (machines ? `${machines.count}, ±${percent(machines.interaction)}` : 'one'),
  },
  ...FIGURES,
];

function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}
