import { fileURLToPath } from 'node:url';
import { eventsOf } from '../../harness/bench/child-study.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import { start } from '../../harness/system/process.ts';

const CLI = fileURLToPath(new URL('../../harness/cli.ts', import.meta.url));
const { PHOTOFINISH_ENCLOSED: _, ...outside } = process.env;
/** What a run of `measure` came to. */
export interface Ended {
  readonly code: number | string;
  readonly events: readonly StudyEvent[];
  readonly complaint: string;
}

/** Runs `measure` with these words, beside other studies; `heed` may end it as it hears of what happens. */
export function measure(words: readonly string[], heed?: Heed): Promise<Ended> {
  return measureInTurn(['--beside', ...words], heed);
}

type Heed = (event: StudyEvent, pid: number) => void;

/** Runs `measure` as `measure` above does, but once no other study runs. */
export async function measureInTurn(words: readonly string[], heed: Heed = () => {}): Promise<Ended> {
  const program = start([process.execPath, CLI, 'measure', '--json', ...words], { env: outside });
  const events: StudyEvent[] = [];
  let complaint = '';
  program.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  for await (const event of eventsOf(program)) {
    events.push(event);
    heed(event, program.pid);
  }
  return { code: await program.ended, events, complaint };
}
