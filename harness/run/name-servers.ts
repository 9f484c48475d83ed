import type { NameServer } from '../network/name-server.ts';

/** The name servers of a testbed's clients, whatever happens to them. */
export interface NameServers extends AsyncDisposable {
  /** The one of a client; the first call starts it. */
  find(client: number): Promise<NameServer>;
  /** Starts again what has ended. */
  revive(): Promise<void>;
  /** What has ended of them or stands still, if anything. */
  findFault(): string | undefined;
  /** The configuration that they were started with, if any was. */
  configurations(): Readonly<Record<string, string>>;
}

/** Name servers none of which is there yet; `open` starts the one of a client. */
export function openNameServers(open: (client: number) => Promise<NameServer>): NameServers {
  const opened = new Map<number, Promise<NameServer>>();
  const running = new Map<number, NameServer>();
  const find = (client: number) => {
    const found =
      opened.get(client) ??
      open(client).then((server) => {
        running.set(client, server);
        return server;
      });
    opened.set(client, found);
    return found;
  };
  return {
    find,
    async revive() {
      for (const [client, server] of running) {
        if (server.findFault() === undefined) continue;
        await server[Symbol.asyncDispose]();
        opened.delete(client);
        await find(client);
      }
    },
    findFault: () => [...running.values()].map((server) => server.findFault()).find((fault) => fault !== undefined),
    configurations() {
      const [first] = running.values();
      return first === undefined ? {} : { 'name server': first.configuration };
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opened.values());
      for (const server of running.values()) await server[Symbol.asyncDispose]();
    },
  };
}
