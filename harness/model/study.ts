import type { Protocol, Visit } from './arm.ts';
import type { DeviceName } from './device.ts';
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
  readonly visits: readonly Visit[];
  readonly arms: readonly Arm[];
  readonly device: DeviceName;
  /** Blocks in every condition, without an early stop. */
  readonly exactly: number;
  /** How often Lighthouse judges each arm in each condition. */
  readonly lighthouse: number;
  readonly seed: number;
  /** Absent: what each condition's link and bytes suggest. */
  readonly timeoutMs?: number | undefined;
}

/** Everything that is held equal while the arms are compared. */
export interface Condition {
  readonly id: string;
  readonly site: string;
  readonly link: Link;
  readonly server: string;
  readonly visit: Visit;
  readonly device: DeviceName;
  /** For one load. */
  readonly timeoutMs: number;
}

/** What a study does: nothing after this reads the study. */
export interface Plan {
  readonly study: string;
  readonly seed: number;
  readonly conditions: readonly Condition[];
  readonly arms: readonly Arm[];
  readonly exactly: number;
  readonly lighthouse: number;
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
