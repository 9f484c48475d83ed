import { exportStudy, parseExport } from '../commands/export.ts';
import { parseReport, report } from '../commands/report.ts';

/**
 * One of the commands that `bench scale` times, in a process of its own: `node scale-job.ts COMMAND DIR`. It says how
 * much memory it took at most, in megabytes.
 */
const JOBS: Readonly<Record<string, (folder: string) => Promise<number>>> = {
  export: (folder) => exportStudy(parseExport({}, [folder]), () => {}),
  report: (folder) => report(parseReport({}, [folder]), () => {}),
};

const [job, folder] = process.argv.slice(2);
await JOBS[job!]!(folder!);
process.stdout.write(`${process.resourceUsage().maxRSS / 1000}\n`);
