import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { STORE_FILE } from '../store/store.ts';
import { run } from '../system/process.ts';
import { openBenchFolder } from './folder.ts';
import { writeGeneratedStudy } from './generated-study.ts';

const LOADS = [1_000, 10_000, 100_000] as const;
const JOBS = ['report', 'export'] as const;
/** What either command may take. */
const TARGET = { seconds: 10, megabytes: 500 } as const;
const TIMEOUT_MS = 300_000;

interface Row {
  readonly loads: number;
  readonly storeMegabytes: number;
  readonly job: (typeof JOBS)[number];
  readonly seconds: number;
  /** The most memory that it took. */
  readonly megabytes: number;
}

/** `photofinish bench scale`: what reports and exports of large studies take; 1 where that is too much. */
export async function benchScale(print: (line: string) => void): Promise<number> {
  const rows: Row[] = [];
  for (const loads of LOADS) {
    using folder = openBenchFolder(`scale-${loads}`);
    const store = join(folder.path, STORE_FILE);
    writeGeneratedStudy(store, loads);
    const storeMegabytes = statSync(store).size / 1e6;
    for (const job of JOBS) rows.push({ loads, storeMegabytes, job, ...(await timeJob(job, folder.path)) });
  }
  print(renderTable(COLUMNS, rows));
  const reached = rows.every(({ seconds, megabytes }) => seconds < TARGET.seconds && megabytes < TARGET.megabytes);
  print(`each under ${TARGET.seconds} s and ${TARGET.megabytes} MB: ${reached ? 'reached' : 'not reached'}`);
  return reached ? 0 : 1;
}

const COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'loads', align: 'right', text: (row) => row.loads.toLocaleString('en') },
  { title: 'store MB', align: 'right', text: (row) => row.storeMegabytes.toFixed(1) },
  { title: 'command', text: (row) => row.job },
  { title: 'seconds', align: 'right', text: (row) => row.seconds.toFixed(1) },
  { title: 'memory MB', align: 'right', text: (row) => row.megabytes.toFixed(0) },
];

/** Runs a command in a process of its own, whose start counts too. */
async function timeJob(job: string, folder: string): Promise<Pick<Row, 'seconds' | 'megabytes'>> {
  const path = fileURLToPath(new URL('scale-job.ts', import.meta.url));
  const beganMs = performance.now();
  const megabytes = await run([process.execPath, ...process.execArgv, path, job, folder], { timeoutMs: TIMEOUT_MS });
  return { seconds: (performance.now() - beganMs) / 1000, megabytes: Number(megabytes) };
}
