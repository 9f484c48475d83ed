import { BLOCKS_OF_A_LAUNCH } from '../model/pace.ts';

/** Says when browsers are to be launched anew. */
export interface LaunchLimit {
  /** Counts a block of a condition; true where it needs new browsers. */
  needed(condition: string): boolean;
}

/** No launch serves more than so many blocks of one condition, nor more than so many in all. */
export function openLaunchLimit(): LaunchLimit {
  const { ofACondition, inAll: most } = BLOCKS_OF_A_LAUNCH;
  let served = new Map<string, number>();
  let inAll: number = most; // There is none to begin with.
  return {
    needed(condition) {
      const here = served.get(condition) ?? 0;
      const needed = here >= ofACondition || inAll >= most;
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
