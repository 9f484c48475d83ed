import type { Protocol, Visit } from './arm.ts';

/** The server where none is named. */
export const DEFAULT_SERVER = 'nginx';

/** A server as a load wants it. */
export interface ServerSetup {
  readonly name: string;
  /** The congestion control of its QUIC; absent: its default. */
  readonly congestion?: string | undefined;
}

/** What a server can do. */
export interface ServerAbilities {
  readonly protocols: readonly Protocol[];
  readonly visits: readonly Visit[];
  /** Whether offers are made with less than that: whether a connection resumes an earlier one need not be known. */
  readonly offersAnyway?: true;
  /** The congestion controls that its QUIC has to choose from. */
  readonly congestions: readonly string[];
}

/** What setups are told apart by. */
export function nameOfSetup({ name, congestion }: ServerSetup): string {
  return congestion === undefined ? name : `${name}+${congestion}`;
}
