import { BLOCKS_OF_A_LAUNCH } from '../model/pace.ts';

/** Says when a lab's browsers are to be launched again. */
export interface LaunchLimit {
  /** Counts a block of a condition that `launches` have served so far; true where it needs new browsers. */
  needed(condition: string, launches: number): boolean;
}

/**
 * Limits the blocks that a launch serves, of one condition and in all, to `BLOCKS_OF_A_LAUNCH`; `required` is the number of
 * launches that an answer has to rest on. Where a condition gets a fixed number of blocks, several labs may have some of them:
 * no launch then serves more than its share, so that all of them come from as many launches as are required.
 */
export function openLaunchLimit(required: number, blocks = Number.POSITIVE_INFINITY): LaunchLimit {
  const { inAll: most, first, later } = BLOCKS_OF_A_LAUNCH;
  const fair = Math.max(first, Math.floor((blocks - 1) / (required - 1)));
  const mostAfter = (launches: number) => {
    if (launches < 2) return first;
    return launches < required ? Math.min(BLOCKS_OF_A_LAUNCH.required, fair) : later;
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
