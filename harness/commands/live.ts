import { fileURLToPath } from 'node:url';
import { UsageError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import { type Argv, start } from '../system/process.ts';

/** The page that shows a study while this process measures it. */
export interface Live extends AsyncDisposable {
  readonly url: string;
  tell(event: StudyEvent): void;
  /** The report is written: the page takes it over, and its server ends. Resolves with what went wrong with it, if anything. */
  finish(): Promise<string | undefined>;
}

const PROGRAM = fileURLToPath(new URL('./live-process.ts', import.meta.url));
/** How long its end may take: a large study is read once more, and pages that follow fetch it. */
const END_MS = 60_000;

/**
 * Serves a study's page from a process of its own, which gets only the processor time that no other program wants: what
 * is measured must not be the page that shows it.
 */
export async function openLive(folder: string, port: number): Promise<Live> {
  await using undo = new AsyncDisposableStack();
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, folder, `${port}`];
  const program = undo.use(start(['chrt', '--idle', '0', ...node] as unknown as Argv));
  let complaint = '';
  program.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-2000);
  });
  const url = await firstLine(program.stdout);
  if (!url.startsWith('http://')) {
    const end = await program.ended;
    if (end === EXIT.usage) throw new UsageError(`--live: ${complaint.trim()}`);
    throw new Error(`the live page's server ended with ${end}: ${complaint}`);
  }
  const kept = undo.move();
  return {
    url,
    tell: (event) => program.stdin.write(`${JSON.stringify(event)}\n`),
    async finish() {
      program.stdin.end();
      const timer = setTimeout(() => program.child.kill('SIGKILL'), END_MS);
      const end = await program.ended;
      clearTimeout(timer);
      return end === EXIT.done ? undefined : `the live page ended with ${end}: ${complaint.trim()}`;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The first line of a stream, without its line break; empty where there is none. */
async function firstLine(stream: AsyncIterable<Buffer> & { resume(): unknown }): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString();
    if (text.includes('\n')) break;
  }
  return text.split('\n', 1)[0]!;
}
