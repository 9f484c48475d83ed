import { BLOCKS_OF_A_LAUNCH } from '../model/pace.ts';

/** Says when a lab's browsers are to be launched again. */
export interface LaunchLimit {
  /** Counts a block of a condition that `launches` have served so far; true where it needs new browsers. */
  needed(condition: string, launches: number): boolean;
}

/**
 * Limits the blocks that a launch serves, of one condition and in all, to `BLOCKS_OF_A_LAUNCH`; `required` is the number of
 * launches that an answer has to rest on.
 */
export function openLaunchLimit(required: number): LaunchLimit {
  const { inAll: most } = BLOCKS_OF_A_LAUNCH;
  const mostAfter = (launches: number) => {
    if (launches < 2) return BLOCKS_OF_A_LAUNCH.first;
    return launches < required ? BLOCKS_OF_A_LAUNCH.required : BLOCKS_OF_A_LAUNCH.later;
  };
  let served = new Map<string, number>();
  let inAll: number = most; // There is none to begin with.
  return {
    needed(condition, launches) {
      const here = served.get(condition) ?? 0;
      const needed = here >= mostAfter(launches) || inAll >= most;
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
