import type { Held } from './held.ts';
import type { DirectionName } from './link.ts';

/** A network namespace that programs can be started in, and the address it has on the link. */
export interface Host {
  /** The namespace's name, which begins with its lab's. */
  readonly namespace: string;
  readonly address: string;
  /** The interface that leads to the link. */
  readonly device: string;
}

/** What is between the hosts: `direct` is a cable, the others route. */
export const TOPOLOGY_NAMES = ['direct', 'routed', 'dumbbell', 'crowd'] as const;

export type TopologyName = (typeof TOPOLOGY_NAMES)[number];

/** How many clients and servers a topology has. */
export const TOPOLOGIES: Readonly<Record<TopologyName, { readonly clients: number; readonly servers: number }>> = {
  direct: { clients: 1, servers: 1 },
  routed: { clients: 1, servers: 1 },
  dumbbell: { clients: 2, servers: 2 },
  crowd: { clients: 5, servers: 1 },
};

/** How the kernels of the lab's hosts are set: nothing is inherited from the machine. */
export interface HostTuning {
  /** TCP congestion control of everything that leaves the host. */
  readonly congestionControl: string;
  /** TCP initial window, in segments. */
  readonly initialWindowPackets: number;
}

/** A host as its kernel says it is. */
export interface HostState {
  readonly namespace: string;
  readonly routes: readonly string[];
  readonly sysctls: Readonly<Record<string, string>>;
  /** The offloads of the host's interface that the kernel says are on. */
  readonly offloadsOn: readonly string[];
}

/** What a lab was like while it was measured in. */
export interface LabState {
  readonly topology: TopologyName;
  readonly driver: string;
  readonly kernel: string;
  readonly realtime: boolean;
  readonly hosts: readonly HostState[];
  readonly link: Readonly<Record<DirectionName, string>>;
  /** The configuration of each server, by the server's name. */
  readonly serverConfigurations: Readonly<Record<string, string>>;
  /**
   * Bytes of leaf and intermediate together, as handshakes carry them; absent in studies from before there were two.
   */
  readonly certificateBytes?: number;
  /** What each running browser calls itself. */
  readonly browsers: Readonly<Record<string, string>>;
  /** How browsers are held; absent in studies from before that was recorded. */
  readonly confinement?: Held;
  /** The command-line arguments of each browser, by its kind. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
}
