import { fileURLToPath } from 'node:url';
import type { ServerPlace } from '../model/remote.ts';
import { run } from '../system/process.ts';

const PROGRAM = fileURLToPath(new URL('./connect.ts', import.meta.url));
const START_MS = 5_000;

/**
 * How long a TCP connection to a place takes to open, in milliseconds; from a network namespace, or from this machine's
 * own. Undefined where it does not come about in time.
 */
export async function connectTimeMs(
  place: ServerPlace,
  timeoutMs: number,
  namespace?: string,
): Promise<number | undefined> {
  const argv = [process.execPath, PROGRAM, place.address, `${place.port}`, `${timeoutMs}`] as const;
  const said = await run(argv, { namespace, timeoutMs: timeoutMs + START_MS });
  return said.startsWith('no') ? undefined : Number(said);
}
