/** Says when browsers are to be launched anew. */
export interface LaunchLimit {
  /** Counts a block of a condition; true where it needs new browsers. */
  needed(condition: string): boolean;
}

/** A launch is a source of variance itself (Kalibera and Jones 2013), so none serves many blocks. */
const BLOCKS_OF_A_CONDITION = 3;
const BLOCKS_IN_ALL = 24;

/** No launch serves more than three blocks of one condition, nor more than twenty-four in all. */
export function openLaunchLimit(): LaunchLimit {
  let served = new Map<string, number>();
  let inAll = BLOCKS_IN_ALL; // There is none to begin with.
  return {
    needed(condition) {
      const here = served.get(condition) ?? 0;
      const needed = here >= BLOCKS_OF_A_CONDITION || inAll >= BLOCKS_IN_ALL;
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
