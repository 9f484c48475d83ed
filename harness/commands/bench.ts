import { benchAnswers } from '../bench/answers.ts';
import { benchAnswers2015 } from '../bench/answers-2015.ts';
import { benchDecisions } from '../bench/decisions/decisions.ts';
import { benchLabs } from '../bench/labs.ts';
import { benchLaunches } from '../bench/launches.ts';
import { benchLink } from '../bench/link.ts';
import { benchObserver } from '../bench/observer.ts';
import { benchOverhead } from '../bench/overhead.ts';
import { benchScale } from '../bench/scale.ts';
import { benchWorkers } from '../bench/workers.ts';
import { findName } from '../study/fields.ts';
import { BENCH_NAMES } from './command-table.ts';

type Bench = (print: (line: string) => void) => Promise<number>;

/** What can be asked about the harness itself. */
const BENCHES: Readonly<Record<(typeof BENCH_NAMES)[number], Bench>> = {
  link: benchLink,
  overhead: benchOverhead,
  observer: benchObserver,
  labs: benchLabs,
  launches: benchLaunches,
  decisions: benchDecisions,
  answers: benchAnswers,
  'answers-2015': benchAnswers2015,
  scale: benchScale,
  workers: benchWorkers,
  // It opens a server, which no other command should have to load.
  report: async (print) => (await import('../bench/report.ts')).benchReport(print),
};

/** Reads the operand of `bench`. */
export function parseBench(what: string): Bench {
  return BENCHES[findName('bench', what, BENCH_NAMES, 'bench')];
}
