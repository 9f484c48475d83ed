import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Host } from '../../model/lab.ts';
import type { ReplayNote } from '../../model/recording.ts';
import { followLines } from '../../system/follow-lines.ts';
import { type Argv, start } from '../../system/process.ts';
import { type Asked, isStopped } from '../../system/silence.ts';

/** A recording that is served on a server's host. */
export interface RunningReplay extends AsyncDisposable, Asked {
  /** Address and port, which only programs of that host reach. */
  readonly address: string;
  /** What it ended by, once it has; or that it stands still. */
  ended(): number | string | undefined;
  /** Starts it again where it has ended. */
  revive(): Promise<void>;
  /** Tells it that another load begins, and forgets what the one before asked for. */
  beginLoad(): void;
  /** The requests that were not recorded as they were asked, since this was last asked; each is returned once. */
  takeNotes(): readonly ReplayNote[];
}

const PROGRAM = fileURLToPath(new URL('./serve.ts', import.meta.url));

export interface ReplayPlace {
  /** The recording's folder. */
  readonly root: string;
  readonly port: number;
  /** Where it writes what was not recorded. */
  readonly notes: string;
  readonly thinks: boolean;
}

/** Starts serving a recording on a host of the lab; resolves once it listens. */
export async function openReplay(
  host: Pick<Host, 'namespace'> | undefined,
  { root, port, notes, thinks }: ReplayPlace,
): Promise<RunningReplay> {
  const flags = ['--site', root, '--port', `${port}`, '--notes', notes, ...(thinks ? [] : ['--no-thinking'])];
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, ...flags] as const;
  let program = await startReplay(argv, host?.namespace);
  // A replay that is started again goes on in the same file.
  const lines = followLines(notes);
  return {
    name: 'the replay',
    address: `127.0.0.1:${port}`,
    asked: [{ address: '127.0.0.1', port, tls: false }],
    condemn: (says) => program.condemn(says),
    ended: () => program.ended(),
    async revive() {
      if (program.ended() === undefined) return;
      await program[Symbol.asyncDispose]();
      program = await startReplay(argv, host?.namespace);
    },
    beginLoad() {
      program.kill('SIGUSR2');
      lines.take();
    },
    takeNotes: () =>
      lines
        .take()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ReplayNote),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

async function startReplay(argv: Argv, namespace: string | undefined) {
  await using undo = new AsyncDisposableStack();
  const program = undo.use(start(argv, { namespace }));
  let complaint = '';
  program.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const first = await Promise.race([once(program.stdout, 'data'), program.ended]);
  if (!Array.isArray(first)) throw new Error(`the replay did not start (${first}): ${complaint.trim()}`);
  let end: number | string | undefined;
  void program.ended.then((how) => {
    end = how;
  });
  const kept = undo.move();
  return {
    condemn(says: string) {
      end ??= says;
    },
    ended: () => end ?? (isStopped(program.pid) ? 'it was stopped' : undefined),
    kill: (signal: NodeJS.Signals) => program.child.kill(signal),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
