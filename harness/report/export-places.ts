import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Arm, Condition, Plan } from '../model/study.ts';
import type { Cell, ColumnOf } from './export-table.ts';

/** What a plan says of the names that its measurements bear. */
export interface Places {
  readonly plan: Plan;
  /** Where a condition was measured; for the control, what it stands for. */
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly arms: ReadonlyMap<string, Arm>;
}

/** Who asks for the control gets what it stands for. */
export function placesOf(plan: Plan): Places {
  const { control } = plan;
  const conditions = new Map(plan.conditions.map((condition) => [condition.id, condition]));
  const arms = new Map(plan.arms.map((arm) => [arm.name, arm]));
  const place = <T>(map: Map<string, T>, name: string, like: string) => {
    const found = map.get(like);
    if (found) map.set(name, found);
  };
  place(conditions, control.id, control.condition);
  for (const name of [control.twin, control.delayed]) place(arms, name, control.arm);
  return { plan, conditions, arms };
}

const CONDITION: readonly ColumnOf<Condition>[] = [
  { name: 'site', kind: 'text', says: 'What was loaded.', cell: ({ site }) => site },
  {
    name: 'link',
    kind: 'text',
    says: "The link's name, or all that it was asked to be.",
    cell: ({ link }) => link.name,
  },
  ...(['down', 'up'] as const).flatMap((name): ColumnOf<Condition>[] => {
    const [Name, way] = name === 'down' ? ['Down', 'to the visitor'] : ['Up', 'from the visitor'];
    return [
      {
        ...{ name: `rate${Name}Kbps`, kind: 'number', unit: 'kbit/s' },
        says: `The link's rate ${way}, of a trace its mean; none where it is unlimited.`,
        cell: ({ link }) => meanRateKbps(link[name].rate),
      },
      {
        ...{ name: `loss${Name}Percent`, kind: 'number', unit: '%' },
        says: `Packets that the link loses ${way}, in the long run.`,
        cell: ({ link }) => meanLossPercent(link[name].loss),
      },
    ];
  }),
  {
    name: 'rttMs',
    kind: 'number',
    unit: 'ms',
    says: 'Round-trip time of the empty link.',
    cell: ({ link }) => rttMs(link),
  },
  { name: 'server', kind: 'text', says: 'What served it.', cell: ({ server }) => server },
  { name: 'device', kind: 'text', says: 'What the visitor held.', cell: ({ device }) => device },
];

/** The study, the condition by its name, and what that is. */
export function placeColumns<Row>({ plan, conditions }: Places, nameOf: (row: Row) => string): ColumnOf<Row>[] {
  return [
    { name: 'study', kind: 'text', says: "The study's name.", cell: () => plan.study },
    { name: 'condition', kind: 'text', says: 'What is held equal while arms are compared.', cell: nameOf },
    ...CONDITION.map(({ cell, ...column }) => ({
      ...column,
      cell: (row: Row): Cell => {
        const condition = conditions.get(nameOf(row));
        return condition && cell(condition);
      },
    })),
  ];
}
