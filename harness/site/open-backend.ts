import { once } from 'node:events';
import type { Host } from '../model/lab.ts';
import { start } from '../system/process.ts';

/** The backend, running on a server's host. */
export interface Backend extends AsyncDisposable {
  /** Address and port, which only programs of that host reach. */
  readonly address: string;
  /** What it ended by, once it has. */
  ended(): number | string | undefined;
}

const PROGRAM = new URL('./backend.ts', import.meta.url).pathname;
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
  return { address: `127.0.0.1:${PORT}`, ended: () => end, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
