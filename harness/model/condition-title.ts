import type { Condition, Plan } from './study.ts';

/** What people call a condition: only what tells it from the plan's others, but for site and link. */
export function titleOf({ site, link, server, visit, topology, tabs }: Condition, { conditions }: Plan): string {
  const isOne = (of: (condition: Condition) => string) => new Set(conditions.map(of)).size === 1;
  return [
    `${site} over ${link.name}`,
    ...(isOne((each) => each.server) ? [] : [`from ${server}`]),
    ...(isOne((each) => each.visit) ? [] : [`(${visit})`]),
    ...(isOne((each) => each.topology ?? 'direct') ? [] : [`(${topology ?? 'direct'})`]),
    ...(tabs === undefined ? [] : [`in ${tabs} tabs`]),
  ].join(' ');
}
