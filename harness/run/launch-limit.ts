import { BLOCKS_OF_A_LAUNCH } from '../model/pace.ts';

/** Says when a lab's browsers are to be launched anew. */
export interface LaunchLimit {
  /** Counts a block of a condition that has come from so many launches so far; true where it needs new browsers. */
  needed(condition: string, launches: number): boolean;
}

/** No launch serves more than so many blocks of one condition, nor more than so many in all; the first serves fewer. */
export function openLaunchLimit(): LaunchLimit {
  const { first, ofACondition, inAll: most } = BLOCKS_OF_A_LAUNCH;
  let served = new Map<string, number>();
  let inAll: number = most; // There is none to begin with.
  return {
    needed(condition, launches) {
      const here = served.get(condition) ?? 0;
      const needed = here >= (launches < 2 ? first : ofACondition) || inAll >= most;
      if (needed) {
        served = new Map();
        inAll = 0;
      }
      served.set(condition, (served.get(condition) ?? 0) + 1);
      inAll += 1;
      return needed;
    },
  };
}
