/** What Lighthouse came to: a score from 0 to 1, or why there is none. */
export type LighthouseScore =
  | { readonly status: 'ok'; readonly score: number; readonly metrics: Readonly<Record<string, number>> }
  | { readonly status: 'failed'; readonly says: string };

/** What Lighthouse said of an arm in a condition, once. */
export interface LighthouseTrial {
  readonly condition: string;
  readonly arm: string;
  /** From 0. */
  readonly run: number;
  readonly score: LighthouseScore;
}
