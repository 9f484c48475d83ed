import type { Regret, TreeRegret } from '../../harness/model/tree.ts';
import { type ArmLook, chip } from '../arms.ts';
import { type Child, element, type HtmlColumn, htmlTable, styled } from '../elements.ts';
import type { PageConclusions, Report } from '../report.ts';
import { percent } from '../wording.ts';

/** A rule that one may follow, and what that costs. */
interface Rule {
  readonly key: string;
  readonly name: Child;
  readonly className: string;
  readonly meanPercent: number;
  readonly worstPercent: number;
}

/** What following the tree, or always the same protocol, costs against the best protocol everywhere. */
export function drawRules({ looks }: Report, { regret = {} }: PageConclusions): Child[] {
  const rules = [
    ...rulesOfTree(regret.tree),
    ...looks.flatMap((look) => alwaysOne(look, regret[`always ${look.name}`])),
  ];
  const most = Math.max(1, ...rules.map(({ meanPercent }) => meanPercent));
  const columns: readonly HtmlColumn<Rule>[] = [
    { title: 'What you serve', cell: ({ name }) => name },
    {
      title: 'Mean',
      numeric: true,
      cell: ({ key, className, meanPercent }) =>
        element(
          'span',
          { class: 'with-bar', 'data-rule': key },
          element(
            'span',
            { class: 'track', 'aria-hidden': 'true' },
            styled(element('span', { class: `fill ${className}` }), { width: `${(100 * meanPercent) / most}%` }),
          ),
          element('b', {}, percent(meanPercent)),
        ),
    },
    { title: 'Worst', numeric: true, cell: ({ worstPercent }) => percent(worstPercent) },
  ];
  return [
    element('h3', {}, 'Regret'),
    element(
      'p',
      { class: 'quiet' },
      'How much longer pages load than with each condition’s best protocol: on average over the traffic, and in the worst condition.',
    ),
    htmlTable('Regret of the tree, and of always one protocol', columns, rules),
  ];
}

function rulesOfTree(regret: TreeRegret | undefined): readonly Rule[] {
  if (!regret) return [];
  const { meanPercent, worstPercent, leftOutMeanPercent, leftOutWorstPercent, newPage, newLink } = regret;
  const own = { key: 'tree', name: element('b', {}, 'as this tree says'), className: 'own', meanPercent, worstPercent };
  const unseen = (key: string, where: string, found: Regret | undefined): readonly Rule[] =>
    found ? [{ key, name: `the tree, ${where}`, className: 'own unseen', ...found }] : [];
  const leftOut =
    leftOutMeanPercent === undefined
      ? undefined
      : { meanPercent: leftOutMeanPercent, worstPercent: leftOutWorstPercent ?? leftOutMeanPercent };
  return [
    own,
    ...unseen('left-out', 'for a condition that it has not seen', leftOut),
    ...unseen('new-page', 'for a page that it has not seen', newPage),
    ...unseen('new-link', 'over a link that it has not seen', newLink),
  ];
}

function alwaysOne(look: ArmLook, regret: TreeRegret | undefined): readonly Rule[] {
  if (!regret) return [];
  const { meanPercent, worstPercent } = regret;
  return [
    { key: look.name, name: chip(look, `always ${look.title}`), className: look.className, meanPercent, worstPercent },
  ];
}
