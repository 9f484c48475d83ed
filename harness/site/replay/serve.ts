import { openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../../model/errors.ts';
import { readRecording } from '../record/store.ts';
import { createReplay } from './replay.ts';

/**
 * `--site FOLDER --port PORT --notes FILE [--host ADDRESS] [--no-thinking]`: serves a recording to a lab's server. Prints
 * `ready`, writes a line of JSON for each request that was not recorded as it was asked, begins a
 * new load on SIGUSR2, and ends on SIGTERM.
 */
function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      site: { type: 'string' },
      port: { type: 'string' },
      notes: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'no-thinking': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port: a number from 1 to 65535');
  if (values.site === undefined) throw new UsageError("--site: a recording's folder");
  if (values.notes === undefined) throw new UsageError('--notes: the file for what was not recorded');
  const notes = openSync(values.notes, 'a');
  const { server, beginLoad } = createReplay(readRecording(values.site), {
    thinks: !values['no-thinking'],
    // It is there before the answer is.
    tell: (note) => void writeSync(notes, `${JSON.stringify(note)}\n`),
  });
  server.listen(port, values.host, () => void writeSync(1, 'ready\n'));
  process.on('SIGUSR2', beginLoad);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
}

if (import.meta.main) main(process.argv.slice(2));
