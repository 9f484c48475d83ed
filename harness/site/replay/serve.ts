import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../../model/errors.ts';
import { readRecording } from '../record/store.ts';
import { createReplay } from './replay.ts';

/**
 * `--site FOLDER --port PORT [--host ADDRESS] [--no-thinking]`: serves a recording to a lab's server. Prints `ready`, then a
 * line of JSON for each request that was not recorded as it was asked; ends on SIGTERM.
 */
function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      site: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'no-thinking': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port: a number from 1 to 65535');
  if (values.site === undefined) throw new UsageError("--site: a recording's folder");
  const server = createReplay(readRecording(values.site), {
    thinks: !values['no-thinking'],
    // Whoever reads it looks once a load is done: by then it must be there.
    tell: (note) => void writeSync(1, `${JSON.stringify(note)}\n`),
  });
  server.listen(port, values.host, () => void writeSync(1, 'ready\n'));
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
}

if (import.meta.main) main(process.argv.slice(2));
