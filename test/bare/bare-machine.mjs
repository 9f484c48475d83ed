/**
 * `npm run test:bare -- [--worktree] [--keep] [command...]`: tries a clone of this repository on a bare Debian machine.
 *
 * ```
 * debootstrap ──► .lab/bare/SUITE.tar (kept) ──► .lab/bare/trial-PID + clone ──► commands, in namespaces of their own
 * ```
 *
 * Root only, and not part of `npm test`: it takes minutes, and half a gigabyte while it runs.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readText } from '../../harness/setup/files.mjs';
import { copyConfiguration } from './configuration.mjs';
import { putDebianRoot } from './debian-root.mjs';
import { runInside } from './inside.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const bare = join(repository, '.lab/bare');
const cloneInRoot = '/root/photofinish';

/** What a person would type first on a new machine. */
const defaultCommands = [
  ['npm', 'run', 'setup'],
  ['npm', 'run', 'measure'],
  ['npm', 'test'],
];

process.exitCode = await main(process.argv.slice(2));

/** @param {readonly string[]} argv */
async function main(argv) {
  const { options, command } = parseWords(argv);
  const unknown = options.find((option) => !['--worktree', '--keep'].includes(option));
  if (unknown !== undefined) return fail(2, `${unknown} is not known: --worktree, --keep, then a command`);
  if (process.geteuid?.() !== 0) return fail(3, 'only root can make a Debian root: sudo npm run test:bare');

  mkdirSync(bare, { recursive: true });
  // What is copied in may hold the credentials of the machine's registries.
  chmodSync(bare, 0o700);
  removeDeadTrials();

  const trial = join(bare, `trial-${process.pid}`);
  let stopped = false;
  // A signal ends the commands (inside.mjs sees to that), and then there is still something to tidy away.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (stopped = true));
  try {
    await putDebianRoot(trial, bare);
    copyConfiguration(trial);
    putClone(join(trial, cloneInRoot), options.includes('--worktree'));
    const commands = command.length > 0 ? [command] : defaultCommands;
    const results = await runInside({ root: trial, folder: cloneInRoot, commands, log: null });
    process.stdout.write(`\n${renderResults(results)}`);
    if (stopped) return 4;
    return results.every(({ status }) => status === 0) ? 0 : 1;
  } catch (error) {
    return fail(3, error instanceof Error ? error.message : String(error));
  } finally {
    if (options.includes('--keep')) {
      putKernelBack(trial);
      process.stdout.write(`kept: ${trial}\n`);
    } else {
      removeTrial(trial);
    }
  }
}

/**
 * Options up to the first word that is none, and from there the command with options of its own.
 *
 * @param {readonly string[]} argv
 */
function parseWords(argv) {
  const first = argv.findIndex((word) => !word.startsWith('--'));
  const count = first === -1 ? argv.length : first;
  return { options: argv.slice(0, count).filter((word) => word !== '--'), command: argv.slice(count) };
}

/**
 * @param {string} target
 * @param {boolean} worktree with what is not committed, instead of HEAD
 */
function putClone(target, worktree) {
  if (!worktree) {
    git(['clone', '--quiet', '--no-hardlinks', repository, target]);
    return;
  }
  git(['init', '--quiet', target]);
  const listed = git(['-C', repository, 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(join(repository, name)))) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(repository, path), join(target, path), { verbatimSymlinks: true });
  }
}

/** @param {readonly string[]} args */
function git(args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}

/** Removes what trials that were killed have left. */
function removeDeadTrials() {
  for (const name of readdirSync(bare)) {
    const pid = /^trial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isTrial(pid)) removeTrial(join(bare, name));
  }
}

/**
 * Whether a process is a trial that lives; its number may be another's by now, and a dead one has no command line.
 *
 * @param {string} pid
 */
function isTrial(pid) {
  return readText(`/proc/${pid}/cmdline`)?.includes('bare-machine') ?? false;
}

/**
 * Undoes what setup did to the kernel from within, which is this machine's too.
 *
 * @param {string} trial
 */
function putKernelBack(trial) {
  const clone = join(trial, cloneInRoot);
  if (!existsSync(join(clone, '.lab/sysctl.json'))) return;
  spawnSync(process.execPath, [join(clone, 'harness/setup.mjs'), '--undo'], { stdio: 'inherit', timeout: 60_000 });
}

/** @param {string} trial */
function removeTrial(trial) {
  putKernelBack(trial);
  // The mounts are in a namespace that has ended; were one left after all, this would delete what it shows.
  if (readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${trial}/`)) {
    process.stderr.write(`${trial} has something mounted in it and is left as it is\n`);
    return;
  }
  // Again and again, since what unpacked the root of a killed trial may be writing still.
  rmSync(trial, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}

/** @param {readonly import('./inside.mjs').Result[]} results */
function renderResults(results) {
  return results
    .map(({ command, status, seconds }) => `${command.join(' ')}: exit ${status} after ${seconds.toFixed(1)} s\n`)
    .join('');
}

/**
 * @param {number} status
 * @param {string} message
 */
function fail(status, message) {
  process.stderr.write(`bare-machine: ${message}\n`);
  return status;
}
