import { EnvironmentError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { type Argv, programEnvironment, type RunningProcess, start } from '../system/process.ts';

const CLI = new URL('../cli.ts', import.meta.url).pathname;

/** Starts a command as its users do. This process is enclosed; a command makes an enclosure of its own. */
export function startCommand(...words: readonly string[]): RunningProcess {
  const argv: Argv = [process.execPath, ...process.execArgv, CLI, ...words];
  return start(argv, { env: programEnvironment() });
}

/** Runs `measure` in a process of its own, and tells what happens; throws where it ends otherwise than it should. */
export async function* measureApart(words: readonly string[]): AsyncGenerator<StudyEvent> {
  await using study = startCommand('measure', '--json', ...words);
  let complaint = '';
  study.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  let rest = '';
  for await (const chunk of study.stdout) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as StudyEvent;
  }
  const code = await study.ended;
  if (code !== 0) throw new EnvironmentError(`a study ended with ${code}: ${complaint.trim()}`);
}
