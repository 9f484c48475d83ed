import { type AdviceRequest, advise } from '../../harness/advice/advice.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Advice, AdviceCondition, Mix } from '../../harness/model/advice.ts';
import type { Decision } from '../../harness/model/answer.ts';
import { decisionOf, knownDecision } from '../comparison/decisions.ts';

export const ARMS: AdviceRequest['arms'] = [
  { name: 'h1', protocol: 'h1', title: 'HTTP/1.1' },
  { name: 'h2', protocol: 'h2', title: 'HTTP/2' },
  { name: 'h3', protocol: 'h3', title: 'HTTP/3' },
];

/** How much longer loads take with each arm than with the best one. */
export type Slowdowns = Readonly<Record<string, number>>;
/** A page over a link of this name; undefined where it was not measured. */
export type Row = readonly [profile: string, decision: Slowdowns | Decision | undefined];

export function conditionsOf(rows: readonly Row[]): readonly AdviceCondition[] {
  return rows.map(([profile, given], index) => {
    const id = `page ${index}|${profile}`;
    const decision =
      given === undefined || 'answer' in given ? (given as Decision | undefined) : knownDecision(id, given);
    return { id, title: `page ${index} over ${profile}`, site: `page ${index}`, profile, decision };
  });
}

export interface Wish {
  readonly mix?: Mix;
  readonly served?: string;
  readonly arms?: AdviceRequest['arms'];
  readonly forced?: boolean;
}

export function adviceOn(rows: readonly Row[], { mix, served = 'h2', arms = ARMS, forced = true }: Wish = {}): Advice {
  return advise({
    conditions: conditionsOf(rows),
    arms,
    rule: RULES.default,
    metric: 'plt',
    served,
    forced,
    mix,
  })!;
}

export const equal = { h1: 1, h2: 1, h3: 1 };
export const h3Wins = { h1: 1.5, h2: 1.25, h3: 1 };
export const h3Loses = { h1: 1, h2: 1, h3: 1.08 };
export const unsettled = (slowdowns: Readonly<Record<string, readonly number[]>>, id = 'c') =>
  decisionOf(id, slowdowns, { sureness: 'open', settled: false });

/** What is said where HTTP/3 is forced. */
export const ASSUMES = 'First visits: they may be slower, and were not measured.';
