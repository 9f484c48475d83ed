/*
 * Runs the live tests inside enclosures, so that whatever they leave behind is gone with them: those that need the machine
 * for themselves one after the other, then those in `beside/` two files at a time. Where this machine can make no
 * enclosure, they run all the same, outside: each then says why it cannot be tried, and is counted.
 */
import { statSync } from 'node:fs';
import { EnvironmentError } from '../../harness/model/errors.ts';
import { findEnclosure, runEnclosed } from '../../harness/system/enclosure.ts';
import { type Argv, run, runInherited } from '../../harness/system/process.ts';

const jest = new URL('../../node_modules/jest/bin/jest.js', import.meta.url).pathname;
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** What `jest.config.mjs` calls them. */
type Project = 'live' | 'beside';

function argvOf(project: Project, ...more: readonly string[]): Argv {
  const own = ['--selectProjects', project, '--runInBand'];
  return [process.execPath, ...flags, jest, ...own, ...process.argv.slice(2), ...more];
}

/** The files of a project that were asked for: all, or those with a pattern in their names. */
async function filesOf(project: Project): Promise<string[]> {
  return (await run(argvOf(project, '--listTests'))).match(/\/\S+\.test\.ts/g) ?? [];
}

/** Jest ends with 0 or 1; what was asked to stop does not. */
const isStopped = (code: number) => code > 1;

async function runInside(alone: readonly string[], beside: readonly string[]): Promise<number> {
  const codes = alone.length > 0 ? [await runEnclosed(argvOf('live'))] : [];
  // The long ones first, so that both lanes end together.
  const waiting = beside.map((file) => ({ file, bytes: statSync(file).size })).toSorted((a, b) => b.bytes - a.bytes);
  const runLane = async () => {
    for (let next = waiting.shift(); next && !codes.some(isStopped); next = waiting.shift())
      codes.push(await runEnclosed(argvOf('beside', `--testMatch=${next.file}`)));
  };
  await Promise.all([runLane(), runLane()]);
  return Math.max(...codes);
}

async function runOutside(alone: readonly string[], beside: readonly string[]): Promise<number> {
  const codes = alone.length > 0 ? [await runInherited(argvOf('live'))] : [];
  if (beside.length > 0) codes.push(await runInherited(argvOf('beside')));
  return Math.max(...codes);
}

const files = [await filesOf('live'), await filesOf('beside')] as const;
if (files.flat().length === 0) throw new Error(`no live test is called ${process.argv.slice(2).join(' ')}`);
try {
  await findEnclosure();
  process.exitCode = await runInside(...files);
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  process.env.PHOTOFINISH_NO_LAB = error.message;
  process.exitCode = await runOutside(...files);
}
