import { availableParallelism, freemem } from 'node:os';
import type { Lab } from './lab.ts';

/** The labs of a study, by number from 0: each is opened by whoever needs it first, and kept. */
export interface Labs extends AsyncDisposable {
  /** How many may be open. */
  readonly most: number;
  find(number: number): Promise<Lab>;
}

/** What a lab takes of the memory, with its kernel, servers and browsers: measured, and rounded up. */
const LAB_BYTES = 1.2e9;
/** An open lab that waits for its link takes up to a tenth of a core, so that more of them would cost more than they bring. */
const LABS_PER_CORE = 3;

/** How many labs this machine has room for; a study never needs more of them than it has conditions. */
export function labsThatFit(conditions: number, cores = availableParallelism(), bytes = freemem()): number {
  return Math.max(1, Math.min(conditions, LABS_PER_CORE * cores, Math.floor(bytes / LAB_BYTES)));
}

/** No lab yet. */
export function openLabs(open: () => Promise<Lab>, most: number): Labs {
  const opened = new Map<number, Promise<Lab>>();
  return {
    most,
    find(number) {
      const lab = opened.get(number) ?? open();
      opened.set(number, lab);
      return lab;
    },
    async [Symbol.asyncDispose]() {
      const labs = await Promise.allSettled(opened.values());
      await Promise.all(labs.map((lab) => (lab.status === 'fulfilled' ? lab.value[Symbol.asyncDispose]() : undefined)));
    },
  };
}
