import type { Features } from '../harness/model/tree.ts';
import { figure, percent, rate } from './wording.ts';

/** Whether a link has a name, or anything to say, beyond its rate, its round trip and its loss. */
export function hasOwnName(link: string): boolean {
  return !/^rate=[^,]+,rtt=[^,]+,loss=[^,]+$/.test(link);
}

/** What a link is, as people read it. */
export function linkInWords({ rateKbps, rttMs, lossPercent }: Features): readonly string[] {
  return [rate(rateKbps), `${figure(rttMs, 0)} ms`, `${percent(lossPercent)} loss`];
}
