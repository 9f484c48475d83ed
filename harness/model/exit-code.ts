/** What the program ends with, for scripts. */
export const EXIT = {
  done: 0,
  /** A gate is broken, a link is out of tolerance, or a replay is not good enough. */
  failed: 1,
  /** The user made a mistake, which the message names. */
  usage: 2,
  /** This machine cannot do what was asked; the message says what to do about it. */
  machine: 3,
  /** A signal stopped the program. Every finished block is kept. */
  stopped: 4,
  /** A bug, shown with its stack. */
  bug: 70,
} as const;
