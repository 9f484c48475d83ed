import type { Calibration } from '../model/calibration.ts';
import type { Link } from '../model/link.ts';
import { CALIBRATION_HOLDS_MS } from '../model/pace.ts';
import type { Testbed } from './testbed.ts';

/** A link that is set, as it was last measured. */
export interface OpenedLink {
  readonly calibration: Calibration;
  /** Whether it was measured just now. */
  readonly fresh: boolean;
}

/** What a calibration needs of a testbed. */
type Calibrated = Pick<Testbed, 'setLink' | 'calibrate'>;

/** The calibrations of links, each on its testbed. */
export interface Calibrations {
  /** Sets a link; measures it, in its turn, where that was not done within the last half hour. */
  open(testbed: Calibrated, link: Link, inTurn?: InTurn): Promise<OpenedLink>;
}

/** Has what takes the processor wait for its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** No link is calibrated yet; `nowMs` is a clock that never goes back. */
export function openCalibrations(nowMs: () => number = () => performance.now()): Calibrations {
  const known = new WeakMap<Calibrated, Map<string, { readonly calibration: Calibration; readonly atMs: number }>>();
  return {
    async open(testbed, link, inTurn = (work) => work()) {
      const own = known.get(testbed) ?? new Map();
      const found = own.get(link.name);
      if (found && nowMs() - found.atMs < CALIBRATION_HOLDS_MS) {
        await testbed.setLink(link);
        return { calibration: found.calibration, fresh: false };
      }
      const calibration = await inTurn(() => testbed.calibrate(link));
      known.set(testbed, own.set(link.name, { calibration, atMs: nowMs() }));
      return { calibration, fresh: true };
    },
  };
}
