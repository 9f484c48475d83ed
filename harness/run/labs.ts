import { availableParallelism, freemem } from 'node:os';
import type { MachineRoom } from '../study/time-needed.ts';
import { linkNameOf } from './assignment.ts';
import type { Lab } from './lab.ts';

/** The labs of a study, by number from 0: each is opened when it is first needed, and kept. */
export interface Labs extends AsyncDisposable {
  /** How many may be open. */
  readonly most: number;
  find(number: number): Promise<Lab>;
}

/** What a lab takes of the memory, with its kernel, servers and browsers: measured, and rounded up. */
const LAB_BYTES = 1.2e9;
/**
 * A lab at work on a slow link takes up to a tenth of a core: with more than `most` of them quick loads would never have the
 * machine. Below `few` links a second lab for a link helps; it has to measure the link as well, and to warm up its browsers.
 */
const LABS_PER_CORE = { most: 6, forFew: 3, few: 2 } as const;

/** How many labs this machine has room for: one for each link, or for few links some more; never more than conditions. */
export function labsThatFit(
  conditions: readonly Parameters<typeof linkNameOf>[0][],
  cores = availableParallelism(),
  bytes = freemem(),
): number {
  const links = new Set(conditions.map(linkNameOf)).size;
  const { most, forFew, few } = LABS_PER_CORE;
  const wanted = links < few * cores ? forFew * cores : Math.min(links, most * cores);
  return Math.max(1, Math.min(conditions.length, wanted, Math.floor(bytes / LAB_BYTES)));
}

/** What this machine has for a study of these conditions: as many labs as were asked for, or as fit. */
export function roomFor(conditions: Parameters<typeof labsThatFit>[0], labs = labsThatFit(conditions)): MachineRoom {
  return { labs, cores: availableParallelism() };
}

/** The labs of a study, none of which is open yet. */
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
