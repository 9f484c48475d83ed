/*
 * How a study goes about its blocks, for whoever does it and whoever says beforehand how long it will take.
 */

/** So long a calibration holds. */
export const CALIBRATION_HOLDS_MS = 30 * 60_000;

/**
 * A launch is a source of variance itself (Kalibera and Jones 2013), so none serves many blocks: of a condition, and in
 * all. The first one serves fewer, so that what is clear is settled by few blocks from two launches.
 */
export const BLOCKS_OF_A_LAUNCH = { first: 2, ofACondition: 4, inAll: 24 } as const;

/** After so many blocks of each condition the control begins: first answers come first. */
export const BLOCKS_BEFORE_CONTROL = 2;
/** Then it has a block for every few others. */
export const BLOCKS_PER_CONTROL = 8;
