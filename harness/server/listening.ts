import { existsSync, readFileSync } from 'node:fs';
import { type Origin, tells } from '../model/arm.ts';

/** TCP's state of a socket that listens, and UDP's of one that is bound. */
const STATES = { tcp: '0A', udp: '07' } as const;

/** Whether any program in a process's namespace listens where an origin is. */
export function isListening(pid: number, address: string, origin: Origin): boolean {
  const { protocol, port } = origin;
  const transports = { tcp: protocol !== 'h3' || tells(origin), udp: protocol === 'h3' };
  return (['tcp', 'udp'] as const).every(
    (transport) => !transports[transport] || readSockets(pid, transport).includes(renderSocket(address, port)),
  );
}

/** The sockets of a table of the kernel's that listen, each as the kernel writes it. */
function readSockets(pid: number, transport: 'tcp' | 'udp'): readonly string[] {
  const path = `/proc/${pid}/net/${transport}`;
  return existsSync(path) ? parseSockets(readFileSync(path, 'utf8'), STATES[transport]) : [];
}

/** The local ends of all sockets in a state, from `/proc/net/tcp` or `udp`. */
export function parseSockets(table: string, state: string): readonly string[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === state)
    .map((fields) => fields[1]!);
}

/** An end as the kernel writes it: the address's bytes in the processor's order, here the least significant first. */
export function renderSocket(address: string, port: number): string {
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return `${bytes.toReversed().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
