import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Host } from '../model/lab.ts';
import { start } from '../system/process.ts';
import { type Asked, isStopped } from '../system/silence.ts';

/** The backend, running on a server's host. */
export interface Backend extends AsyncDisposable, Asked {
  /** Address and port, which only programs of that host reach. */
  readonly address: string;
  /** What it ended by, once it has; or that it stands still. */
  ended(): number | string | undefined;
}

const PROGRAM = fileURLToPath(new URL('./backend.ts', import.meta.url));
const PORT = 4400;

/** Where what is uploaded goes, and the file that says for how long pages are held back. */
export interface BackendFiles {
  readonly uploads: string;
  readonly holdFile: string;
}

/** Starts the backend on a host of the lab; resolves once it listens. */
export async function openBackend(host: Host, { uploads, holdFile }: BackendFiles): Promise<Backend> {
  await using undo = new AsyncDisposableStack();
  const flags = [
    '--disable-warning=ExperimentalWarning',
    PROGRAM,
    '--port',
    `${PORT}`,
    '--folder',
    uploads,
    '--hold-file',
    holdFile,
  ] as const;
  const backend = undo.use(start([process.execPath, ...flags], { namespace: host.namespace }));
  let said = '';
  backend.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const first = await Promise.race([once(backend.stdout, 'data'), backend.ended]);
  if (!Array.isArray(first)) throw new Error(`the backend did not start (${first}): ${said.trim()}`);
  let end: number | string | undefined;
  void backend.ended.then((how) => {
    end = how;
  });
  const kept = undo.move();
  return {
    name: 'the backend',
    address: `127.0.0.1:${PORT}`,
    asked: [{ address: '127.0.0.1', port: PORT, tls: false }],
    condemn(says) {
      end ??= says;
    },
    ended: () => end ?? (isStopped(backend.pid) ? 'it was stopped' : undefined),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
