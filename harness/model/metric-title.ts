import type { Metric } from './study.ts';

const TITLES: Readonly<Record<Metric, string>> = {
  plt: 'page load time',
  upload: 'time to upload',
  lcp: 'time to largest contentful paint',
  fcp: 'time to first contentful paint',
};

/** What people call the time that decides. */
export function titleOfMetric(metric: Metric): string {
  return TITLES[metric];
}
