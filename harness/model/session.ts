import type { Calibration } from './calibration.ts';
import type { Capture } from './capture.ts';
import type { LabState } from './lab.ts';
import type { Measurement } from './measurement.ts';
import type { Block } from './study.ts';

/** What a study was measured with: other versions may give other results. */
export interface Machine {
  readonly photofinish: string;
  readonly chromium: string;
  /** The version of each server, with what it is built on, by its name. */
  readonly servers: Readonly<Record<string, string>>;
  readonly kernel: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** What setup installed for this checkout alone, with versions and digests. */
  readonly packages: readonly unknown[];
  /** The worker that measured, on another machine than the study's: its name, and what its links are made by. */
  readonly worker?: string;
  readonly link?: string | undefined;
}

/** One stretch of work at a study, from the start of a command to its end. */
export interface Session {
  /** From 1. */
  readonly number: number;
  readonly beganMs: number;
  /** When it last wrote something down. */
  readonly lastMs: number;
  readonly machine: Machine;
  /** What was forced, in sentences. */
  readonly notes: readonly string[];
}

/** A block that is handed out to be run, in a lab of this machine or on a worker. */
export interface BlockOrder {
  readonly block: Block;
  /** From 1 in its study: what tells one attempt at a block from another, and the name of its evidence. */
  readonly serial: number;
  /** By how much the control's delayed arm is held back. */
  readonly delayMs?: number | undefined;
  /** How many launches of browsers the condition's blocks came from so far. */
  readonly launches: number;
  /** What a second of it is worth; absent: it comes before all that goes by worth. */
  readonly worth?: number | undefined;
}

/** The name that the evidence of an arm's load in a block has, whatever kind of file it is. */
export function evidenceName(serial: number, arm: string): string {
  return `${`${serial}`.padStart(5, '0')}-${arm}`;
}

/** A trial with all that was seen of it. */
export interface FinishedTrial {
  readonly measurement: Measurement;
  readonly capture: Capture;
  /** Files with its evidence, below the study's folder. */
  readonly evidence: readonly string[];
}

/** A block that was run, whether it is whole or has void trials. */
export interface FinishedBlock {
  /** From 1 in its study: the name of its evidence. */
  readonly serial: number;
  readonly block: Block;
  readonly beganMs: number;
  /** In the order in which they were run. */
  readonly trials: readonly FinishedTrial[];
  /** Loads that waited for a core too long, and were made again at once: they count for nothing. */
  readonly disturbed?: readonly DisturbedLoad[] | undefined;
}

/** A load of a block whose place another one of the same arm has taken. */
export interface DisturbedLoad {
  readonly arm: string;
  readonly capture: Capture;
}

/** A load over a link without limits, which counts for nothing: one that was watched, or one that tells the machine's floor. */
export interface ReferenceLoad {
  /** What was loaded and how, whatever the link: `referencePageOf` a condition. */
  readonly page: string;
  readonly arm: string;
  /** Whether the browser logged each request. */
  readonly watched: boolean;
  /** Absent where it came to nothing. */
  readonly pltMs?: number | undefined;
  readonly capture: Capture;
}

/** A link as a session found it. */
export interface MeasuredLink {
  /** The link's name. */
  readonly link: string;
  readonly calibration: Calibration;
  readonly lab: LabState;
}
