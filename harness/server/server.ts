import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { killGroup, start } from '../system/process.ts';
import { type Asked, isStopped } from '../system/silence.ts';
import { type AccessLog, followAccessLog } from './access-log.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { isListening } from './listening.ts';

/** A server that serves sites on every arm's origin. */
export interface Server extends AsyncDisposable, Asked {
  readonly log: AccessLog;
  /** The configuration that the server was started with. */
  readonly configuration: string;
  /**
   * Lets requests end and closes every connection as its protocol wants it, then starts again with the same keys.
   * Throws where it did not end in time; it is killed then.
   */
  restart(): Promise<void>;
  /** Starts it again where something of it has ended. */
  revive(): Promise<void>;
  /** What has ended of it or stands still, if anything; it serves no more, or not as before. */
  findFault(): string | undefined;
}

export interface ServerOptions extends ServerSettings {
  readonly argv: readonly [string, ...string[]];
  /** How long a restart may wait for connections to end. */
  readonly restartTimeoutMs?: number;
}

/** The file that takes a server's standard error. */
const SAID = 'said.log';

/** Where a server says what is wrong, below its folder. */
function wordsOf({ errorLog = SAID }: Adapter): string {
  return errorLog;
}

const READY_TIMEOUT_MS = 30_000;
/** A connection of QUIC's ends three probe timeouts after it was closed: nine round trips and more. */
const RESTART_TIMEOUT_MS = 30_000;

/** Opens a server on a host of the lab; resolves once it listens. */
export async function openServer(adapter: Adapter, options: ServerOptions): Promise<Server> {
  const { folder, restartTimeoutMs = RESTART_TIMEOUT_MS } = options;
  const { name, endSignal, accessLog, parseLog, routine } = adapter;
  mkdirSync(folder, { recursive: true });
  adapter.prepare?.(folder);
  const files = Object.entries(adapter.render(options));
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  let running = await startServer(adapter, options);
  let silence: string | undefined;
  const findFault = () => silence ?? running.findFault();
  return {
    name,
    // QUIC is served by the same processes, and cannot be spoken with by few words.
    asked: options.origins
      .filter(({ protocol }) => protocol !== 'h3')
      .map(({ protocol, port }) => ({ address: options.host.address, port, tls: protocol !== 'h1c' })),
    condemn(says) {
      silence = says;
    },
    log: followAccessLog({
      requests: join(folder, accessLog),
      parse: parseLog,
      words: join(folder, wordsOf(adapter)),
      routine,
    }),
    configuration: files[0]![1],
    async restart() {
      running.server.child.kill(endSignal);
      const timer = setTimeout(() => killGroup(running.server.pid), restartTimeoutMs);
      await running.server.ended;
      clearTimeout(timer);
      if (running.server.child.signalCode === 'SIGKILL')
        throw new Error(`${name} did not end in order within ${restartTimeoutMs / 1000} s`);
      running = await startServer(adapter, options);
    },
    async revive() {
      if (findFault() === undefined) return;
      await running[Symbol.asyncDispose]();
      silence = undefined;
      running = await startServer(adapter, options);
    },
    findFault,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function startServer(adapter: Adapter, { argv, host, folder, origins }: ServerOptions) {
  const { name, workers, accessLog } = adapter;
  const words = join(folder, wordsOf(adapter));
  for (const file of [words, join(folder, accessLog)]) rmSync(file, { force: true }); // A study has it start thousands of times.
  const outputs = [accessLog, SAID].map((file) => openSync(join(folder, file), 'a'));
  await using undo = new AsyncDisposableStack();
  const server = start(adapter.command(argv, folder), {
    namespace: host.namespace,
    outputs: outputs as [number, number],
  });
  for (const output of outputs) closeSync(output);
  undo.defer(() => killGroup(server.pid)); // Its workers do not end with it, and must not serve on.
  undo.use(server);
  const until = performance.now() + READY_TIMEOUT_MS;
  const isUp = () =>
    readChildren(server.pid).length >= workers &&
    origins.every((origin) => isListening(server.pid, host.address, origin));
  while (!isUp()) {
    const ended = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    if (ended === undefined && performance.now() < until) continue;
    const says = existsSync(words) ? readFileSync(words, 'utf8').trim() : '';
    throw new Error(`${name} did not start (${ended ?? 'it listens nowhere'}): ${says}`);
  }
  const children = readChildren(server.pid);
  const kept = undo.move();
  return {
    server,
    findFault() {
      const { exitCode, signalCode } = server.child;
      if (exitCode !== null || signalCode !== null) return `${name} ended (${signalCode ?? exitCode})`;
      if ([server.pid, ...children].some(isStopped)) return `${name} was stopped`;
      return children.every((child) => existsSync(`/proc/${child}`)) ? undefined : `${name}'s worker ended`;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The children of a process, if it is there. */
function readChildren(pid: number): readonly string[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean) : [];
}
