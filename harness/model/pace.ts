/*
 * How a study goes about its blocks: the loop keeps to this, and the forecast of how long a study takes counts on it.
 */

/** How long a calibration holds. */
export const CALIBRATION_HOLDS_MS = 30 * 60_000;

/**
 * A launch is a source of variance itself (Kalibera and Jones 2013), so none serves many blocks: of a condition, and in
 * all. The first one serves fewest, so that what is clear is settled by few blocks from two launches; those up to as many as
 * an answer has to rest on serve fewer than later ones. The numbers follow from `bench launches`
 * (reports/samples/bench-launches.txt): what arms of quick pages differ by varies between launches of the headless shell by a
 * tenth of what it varies by within one.
 */
export const BLOCKS_OF_A_LAUNCH = { first: 2, required: 4, later: 8, inAll: 24 } as const;

/** The blocks of each condition after which the control begins: first answers come first. */
export const BLOCKS_BEFORE_CONTROL = 2;
/** How many other blocks there are then for each one of the control. */
export const BLOCKS_PER_CONTROL = 8;
