import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** What has this machine, as it says of itself to others that come. */
export interface TurnHolder {
  /** What a study is called, or what else is done: `record mine`. */
  readonly study: string;
  readonly out: string;
}

export interface TurnOptions {
  readonly own: TurnHolder;
  /** Whether to begin although something else has it. */
  readonly beside: boolean;
  /** Ends the waiting. */
  readonly stop: AbortSignal;
  /** Called with what it waits for. */
  readonly waits: (other: TurnHolder) => void;
  /**
   * Called with all else that takes the processor meanwhile: what was there, and what comes and does not wait.
   */
  readonly meets: (other: TurnHolder) => void;
  /** The name of the socket; set by tests. */
  readonly name?: string;
}

/**
 * The name of a socket that has no file: the kernel keeps it for a process of any user, in any enclosure, for as long
 * as the process lives, and no longer.
 */
const NAME = 'photofinish-study';
const MOST_WORDS = 10_000;

/**
 * How long who waited leaves the machine to who runs beside the study that has ended: a study that was begun beside
 * another has the turn after it.
 */
const TAKE_OVER_MS = 200;

/**
 * Takes this machine for what is measured: two at once take the processor from each other. Waits for all that have it,
 * unless `beside` is set; undefined where it was asked to stop meanwhile.
 */
export async function takeTurn(options: TurnOptions): Promise<AsyncDisposable | undefined> {
  const { own, beside, stop, waits, meets, name = NAME } = options;
  const path = `\0${name}`;
  while (!stop.aborted) {
    const server = await listen(path, own, meets);
    if (server) return closing(server);
    const socket = connect(path);
    socket.on('error', () => {}); // It has ended, which `close` tells.
    const other = await readHolder(socket);
    if (other && beside) {
      meets(other);
      socket.write(`${JSON.stringify(own)}\n`);
      return besideHolder(socket, options);
    }
    if (other) {
      waits(other);
      await once(socket, 'close', { signal: stop }).catch(() => {});
    }
    socket.destroy();
    if (other && !stop.aborted) await setTimeout(TAKE_OVER_MS);
  }
  return undefined;
}

/** Has a study that runs beside another take the turn over once that has ended. */
function besideHolder(socket: Socket, options: TurnOptions): AsyncDisposable {
  const over = new AbortController();
  const closed = new Promise((resolve) => void socket.once('close', resolve)); // However the other one has ended.
  const after = closed.then(() => takeTurn({ ...options, stop: over.signal }));
  after.catch(() => {}); // The disposal below throws it.
  socket.unref();
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      socket.destroy();
      await (await after)?.[Symbol.asyncDispose]();
    },
  };
}

/** Takes the name, and tells every process that asks; undefined where another process has it. */
async function listen(path: string, own: TurnHolder, meets: TurnOptions['meets']): Promise<Server | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // The process that asked has gone.
    socket.write(`${JSON.stringify(own)}\n`);
    void readHolder(socket).then((other) => other && meets(other));
  });
  server.listen(path);
  try {
    await once(server, 'listening');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw cause;
  }
  server.unref();
  return server;
}

function closing(server: Server): AsyncDisposable {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What the other end says of itself in its first line; undefined where it says nothing, or something else. */
async function readHolder(socket: Socket): Promise<TurnHolder | undefined> {
  let text = '';
  try {
    for (;;) {
      const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
      if (!Buffer.isBuffer(chunk)) return undefined;
      text += chunk.toString();
      if (text.includes('\n') || text.length > MOST_WORDS) break;
    }
    const { study, out } = JSON.parse(text.split('\n', 1)[0]!) as Partial<TurnHolder>;
    return { study: `${study}`.slice(0, 100), out: `${out}`.slice(0, 1_000) };
  } catch {
    return undefined;
  }
}
