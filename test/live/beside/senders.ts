import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { run } from '../../../harness/system/process.ts';

/** By which congestion controls the hosts send each other much while something goes on. */
export async function congestionOfSenders(goesOn: Promise<unknown>): Promise<readonly string[]> {
  const found = new Set<string>();
  const atFirst = new Map<string, number>(); // A connection of the load before may be there still.
  const ended = goesOn.then(() => true);
  while (!(await Promise.race([ended, setTimeout(100, false)])))
    for (const namespace of readdirSync('/run/netns')) {
      const sockets = await run(['ss', '-HtinO', 'not', 'dst', '127.0.0.1'], { namespace });
      for (const [, own, congestion, sent] of sockets.matchAll(
        /(\S+:\d+) +\S+:\d+ .*?(\S+) wscale:.*?\bbytes_sent:(\d+)/g,
      )) {
        const before = atFirst.get(own!) ?? Number(sent);
        atFirst.set(own!, before);
        if (Number(sent) - before > 100_000) found.add(congestion!);
      }
    }
  return [...found].toSorted();
}
