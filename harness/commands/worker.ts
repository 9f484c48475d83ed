import { UsageError } from '../model/errors.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Values } from '../model/option.ts';
import { openLab } from '../run/lab.ts';
import { readMachine } from '../run/machine.ts';
import { refuseMissing } from '../run/setups.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { stopRequested } from '../system/stop.ts';
import { takeTurn } from '../system/turn.ts';
import { parseRedisAddress, withoutPassword } from '../workers/address.ts';
import { connect } from '../workers/redis.ts';
import { serveStudies, type WorkerOptions } from '../workers/worker.ts';
import type { COMMANDS } from './command-table.ts';
import { parseLabs } from './measure.ts';

/** What `worker` was asked for. */
export type WorkerRequest = Pick<WorkerOptions, 'labs' | 'name' | 'trust' | 'beside'> & { readonly address: string };

/** Reads the words after `worker`. */
export function parseWorker(
  { labs, name, trust, beside }: Values<typeof COMMANDS.worker.options>,
  [address]: readonly string[],
): WorkerRequest {
  if (name !== undefined && !/^[\w.-]{1,60}$/.test(name))
    throw new UsageError(`--name: "${name}" is no name of a machine. Expected: letters, digits, ., - and _, up to 60`);
  return {
    address: parseRedisAddress(address!, 'worker'),
    name,
    trust: trust ?? false,
    beside: beside ?? false,
    labs: labs === undefined ? undefined : parseLabs(labs),
  };
}

/** `photofinish worker`: runs blocks of others' studies until it is asked to stop. */
export async function work(request: WorkerRequest, print: (line: string) => void): Promise<number> {
  const { address, ...options } = request;
  await using connection = await connect(address);
  print(`Waiting for studies at ${withoutPassword(address)}; Ctrl-C ends it after the blocks that it has begun.`);
  await serveStudies({
    ...options,
    connection,
    print,
    stop: stopRequested(),
    scratch: `${SCRATCH}/worker`,
    world: { openLab, readMachine, takeTurn, refuseMissing },
  });
  return EXIT.stopped;
}
