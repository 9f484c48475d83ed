import { TOPOLOGIES } from '../model/lab.ts';
import { rttMs } from '../model/link.ts';
import type { SiteFacts } from '../model/site.ts';
import { type Arm, armsLoaded, type Condition, type Plan } from '../model/study.ts';
import { likelyLoadMs } from './load-forecast.ts';

// What a load and a block take besides the page load, as measured on two cores.
export const LOAD_MS = 220;
const BLOCK_MS = 100;
const TAB_MS = 100;
/** What the earlier visit of a returning visitor takes besides its load. */
const LEAVING_MS = 500;

/** What a block of a condition is likely to take, by the plan alone. */
export function likelyBlockMs(plan: Plan, condition: Condition): number {
  const facts = factsOf(plan, condition);
  return BLOCK_MS + armsLoaded(plan, condition).reduce((sum, arm) => sum + likelyVisitMs(condition, arm, facts), 0);
}

/** What a load takes with all that belongs to it. */
export function likelyVisitMs(condition: Condition, arm: Arm, facts: SiteFacts): number {
  const visit = arm.visit ?? condition.visit;
  const clients = clientsOf(condition);
  const tabs = clients * (condition.tabs ?? 0);
  const before = {
    cold: 0,
    discovered: 0,
    first: 0,
    resumed: LEAVING_MS,
    // Visits of an empty page, each until nothing passes the link any more.
    returning: (arm.offer === 'h3-altsvc' ? 3 : 2) * (LEAVING_MS + 6 * rttMs(condition.link)),
    repeat: LEAVING_MS + likelyLoadMs(condition, { ...arm, visit: 'cold' }, facts),
  }[visit];
  return likelyLoadMs(condition, arm, facts) + before + LOAD_MS * (arm.beside ? 2 : clients) + tabs * TAB_MS;
}

/** What is known of a condition's site, as the study has it served. */
export function factsOf({ sites, thinkTimes }: Plan, { site }: Condition): SiteFacts {
  const { thinkMs, ...facts } = sites[site]!;
  return thinkMs === undefined || thinkTimes === false ? facts : { ...facts, thinkMs };
}

/** How many browsers load at once. */
export function clientsOf({ tabs, topology = 'direct' }: Condition): number {
  return tabs === undefined ? 1 : TOPOLOGIES[topology].clients;
}
