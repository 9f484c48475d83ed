import type { Host } from '../../model/lab.ts';
import { start } from '../../system/process.ts';
import type { ReplayNote } from './replay.ts';

/** A recording that is served on a server's host. */
export interface RunningReplay extends AsyncDisposable {
  /** Address and port, which only programs of that host reach. */
  readonly address: string;
  /** What it ended by, once it has. */
  ended(): number | string | undefined;
  /** The requests that were not recorded as they were asked, since this was last asked; each is returned once. */
  takeNotes(): readonly ReplayNote[];
}

const PROGRAM = new URL('./serve.ts', import.meta.url).pathname;

export interface ReplayPlace {
  /** The recording's folder. */
  readonly root: string;
  readonly port: number;
  readonly thinks: boolean;
}

/** Starts serving a recording on a host of the lab; resolves once it listens. */
export async function openReplay(
  host: Pick<Host, 'namespace'> | undefined,
  { root, port, thinks }: ReplayPlace,
): Promise<RunningReplay> {
  await using undo = new AsyncDisposableStack();
  const flags = ['--site', root, '--port', `${port}`, ...(thinks ? [] : ['--no-thinking'])];
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, ...flags] as const;
  const program = undo.use(start(argv, { namespace: host?.namespace }));
  let [said, complaint] = ['', ''];
  const ready = new Promise<true>((resolve) => {
    program.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.startsWith('ready\n')) resolve(true);
    });
  });
  program.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const first = await Promise.race([ready, program.ended]);
  if (first !== true) throw new Error(`the replay did not start (${first}): ${complaint.trim()}`);
  said = said.slice('ready\n'.length);
  let end: number | string | undefined;
  void program.ended.then((how) => {
    end = how;
  });
  const kept = undo.move();
  return {
    address: `127.0.0.1:${port}`,
    ended: () => end,
    takeNotes() {
      const whole = said.slice(0, said.lastIndexOf('\n') + 1);
      said = said.slice(whole.length);
      return whole
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ReplayNote);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
