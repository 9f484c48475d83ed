import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { getsMore } from '../comparison/judge-plan.ts';
import type { Decision } from '../model/answer.ts';
import type { Film } from '../model/film.ts';
import type { Condition, Plan } from '../model/study.ts';
import type { Store } from '../store/store.ts';
import { loadFor } from './block.ts';
import type { Lab } from './lab.ts';

/** Of the time that a study has taken, what films may take while there is something to measure. */
const FILM_SHARE = 0.05;

/** The films of a study: of each condition one load of each arm, once it is answered. They count for nothing. */
export interface Films {
  /** Conditions that are answered and neither filmed yet nor being filmed, first where the arms differ most. */
  awaited(judged: Pick<JudgedPlan, 'decisions' | 'states'>): readonly Condition[];
  /** Notes that a condition is about to be filmed, so that no other lab films it. */
  reserve(condition: Condition): void;
  /** Whether there is time for one, in a study that has taken so long. */
  hasTime(elapsedMs: number): boolean;
  take(lab: Pick<Lab, 'film'>, condition: Condition): Promise<void>;
}

/** Those of earlier sessions are there. */
export function openFilms(plan: Plan, { store, session }: { readonly store: Store; readonly session: number }): Films {
  const filmed = new Set(store.filmed());
  let tookMs = 0;
  // What is sent cannot be seen, nor what two transfers share, and a crowd has no one page.
  const shows = ({ site, tabs, topology }: Condition) =>
    tabs === undefined && topology !== 'dumbbell' && plan.sites[site]!.uploadBytes === undefined;
  return {
    awaited: ({ decisions, states }) =>
      plan.conditions
        .map((condition, place) => ({ condition, spread: spreadOf(decisions[place]), state: states[place]! }))
        .filter(({ condition, state }) => !getsMore(state) && shows(condition) && !filmed.has(condition.id))
        .toSorted((a, b) => b.spread - a.spread)
        .map(({ condition }) => condition),
    hasTime: (elapsedMs) => tookMs < FILM_SHARE * elapsedMs,
    reserve(condition) {
      filmed.add(condition.id); // Where none comes of it, none will.
    },
    async take(lab, condition) {
      const beganMs = performance.now();
      const films = new Map<string, Film>();
      for (const { name } of plan.arms) {
        const block = { condition: condition.id, index: 0, order: [] };
        const film = await lab.film({ ...loadFor(plan, { block }, name), beside: undefined });
        if (film) films.set(name, film);
      }
      store.addFilms(session, condition.id, films);
      tookMs += performance.now() - beganMs;
    },
  };
}

/** How far the arms of a condition lie apart. */
function spreadOf(decision: Decision | undefined): number {
  return Math.max(0, ...Object.values(decision?.answer.arms ?? {}).map(({ regretPercent }) => regretPercent));
}
