import { titleOfLink } from './link-title.ts';
import type { Condition, Plan } from './study.ts';

/** What people call a condition: only what tells it from the plan's others, but for site and link. */
export function titleOf(condition: Condition, plan: Plan): string {
  const { site, link, topology, tabs } = condition;
  return [
    `${site}${overLink(link.name)}`,
    ...serving(condition, plan),
    ...(isOne(plan, (each) => each.topology ?? 'direct') ? [] : [`(${topology ?? 'direct'})`]),
    ...(tabs === undefined ? [] : [`in ${tabs} tabs`]),
  ].join(' ');
}

/** The title of a condition without its link: the same for all links that a page is loaded over. */
export function withoutLink(title: string, link: string): string {
  return title.replace(overLink(link), '');
}

function overLink(link: string): string {
  return ` over ${titleOfLink(link)}`;
}

/** What people call a condition's page, whatever link it comes over. */
export function titleOfPage(condition: Condition, plan: Plan): string {
  return [condition.site, ...serving(condition, plan)].join(' ');
}

/** The server and the kind of visit, as far as they tell conditions of a plan from each other. */
function serving({ server, visit }: Condition, plan: Plan): readonly string[] {
  return [
    ...(isOne(plan, (each) => each.server) ? [] : [`from ${server}`]),
    ...(isOne(plan, (each) => each.visit) ? [] : [`(${visit})`]),
  ];
}

function isOne({ conditions }: Plan, of: (condition: Condition) => string): boolean {
  return new Set(conditions.map(of)).size === 1;
}
