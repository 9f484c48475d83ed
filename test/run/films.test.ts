import { expect, test } from '@jest/globals';
import { openFilms, takeFilms } from '../../harness/run/films.ts';
import type { Store } from '../../harness/store/store.ts';
import { planOf } from '../study/plans.ts';

const MINUTES_MS = 60_000;
const plan = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });

/** The films of a study in which this many loads were made. */
function filmsOf(counted: number, uncounted: number) {
  const store = { filmed: () => [], countLoads: () => ({ counted, uncounted }), addFilms: () => {} };
  return openFilms(plan, store as unknown as Store);
}

test('a condition is filmed while less than a fifth of all loads counts for nothing, its films included', () => {
  const [condition] = plan.conditions;
  // Three arms: 12 + 3 of 75 + 15 are a sixth.
  expect(filmsOf(75, 12).mayTake(condition!, MINUTES_MS)).toBe(true);
  expect(filmsOf(75, 13).mayTake(condition!, MINUTES_MS)).toBe(false);
  expect(filmsOf(0, 0).mayTake(condition!, MINUTES_MS)).toBe(false);
});

test('films that took their share of the time wait', async () => {
  const [condition] = plan.conditions;
  const films = filmsOf(1_000, 0);
  expect(films.mayTake(condition!, MINUTES_MS)).toBe(true);
  const film = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return undefined;
  };
  films.keep(1, condition!, await takeFilms(plan, { film }, condition!));
  expect(films.mayTake(condition!, 500)).toBe(false);
  expect(films.mayTake(condition!, MINUTES_MS)).toBe(true);
});
