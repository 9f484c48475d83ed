import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Arm, Condition, Plan } from '../model/study.ts';
import { type ColumnOf, column } from './export-table.ts';

/** What a plan says of the names that its measurements bear. */
export interface ExportPlaces {
  readonly plan: Plan;
  /** Where a condition was measured; for the control, what it stands for. */
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly arms: ReadonlyMap<string, Arm>;
}

/**
 * The places of a plan's conditions and arms. The control's twin and delayed arm have the places of the arm that they
 * stand for.
 */
export function exportPlacesOf(plan: Plan): ExportPlaces {
  const { control } = plan;
  const conditions = new Map(plan.conditions.map((condition) => [condition.id, condition]));
  const arms = new Map(plan.arms.map((arm) => [arm.name, arm]));
  const own = arms.get(control.arm);
  conditions.set(control.id, control.condition);
  for (const name of own ? [control.twin, control.delayed] : []) arms.set(name, own!);
  return { plan, conditions, arms };
}

const CONDITION: readonly ColumnOf<Condition>[] = [
  column(['site', 'text'], 'What was loaded.', ({ site }) => site),
  column(['link', 'text'], "The link's name, or all that it was asked to be.", ({ link }) => link.name),
  column(['rateDownKbps', 'number', 'kbit/s'], rateSays('to'), ({ link }) => meanRateKbps(link.down.rate)),
  column(['rateUpKbps', 'number', 'kbit/s'], rateSays('from'), ({ link }) => meanRateKbps(link.up.rate)),
  column(['rttMs', 'number', 'ms'], 'Round-trip time of the empty link.', ({ link }) => rttMs(link)),
  column(['lossDownPercent', 'number', '%'], lossSays('to'), ({ link }) => meanLossPercent(link.down.loss)),
  column(['lossUpPercent', 'number', '%'], lossSays('from'), ({ link }) => meanLossPercent(link.up.loss)),
  column(['server', 'text'], 'What served it.', ({ server }) => server),
  column(['device', 'text'], 'What the visitor held.', ({ device }) => device),
];

function rateSays(way: 'to' | 'from'): string {
  return `The link's rate ${way} the visitor, of a trace its mean; none where it is unlimited.`;
}

function lossSays(way: 'to' | 'from'): string {
  return `Packets that the link loses ${way} the visitor, in the long run.`;
}

/** The study, the condition by its name, and what that is. */
export function placeColumns<Thing>(
  { plan, conditions }: ExportPlaces,
  nameOf: (thing: Thing) => string,
): ColumnOf<Thing>[] {
  return [
    column(['study', 'text'], "The study's name.", () => plan.study),
    column(['condition', 'text'], 'What is held equal while arms are compared.', nameOf),
    ...CONDITION.map(({ cell, ...head }) => ({
      ...head,
      cell: (thing: Thing) => {
        const condition = conditions.get(nameOf(thing));
        return condition && cell(condition);
      },
    })),
  ];
}
