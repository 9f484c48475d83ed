import type { Host } from '../model/lab.ts';
import type { ServerPlace } from '../model/remote.ts';
import { run } from '../system/process.ts';

/**
 * Has a host's kernel end its connections to some servers, whose own ends cannot be closed from here. The browser is
 * told at once: it gives the connection up, and keeps what it learnt by it.
 */
export async function cutConnections({ namespace }: Host, places: readonly ServerPlace[]): Promise<void> {
  for (const address of new Set(places.map((place) => place.address)))
    await run(['ss', '--kill', '--tcp', '--udp', 'dst', address], { namespace });
}
