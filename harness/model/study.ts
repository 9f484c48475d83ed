import type { Protocol } from './arm.ts';
import type { Link } from './link.ts';

/** What is compared: one difference, everything else held equal. */
export interface Arm {
  readonly name: string;
  readonly protocol: Protocol;
}

/** What a person asked for, every default filled in and visible. */
export interface Study {
  readonly name: string;
  readonly sites: readonly string[];
  readonly links: readonly Link[];
  readonly arms: readonly Arm[];
  /** Blocks in every condition, without an early stop. */
  readonly exactly: number;
  readonly seed: number;
  readonly timeoutMs: number;
}

/** Everything that is held equal while the arms are compared. */
export interface Condition {
  readonly id: string;
  readonly site: string;
  readonly link: Link;
}

/** What a study does: nothing after this reads the study. */
export interface Plan {
  readonly study: string;
  readonly seed: number;
  readonly conditions: readonly Condition[];
  readonly arms: readonly Arm[];
  readonly exactly: number;
  readonly timeoutMs: number;
}

/** Every arm once, in one condition, one right after the other, in random order. */
export interface Block {
  readonly condition: string;
  /** From 0, in this condition. */
  readonly index: number;
  /** The arms' names in the order of their trials. */
  readonly order: readonly string[];
}

/** Which trial a measurement belongs to. */
export interface TrialKey {
  readonly condition: string;
  readonly block: number;
  readonly arm: string;
}

/** What a trial came to. A failed one is an outcome; a void one is the harness's fault, and its block is run again. */
export type Measurement = TrialKey &
  (
    | {
        readonly status: 'ok';
        readonly pltMs: number;
        readonly ttfbMs: number;
        readonly requests: number;
        readonly connections: number;
        readonly bytes: number;
        readonly wallMs: number;
      }
    | { readonly status: 'failed' | 'void'; readonly reason: string }
  );
