import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findRedis } from './fetch-redis.mjs';

const LAB = fileURLToPath(new URL('../../.lab', import.meta.url));

/** A Redis on loopback. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends it, as a machine that loses power does, and starts it again after a given time. */
  restart(awayMs: number): Promise<void>;
}

/** Starts a Redis of its own at a free port; more arguments are Redis's. */
export async function startRedis(...more: readonly string[]): Promise<RedisServer> {
  const argv = await findRedis(LAB);
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-redis-'));
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...more];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(argv[0]!, [...argv.slice(1), ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error('Redis ended')));
      server.stdout!.on('data', (text: Buffer) => {
        if (text.includes('Ready to accept connections')) resolve();
      });
    });
  };
  const end = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async restart(awayMs) {
      await end();
      await setTimeout(awayMs);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A port of loopback that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
