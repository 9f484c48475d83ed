/*
 * How a study goes about its blocks, for whoever does it and whoever says beforehand how long it will take.
 */

/** So long a calibration holds. */
export const CALIBRATION_HOLDS_MS = 30 * 60_000;

/** A launch is a source of variance itself (Kalibera and Jones 2013), so none serves many blocks: of a condition, and in all. */
export const BLOCKS_OF_A_LAUNCH = { ofACondition: 3, inAll: 24 } as const;

/** So many rounds the control waits: first verdicts come first. Then it has a block in each. */
export const ROUNDS_BEFORE_CONTROL = 14;
