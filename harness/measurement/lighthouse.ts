import type { LighthouseCapture } from '../model/capture.ts';
import type { LighthouseScore } from '../model/lighthouse.ts';
import { originOf } from '../model/page.ts';
import { SEEN_AS } from './devtools-log.ts';

/** Judges what Lighthouse brought back: it must have seen the arm's protocol and no other. */
export function lighthouseScoreOf({ page, score, error, metrics, requests }: LighthouseCapture): LighthouseScore {
  const own = requests.flatMap((request) => {
    const origin = originOf(page, request.url);
    return origin ? [{ ...request, asked: SEEN_AS[origin.protocol] }] : [];
  });
  // What was broken off came over nothing.
  const other = own.find(({ protocol, asked }) => protocol !== '' && protocol !== asked);
  if (other) return { status: 'failed', says: `${other.url} came over ${other.protocol}` };
  if (error !== undefined) return { status: 'failed', says: error };
  if (own.length === 0 || score === undefined) return { status: 'failed', says: 'Lighthouse gave no score' };
  return { status: 'ok', score, metrics };
}
