import { join } from 'node:path';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { countLaunches, openLab } from '../run/lab.ts';
import { openLabs } from '../run/labs.ts';
import { findSite } from '../run/sites.ts';
import { meanOf, median } from '../stats/order.ts';
import { STORE_FILE } from '../store/store.ts';
import { openBenchFolder } from './folder.ts';
import { planPagesStudy, runPagesStudy } from './pages-study.ts';
import { watchProcessors } from './processor-use.ts';
import { type Phase, type PhaseCost, timeLab, timePhase } from './timed-lab.ts';

const SITE = 'article';
const LINK = 'fibre';
const BLOCKS = 24;
const ARMS = ['h1', 'h2', 'h3'] as const;
/** What is asked: of all cores for each load that counts, and of a load's time beyond the load itself at the median. */
const ASKED = { coreSeconds: 1.0, beyondMs: 150 } as const;

/**
 * `photofinish bench overhead`: what a study takes for each load that counts, with all that does not count (controls, warm-ups,
 * reference loads, launches, calibration, films), by phase and by process; 1 where that is too much. The machine must have nothing else to do.
 */
export async function benchOverhead(print: (line: string) => void): Promise<number> {
  using folder = openBenchFolder('overhead');
  const costs = new Map<Phase, PhaseCost>();
  const lookAtProcessors = watchProcessors();
  const beganMs = performance.now();
  const loads = await runStudy(folder.path, costs);
  const wallSeconds = (performance.now() - beganMs) / 1000;
  const { machineSeconds, byProcess } = lookAtProcessors();
  const counted = loads.length;
  const coreSeconds = machineSeconds / counted;
  const beyondMs = median(loads.map((load) => load.beyondMs));
  print(
    `${SITE} over ${LINK}, ${BLOCKS} blocks: ${counted} counted loads, median ${median(loads.map(({ pltMs }) => pltMs)).toFixed(0)} ms, in ${wallSeconds.toFixed(0)} s`,
  );
  print(`\n${renderTable(PHASE_COLUMNS(counted), [...withTheRest(costs, { wallSeconds, machineSeconds })])}`);
  print(`\n${renderTable(PROCESS_COLUMNS(counted), processRows(byProcess, machineSeconds))}`);
  print(
    `\nof a core for each counted load: ${coreSeconds.toFixed(2)} s (asked: at most ${ASKED.coreSeconds.toFixed(1)})`,
  );
  const beyond = loads.map((load) => load.beyondMs);
  print(
    `from the end of the load before to its own, less the load: ${beyondMs.toFixed(0)} ms at the median, ${meanOf(beyond).toFixed(0)} on average (asked: at most ${ASKED.beyondMs} at the median)`,
  );
  return coreSeconds <= ASKED.coreSeconds && beyondMs <= ASKED.beyondMs ? 0 : 1;
}

/** A load that counts, and what lay between the end of the one before it and its own, but for itself. */
interface CountedLoad {
  readonly pltMs: number;
  readonly beyondMs: number;
}

/** Runs the study as `measure` runs it, in one lab; brings back the loads that count, whose condition is no control. */
async function runStudy(folder: string, costs: Map<Phase, PhaseCost>): Promise<readonly CountedLoad[]> {
  const site = findSite(SITE);
  const planned = planPagesStudy({ name: 'overhead', sites: [site], links: [LINK], arms: ARMS, blocks: BLOCKS });
  const nextLaunch = countLaunches();
  const ends: number[] = [];
  const open = async () => {
    const lab = timeLab(await timePhase(costs, 'open the lab', () => openLab({ sites: [site], nextLaunch })), costs);
    const load: typeof lab.load = async (...wanted) => {
      const capture = await lab.load(...wanted);
      ends.push(performance.now());
      return capture;
    };
    return { ...lab, load };
  };
  await using labs = openLabs(open, 1);
  const measured = await runPagesStudy(join(folder, STORE_FILE), planned, labs);
  return measured.flatMap((each, place) => {
    if (each.condition === planned.plan.control.id || each.status !== 'ok' || place === 0) return [];
    return [{ pltMs: each.pltMs, beyondMs: ends[place]! - ends[place - 1]! - each.pltMs }];
  });
}

interface PhaseRow extends PhaseCost {
  readonly phase: Phase;
}

/** What is in no phase is what the harness does between them: archives, proofs, the store, what is next. */
function withTheRest(
  costs: ReadonlyMap<Phase, PhaseCost>,
  all: { readonly wallSeconds: number; readonly machineSeconds: number },
): readonly PhaseRow[] {
  const rows = [...costs].map(([phase, cost]): PhaseRow => ({ phase, ...cost }));
  const sum = (of: (row: PhaseRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const wallSeconds = all.wallSeconds - sum((row) => row.wallSeconds);
  const coreSeconds = all.machineSeconds - sum((row) => row.coreSeconds);
  return [...rows, { phase: 'the rest', times: 1, wallSeconds, coreSeconds }];
}

const PHASE_COLUMNS = (loads: number): readonly TerminalColumn<PhaseRow>[] => [
  { title: 'phase', text: ({ phase }) => phase },
  { title: 'times', align: 'right', text: ({ times }) => `${times}` },
  { title: 'wall s', align: 'right', text: ({ wallSeconds }) => wallSeconds.toFixed(1) },
  { title: 'core s', align: 'right', text: ({ coreSeconds }) => coreSeconds.toFixed(1) },
  { title: 'core s a load', align: 'right', text: ({ coreSeconds }) => (coreSeconds / loads).toFixed(3) },
];

interface ProcessRow {
  readonly kind: string;
  readonly seconds: number;
}

function processRows(byProcess: ReadonlyMap<string, number>, machineSeconds: number): readonly ProcessRow[] {
  const rows = [...byProcess].map(([kind, seconds]) => ({ kind, seconds })).toSorted((a, b) => b.seconds - a.seconds);
  const seen = rows.reduce((sum, { seconds }) => sum + seconds, 0);
  const others = { kind: 'whatever ended unseen, the kernel and other programs', seconds: machineSeconds - seen };
  return [...rows.filter(({ seconds }) => seconds >= 0.05), others];
}

const PROCESS_COLUMNS = (loads: number): readonly TerminalColumn<ProcessRow>[] => [
  { title: 'process', text: ({ kind }) => kind },
  { title: 'core s', align: 'right', text: ({ seconds }) => seconds.toFixed(1) },
  { title: 'core s a load', align: 'right', text: ({ seconds }) => (seconds / loads).toFixed(3) },
];
