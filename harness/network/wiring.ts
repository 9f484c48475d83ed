import { type Host, TOPOLOGIES, type TopologyName } from '../model/lab.ts';
import type { DirectionName } from '../model/link.ts';

/*
 * A wiring says which hosts a lab has and what stands between them, as data:
 *
 *   direct    client ── cable ── server                  one subnet
 *   routed    client ── router ── server                 two subnets
 *   dumbbell  2 clients ── router ══ router ── 2 servers  the link is between the routers
 *   crowd     5 clients ── router ══ router ── 1 server   likewise
 *
 * The link's shaping stands where its packets leave towards the servers (up) and towards the clients (down).
 */

/** A host of the lab with all that its kernel must be told. */
export interface WiredHost extends Host {
  readonly role: 'client' | 'server';
  readonly mac: string;
  readonly prefixLength: number;
  /** The router it sends everything to; absent where all hosts are on its own subnet. */
  readonly gateway?: string;
  /** Hosts that it reaches without asking: addresses are never resolved over a link that loses packets. */
  readonly neighbours: readonly Neighbour[];
}

interface Neighbour {
  readonly address: string;
  readonly mac: string;
}

/** One of the machines in the middle. */
export interface Node {
  readonly name: string;
  readonly kind: 'cable' | 'router';
  readonly ports: readonly Port[];
  readonly gateway?: string;
}

/** An interface of a node: it leads to a host, or (a trunk) to the other node. */
export interface Port {
  readonly device: string;
  readonly mac: string;
  /** The host's namespace at its other end; absent on a trunk. */
  readonly host?: string;
  /** Its own address, on a router. */
  readonly address?: string | undefined;
  /** The host at its other end. */
  readonly neighbour: Neighbour;
}

export interface Wiring {
  readonly hosts: readonly WiredHost[];
  readonly nodes: readonly Node[];
  /** Where each direction is shaped. */
  readonly shaped: Readonly<Record<DirectionName, { readonly node: string; readonly device: string }>>;
}

/** The wiring of a topology for the lab of this name. */
export function wire(lab: string, topology: TopologyName): Wiring {
  const { clients, servers } = TOPOLOGIES[topology];
  const ends = [
    ...Array.from({ length: clients }, (_, index) => end(lab, 'client', index + 1)),
    ...Array.from({ length: servers }, (_, index) => end(lab, 'server', index + 1)),
  ];
  if (topology === 'direct') return wireDirect(lab, ends);
  if (topology === 'routed') return wireRouted(lab, ends);
  return wireDumbbell(lab, ends);
}

/** A host and the port at its other end, before it is known what stands between them and the others. */
interface End {
  readonly role: 'client' | 'server';
  readonly namespace: string;
  readonly mac: string;
  /** The third byte of the subnet it has where nodes route. */
  readonly subnet: number;
  readonly portDevice: string;
  readonly portMac: string;
}

function end(lab: string, role: 'client' | 'server', number: number): End {
  const subnet = (role === 'client' ? 10 : 20) + number;
  return {
    role,
    namespace: `${lab}-${role}${number}`,
    mac: mac(1, subnet),
    subnet,
    portDevice: `${role}${number}`,
    portMac: mac(2, subnet),
  };
}

function wireDirect(lab: string, ends: readonly End[]): Wiring {
  const addresses = ends.map(({ subnet, mac }): Neighbour => ({ address: `10.77.0.${subnet}`, mac }));
  const node: Node = {
    name: `${lab}-cable`,
    kind: 'cable',
    ports: ends.map((end, index) => ({
      device: end.portDevice,
      mac: end.portMac,
      host: end.namespace,
      neighbour: addresses[index]!,
    })),
  };
  return {
    hosts: ends.map((end, index) => ({
      ...host(end, addresses[index]!.address),
      neighbours: addresses.filter((_, other) => other !== index),
    })),
    nodes: [node],
    shaped: { up: { node: node.name, device: 'server1' }, down: { node: node.name, device: 'client1' } },
  };
}

function wireRouted(lab: string, ends: readonly End[]): Wiring {
  const node: Node = { name: `${lab}-router`, kind: 'router', ports: ends.map(routerPort) };
  return {
    hosts: ends.map(routedHost),
    nodes: [node],
    shaped: { up: { node: node.name, device: 'server1' }, down: { node: node.name, device: 'client1' } },
  };
}

function wireDumbbell(lab: string, ends: readonly End[]): Wiring {
  const near = { address: '10.77.30.1', mac: mac(3, 1) };
  const far = { address: '10.77.30.2', mac: mac(3, 2) };
  const node = (name: string, role: End['role'], own: Neighbour, other: Neighbour): Node => ({
    name: `${lab}-${name}`,
    kind: 'router',
    ports: [...ends.filter((end) => end.role === role).map(routerPort), { device: 'trunk', ...own, neighbour: other }],
    gateway: other.address,
  });
  return {
    hosts: ends.map(routedHost),
    nodes: [node('near', 'client', near, far), node('far', 'server', far, near)],
    shaped: { up: { node: `${lab}-near`, device: 'trunk' }, down: { node: `${lab}-far`, device: 'trunk' } },
  };
}

function host(end: End, address: string): Omit<WiredHost, 'neighbours'> {
  return { role: end.role, namespace: end.namespace, address, device: 'eth0', mac: end.mac, prefixLength: 24 };
}

function routedHost(end: End): WiredHost {
  const gateway = `10.77.${end.subnet}.1`;
  return { ...host(end, `10.77.${end.subnet}.2`), gateway, neighbours: [{ address: gateway, mac: end.portMac }] };
}

function routerPort(end: End): Port {
  return {
    device: end.portDevice,
    mac: end.portMac,
    host: end.namespace,
    address: `10.77.${end.subnet}.1`,
    neighbour: { address: `10.77.${end.subnet}.2`, mac: end.mac },
  };
}

/** A locally administered address. */
function mac(kind: number, number: number): string {
  return ['02', '00', '00', '70', kind, number].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}
