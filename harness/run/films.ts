import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { getsMore } from '../comparison/judge-plan.ts';
import type { Decision } from '../model/answer.ts';
import type { Film } from '../model/film.ts';
import { armsLoaded, type Condition, type Plan } from '../model/study.ts';
import type { Store } from '../store/store.ts';
import { loadFor } from './block.ts';
import type { Lab } from './lab.ts';

/** The share of a study's time that films may take while there is something left to measure. */
const FILM_SHARE = 0.05;

/**
 * The share of a study's loads that may count for nothing, films included, while there is something left to measure: a fifth,
 * less what launches to come warm up.
 */
const UNCOUNTED_SHARE = 0.17;

/** The films of a study: of each condition one load of each arm, once it is answered. They count for nothing. */
export interface Films {
  /** Conditions that are answered and neither filmed yet nor being filmed, first where the arms differ most. */
  awaited(judged: Pick<JudgedPlan, 'decisions' | 'states'>): readonly Condition[];
  /** Notes that a condition is about to be filmed, so that no other lab films it. */
  reserve(condition: Condition): void;
  /** Whether films have not taken their share yet of a study that has run for `elapsedMs`. */
  hasTime(elapsedMs: number): boolean;
  /** Whether a condition may be filmed while there is something left to measure, in a study that has run for `elapsedMs`. */
  mayTake(condition: Condition, elapsedMs: number): boolean;
  /** Keeps what was taken, as a session's. */
  keep(session: number, condition: Condition, taken: TakenFilms): void;
}

/** The films of a condition by arm, of those that came to their end, and what they took. */
export interface TakenFilms {
  readonly films: ReadonlyMap<string, Film>;
  readonly tookMs: number;
}

/** Films a load of each arm in a lab, over the link that is open. */
export async function takeFilms(plan: Plan, lab: Pick<Lab, 'film'>, condition: Condition): Promise<TakenFilms> {
  const beganMs = performance.now();
  const films = new Map<string, Film>();
  for (const { name } of armsLoaded(plan, condition)) {
    const block = { condition: condition.id, index: 0, order: [] };
    const film = await lab.film({ ...loadFor(plan, { block }, name), beside: undefined });
    if (film) films.set(name, film);
  }
  return { films, tookMs: performance.now() - beganMs };
}

/** Opens the films of a study, with those of earlier sessions. */
export function openFilms(plan: Plan, store: Store): Films {
  const filmed = new Set(store.filmed());
  let allTookMs = 0;
  const hasTime = (elapsedMs: number) => allTookMs < FILM_SHARE * elapsedMs;
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
    hasTime,
    mayTake(condition, elapsedMs) {
      if (!hasTime(elapsedMs)) return false;
      const { counted, uncounted } = store.countLoads(plan.control.id);
      const withFilm = uncounted + armsLoaded(plan, condition).length;
      return withFilm <= UNCOUNTED_SHARE * (counted + withFilm);
    },
    reserve(condition) {
      filmed.add(condition.id); // Where that fails, it is not tried again.
    },
    keep(session, { id }, { films, tookMs }) {
      store.addFilms(session, id, films);
      allTookMs += tookMs;
    },
  };
}

/** How far the arms of a condition lie apart. */
function spreadOf(decision: Decision | undefined): number {
  return Math.max(0, ...Object.values(decision?.answer.arms ?? {}).map(({ regretPercent }) => regretPercent));
}
