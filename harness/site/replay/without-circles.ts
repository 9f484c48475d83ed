import type { RecordedResponse } from '../../model/recording.ts';
import { targetOf } from '../record/redirects.ts';

/** A response before its origin was renamed, and after. */
export interface MovedResponse {
  readonly before: RecordedResponse;
  readonly now: RecordedResponse;
}

/** Browsers follow no more redirects than these. */
const MOST_HOPS = 20;

/**
 * One answer for each address, where two origins have become one: that of the origin that had TLS already, unless it leads
 * in a circle now. A redirect from the one to the other leads nowhere else, and is none any more.
 */
export function withoutCircles(moved: readonly MovedResponse[]): readonly RecordedResponse[] {
  const left = moved.filter(({ before, now }) => targetOf(now) !== now.url || targetOf(before) === before.url);
  const byRequest = Map.groupBy(left, ({ now: { method, url } }) => `${method} ${url}`);
  const chosen = new Map([...byRequest].map(([request, all]) => [request, preferred(all)]));
  const next = (url: string) => {
    const last = chosen.get(`GET ${url}`)?.at(-1);
    return last && targetOf(last.now);
  };
  for (const [request, all] of byRequest) {
    const others = all.filter((each) => !chosen.get(request)!.includes(each));
    if (others.length === 0 || !leadsBack(all[0]!.now.url, next)) continue;
    const first = chosen.get(request)!;
    chosen.set(request, others);
    if (leadsBack(all[0]!.now.url, next)) chosen.set(request, first);
  }
  const kept = new Set([...chosen.values()].flat());
  return left.filter((each) => kept.has(each)).map(({ now }) => now);
}

function preferred(all: readonly MovedResponse[]): readonly MovedResponse[] {
  const secure = all.filter(({ before }) => before.url.startsWith('https:'));
  return secure.length > 0 ? secure : all;
}

function leadsBack(url: string, next: (url: string) => string | undefined): boolean {
  let at = next(url);
  for (let hops = 0; hops < MOST_HOPS && at !== undefined && at !== url; hops += 1) at = next(at);
  return at === url;
}
