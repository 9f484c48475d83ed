/** A mistake in what was asked: names the option or the path in the file, and what would be right. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * A part of a lab has died or does not answer, while nothing was measured: a new lab may do what this one could not. It
 * never reaches a person as it is.
 */
export class LabError extends Error {
  override readonly name = 'LabError';
}

/** This machine cannot do what was asked: names what is missing and the command that mends it. Exit code 3. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}
