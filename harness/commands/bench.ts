import { benchDecisions } from '../bench/decisions/decisions.ts';
import { benchLaunches } from '../bench/launches.ts';
import { benchLink } from '../bench/link.ts';
import { benchObserver } from '../bench/observer.ts';
import { benchOverhead } from '../bench/overhead.ts';
import { benchScale } from '../bench/scale.ts';
import { UsageError } from '../model/errors.ts';

type Bench = (print: (line: string) => void) => Promise<number>;

/** What can be asked about the harness itself. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  link: benchLink,
  overhead: benchOverhead,
  observer: benchObserver,
  launches: benchLaunches,
  decisions: benchDecisions,
  scale: benchScale,
  // It opens a server, which no other command should have to load.
  report: async (print) => (await import('../bench/report.ts')).benchReport(print),
};

/** Reads the operand of `bench`. */
export function parseBench(what: string): Bench {
  const bench = Object.hasOwn(BENCHES, what) ? BENCHES[what] : undefined;
  if (!bench) throw new UsageError(`bench: nothing called '${what}'; there is ${Object.keys(BENCHES).join(', ')}`);
  return bench;
}
