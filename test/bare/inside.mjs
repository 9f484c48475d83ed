import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { plainEnvironment } from './configuration.mjs';

const commandTimeoutMs = 60 * 60_000;

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

const self = fileURLToPath(import.meta.url);

/** The descriptor that results come back on, one JSON line each. */
const resultsDescriptor = 3;

/**
 * @typedef {{ command: readonly string[], status: number | null, seconds: number }} Result
 *
 * @typedef {object} Visit
 * @property {string} root
 * @property {string} folder where the commands run, as seen from within
 * @property {readonly (readonly string[])[]} commands
 */

/**
 * Runs commands one after another in another root, in a mount and a process namespace of their own: when it ends,
 * however it ends, no mount and no process is left.
 *
 * @param {Visit & { log: string | null }} options output goes to the log, or to this process's where that is null
 * @returns {Promise<Result[]>}
 */
export async function runInside({ log, ...visit }) {
  const output = log === null ? 'inherit' : openSync(log, 'w');
  try {
    const init = join(dirname(self), '../../harness/system/init.pl');
    const first = ['perl', init, process.execPath, self, JSON.stringify(visit)];
    // Standard input is the lifeline: when it closes, because this process has ended or says so, all that is inside ends.
    const child = spawn('unshare', ['--mount', '--pid', '--fork', ...first], {
      stdio: ['pipe', output, output, 'pipe'],
    });
    for (const signal of signals) process.on(signal, () => child.stdin?.destroy());
    const lines = await text(/** @type {import('node:stream').Readable} */ (child.stdio[resultsDescriptor]));
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  } finally {
    if (typeof output === 'number') closeSync(output);
  }
}

/** @param {Visit} visit */
function visitRoot({ root, folder, commands }) {
  const mounts = [
    ['--bind', root, '.'], // A root that is a mount, as every real one is: unshare wants to make it private.
    ['--types', 'proc', 'proc', 'proc'],
    ['--types', 'sysfs', 'sysfs', 'sys'],
    ['--rbind', '/dev', 'dev'],
    ['--types', 'tmpfs', '--options', 'mode=1777', 'tmpfs', 'dev/shm'],
    ['--types', 'tmpfs', '--options', 'mode=755', 'tmpfs', 'run'],
  ];
  for (const mount of mounts) {
    const target = join(root, String(mount.at(-1)));
    mkdirSync(target, { recursive: true });
    const { status } = spawnSync('mount', [...mount.slice(0, -1), target], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${target} could not be mounted`);
  }
  for (const command of commands) {
    process.stdout.write(`\n# ${command.join(' ')}\n`);
    const beganMs = performance.now();
    const { status } = spawnSync(
      'chroot',
      [root, 'env', '--ignore-environment', `--chdir=${folder}`, ...plainEnvironment(process.env), ...command],
      { stdio: ['ignore', 'inherit', 'inherit'], timeout: commandTimeoutMs },
    );
    const result = { command, status, seconds: (performance.now() - beganMs) / 1000 };
    writeSync(resultsDescriptor, `${JSON.stringify(result)}\n`);
  }
}

if (process.argv[1] === self) visitRoot(JSON.parse(String(process.argv[2])));
