/*
 * Runs the live tests inside an enclosure, in one process, so that whatever they leave behind is gone with it. Where
 * this machine can make none, they run all the same, outside: each then says why it cannot be tried, and is counted.
 */
import { EnvironmentError } from '../../harness/model/errors.ts';
import { findEnclosure, runEnclosed } from '../../harness/system/enclosure.ts';
import { type Argv, runInherited } from '../../harness/system/process.ts';

const jest = new URL('../../node_modules/jest/bin/jest.js', import.meta.url).pathname;
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const argv = [process.execPath, ...flags, jest, '--selectProjects', 'live', '--runInBand', ...process.argv.slice(2)];

try {
  await findEnclosure();
  process.exitCode = await runEnclosed(argv as unknown as Argv);
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  process.env.PHOTOFINISH_NO_LAB = error.message;
  process.exitCode = await runInherited(argv as unknown as Argv);
}
