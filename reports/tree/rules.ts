import type { Regret } from '../../harness/model/tree.ts';
import { type ArmLook, chip } from '../arms.ts';
import { type Child, element, styled } from '../elements.ts';
import type { Report } from '../report.ts';
import { percent } from '../wording.ts';

/** What following the tree, or always the same protocol, costs against the best protocol everywhere. */
export function drawBaselines({ data: { summary }, looks }: Report): Child[] {
  const { regret, baselines = {}, leaveOneOut } = summary;
  const rows = [
    { who: 'This tree' as string | ArmLook, regret: regret! },
    ...looks.map((look) => ({ who: look as string | ArmLook, regret: baselines[`always ${look.name}`]! })),
  ].filter((row): row is { who: string | ArmLook; regret: Regret } => row.regret !== undefined);
  const finite = rows.map(({ regret: { regretPercent } }) => regretPercent).filter(Number.isFinite);
  // What never ends is longer than all that does.
  const most = Math.max(1, ...finite) * (finite.length < rows.length ? 1.6 : 1);
  const share = ({ regretPercent }: Regret) => (Number.isFinite(regretPercent) ? (100 * regretPercent) / most : 100);
  return [
    element('h3', {}, 'Regret'),
    element(
      'p',
      { class: 'quiet' },
      'How much longer loads take than with each condition’s best protocol: on average, and in the worst condition; ∞ where they fail and others do not.',
    ),
    element(
      'dl',
      { class: 'bars' },
      ...rows.flatMap(({ who, regret: own }) => [
        element('dt', {}, typeof who === 'string' ? element('b', {}, who) : chip(who, `always ${who.name}`)),
        element(
          'dd',
          { 'data-rule': typeof who === 'string' ? 'tree' : who.name },
          element(
            'span',
            { class: 'track' },
            styled(element('span', { class: `fill ${typeof who === 'string' ? 'own' : who.className}` }), {
              width: `${share(own)}%`,
            }),
          ),
          element('b', {}, percent(own.regretPercent)),
          element('span', { class: 'quiet' }, `worst ${percent(own.worstPercent)}`),
        ),
      ]),
    ),
    leaveOneOut !== undefined &&
      leaveOneOut.of > 0 &&
      element(
        'p',
        { class: 'quiet after' },
        `Grown without a condition, the tree is right about it in ${leaveOneOut.right} of ${leaveOneOut.of}.`,
      ),
  ];
}
