import type { ReportCondition } from './report.ts';
import { figure, percent, rate } from './wording.ts';

/** Whether a link has a name, or anything to say, beyond its rate, its round trip and its loss. */
export function hasOwnName(link: string): boolean {
  return !/^rate=[^,]+,rtt=[^,]+,loss=[^,]+$/.test(link);
}

/** What a link is, as people read it. */
export function linkInWords({ features, link }: Pick<ReportCondition, 'features' | 'link'>): readonly string[] {
  const { rateKbps, rttMs, lossPercent } = features;
  const jitter = typeof link.jitterMs === 'number' ? [`${figure(link.jitterMs)} ms jitter`] : [];
  const loss = lossPercent > 0 ? [`${percent(lossPercent)} loss`] : [];
  return [rate(rateKbps), `${figure(rttMs)} ms`, ...jitter, ...loss];
}
