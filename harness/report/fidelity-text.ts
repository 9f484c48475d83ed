import type { Fidelity } from '../measurement/fidelity.ts';

/** What was compared of a recording and its replay. */
export interface Verified {
  readonly fidelity: Fidelity;
  /** The link as a specification. */
  readonly link: string;
  /** Whether the user gave the link, or it was estimated from the page's loads. */
  readonly linkIs: 'given' | 'estimated';
  readonly liveMs: number;
  /** How many loads that was the median of. */
  readonly liveLoads: number;
  readonly replayMs: number;
  readonly replayLoads: number;
  /** Loads that did not count, each with its reason. */
  readonly mishaps: readonly string[];
}

/** How far apart the two times may be: a share, or what a lab's own doings are to a page that takes no time. */
const MOST_APART = 0.15;
const MOST_APART_MS = 50;

const LINES = 10;

/** Whether a replay does what was recorded, in as much time, and as a rule: most loads come to an end that counts. */
export function isFaithful({ fidelity, liveMs, replayMs, replayLoads, mishaps }: Verified): boolean {
  const { missing, further, lost } = fidelity;
  const isSame = missing.length + further.length + lost.length === 0;
  return isSame && isNear(liveMs, replayMs) && replayLoads > mishaps.length;
}

function isNear(liveMs: number, replayMs: number): boolean {
  return Math.abs(replayMs - liveMs) <= Math.max(MOST_APART * liveMs, MOST_APART_MS);
}

/** How far a replay is true to its recording, as lines for the terminal. */
export function renderVerified(verified: Verified): string {
  const { fidelity, link, linkIs, liveMs, liveLoads, replayMs, replayLoads, mishaps } = verified;
  const { recorded, again, nearly, missing, further, lost } = fidelity;
  const percent = `${(100 * (replayMs / liveMs - 1)).toFixed(1)} %`;
  const within = isNear(liveMs, replayMs) ? 'within' : 'not within';
  return [
    'Replayed:',
    `  ${again} of ${recorded} recorded requests were made again${nearly > 0 ? `, ${nearly} of them with values that each load makes itself (times, random numbers)` : ''}`,
    ...listed('recorded, and not asked for', missing),
    ...listed('asked for, and not recorded', further),
    ...listed('came when it was recorded, and could not be kept', lost),
    `  over ${link} (${linkIs}): ${Math.round(replayMs)} ms (median of ${replayLoads}); live ${Math.round(liveMs)} ms (${liveLoads === 1 ? 'the load that was recorded' : `median of ${liveLoads}`}): ${percent} apart, ${within} ${100 * MOST_APART} % or ${MOST_APART_MS} ms`,
    ...listed('loads that do not count', mishaps),
    `  ${isFaithful(verified) ? 'The replay is as good as the page.' : 'The replay is not as good as the page: read its figures with that in mind.'}`,
  ].join('\n');
}

function listed(what: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [
    `  ${what} (${items.length}):`,
    ...items.slice(0, LINES).map((item) => `    ${item}`),
    ...(items.length > LINES ? [`    and ${items.length - LINES} more`] : []),
  ];
}
