import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../findings/summary.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { STORE_FILE } from '../store/store.ts';
import { type Argv, programEnvironment, type RunningProcess, start } from '../system/process.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

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
  yield* eventsOf(study);
  const code = await study.ended;
  if (code !== 0) throw new EnvironmentError(`a study ended with ${code}: ${complaint.trim()}`);
}

/** What `measure --json` tells, as it tells it. */
export async function* eventsOf({ stdout }: Pick<RunningProcess, 'stdout'>): AsyncGenerator<StudyEvent> {
  for await (const line of createInterface({ input: stdout })) yield JSON.parse(line) as StudyEvent;
}

/** Minutes after which a study that is continued ends. */
const CONTINUED_MIN = 90;

/** What a study came to, and after how many seconds each of its conditions had an answer, by their ids. */
export interface ChildStudy {
  readonly summary: Summary;
  readonly answeredS: ReadonlyMap<string, number>;
}

/** Runs a study as its users do, into a folder; where there is one already it goes on. */
export async function measureInto(out: string, words: readonly string[]): Promise<ChildStudy> {
  const asked = existsSync(join(out, STORE_FILE)) ? ['--budget', `${CONTINUED_MIN}`] : words;
  const beganMs = performance.now();
  const answeredS = new Map<string, number>();
  for await (const event of measureApart([...asked, '--out', out])) {
    const isFirst = event.event === 'answer' && !answeredS.has(event.condition);
    if (isFirst) answeredS.set(event.condition, (performance.now() - beganMs) / 1000);
  }
  return { ...readStudy(out)!, answeredS };
}

/** What a study in a folder came to; undefined where there is none that has ended. */
export function readStudy(out: string): Pick<ChildStudy, 'summary'> | undefined {
  const path = join(out, 'summary.json');
  return existsSync(path) ? { summary: JSON.parse(readFileSync(path, 'utf8')) as Summary } : undefined;
}
