/** What setup ends with, as `model/exit-code.ts` has it for the rest: this folder imports nothing from outside. */
export const EXIT = { bug: 70, usage: 2, machine: 3, stopped: 4 };

/** This machine cannot, for a reason that the message names together with what to do; exit code 3. */
export class EnvironmentError extends Error {
  /** @override */
  name = 'EnvironmentError';
}

/** A signal ended the work, and what was begun is finished by the next run; exit code 4. */
export class StoppedError extends Error {
  /** @override */
  name = 'StoppedError';
}
