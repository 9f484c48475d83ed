import type { LighthouseTrial } from './lighthouse.ts';
import type { Measurement } from './measurement.ts';
import type { MeasuredLink, ReferenceLoad, Session } from './session.ts';
import type { Plan } from './study.ts';

/** What a study has come to. */
export interface FoundStudy {
  readonly plan: Plan;
  readonly measurements: readonly Measurement[];
  /** In the order of time. */
  readonly links: readonly MeasuredLink[];
  readonly scores: readonly LighthouseTrial[];
  readonly sessions: readonly Session[];
  readonly warmUps: number;
  /** Loads that waited for a core too long, and were made again. */
  readonly disturbed: number;
  /** How many loads were filmed. */
  readonly films: number;
  /** Loads over a link without limits: watched ones, and those that tell the machine's floor. */
  readonly references: readonly (Omit<ReferenceLoad, 'capture'> & { readonly session?: number })[];
}
