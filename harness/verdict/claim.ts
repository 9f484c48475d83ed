import type { Protocol } from '../model/arm.ts';
import type { Manifest } from '../model/site.ts';
import type { TrialKey } from '../model/study.ts';

/** What the trial was to be. */
export interface Claim {
  readonly key: TrialKey;
  readonly protocol: Protocol;
  /** Of those who loaded at the same time. */
  readonly beside?: readonly Protocol[] | undefined;
  readonly manifest: Manifest;
}
