import { RULES } from '../../harness/comparison/rules.ts';
import type { GateCondition, GateStudy } from '../../harness/model/gate.ts';
import { recordOf, type Times } from '../comparison/blocks.ts';

/** A condition of `count` blocks, as a gate sees it; its title is also its link. */
export function gateCondition(
  title: string,
  count: number,
  times: Readonly<Record<string, Times>>,
  more: Partial<GateCondition> = {},
): GateCondition {
  const { blocks } = recordOf(title, count, times);
  return {
    id: `page|${title}|nginx|cold`,
    title,
    site: 'page',
    link: title,
    weight: 1,
    blocks,
    plts: blocks,
    verdicts: [],
    isFixed: true,
    ...more,
  };
}

/** A study of these conditions, of the arms in the first of them. */
export function gateStudy(conditions: readonly GateCondition[]): GateStudy {
  const weights = conditions.reduce((sum, { weight }) => sum + weight, 0);
  return {
    conditions: conditions.map((condition) => ({ ...condition, weight: condition.weight / weights })),
    unmeasured: [],
    arms: Object.keys(conditions[0]!.blocks[0]!.outcomes),
    rule: RULES.default,
  };
}
