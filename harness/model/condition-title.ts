import { titleOfLink } from './link-title.ts';
import type { Condition, Plan } from './study.ts';

/** What people call a condition: only what tells it from the plan's others, but for site and link. */
export function titleOf(condition: Condition, plan: Plan): string {
  const { site, link, topology, tabs } = condition;
  return [
    `${site} over ${titleOfLink(link.name)}`,
    ...serving(condition, plan),
    ...(isOne(plan, (each) => each.topology ?? 'direct') ? [] : [`(${topology ?? 'direct'})`]),
    ...(tabs === undefined ? [] : [`in ${tabs} tabs`]),
  ].join(' ');
}

/** What people call a condition's page, whatever link it comes over. */
export function titleOfPage(condition: Condition, plan: Plan): string {
  return [condition.site, ...serving(condition, plan)].join(' ');
}

/** Where a page comes from and to whom, as far as that tells conditions of a plan from each other. */
function serving({ server, visit }: Condition, plan: Plan): readonly string[] {
  return [
    ...(isOne(plan, (each) => each.server) ? [] : [`from ${server}`]),
    ...(isOne(plan, (each) => each.visit) ? [] : [`(${visit})`]),
  ];
}

function isOne({ conditions }: Plan, of: (condition: Condition) => string): boolean {
  return new Set(conditions.map(of)).size === 1;
}
