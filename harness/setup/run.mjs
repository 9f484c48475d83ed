import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { EnvironmentError, StoppedError } from './failure.mjs';

/** How often the log of a running command is read for progress. */
const pollMs = 250;

/** How many lines of a log a failure shows. */
const shownLines = 15;

/** What is asked of a command in a few seconds at most. */
const captureTimeoutMs = 20_000;

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @typedef {{ ok: boolean, status: number | null, stdout: string, stderr: string }} Captured
 *
 * @typedef {object} LoggedRun
 * @property {string} name the command as a person would say it
 * @property {string} log the file that takes the output
 * @property {number} timeoutMs
 * @property {number} [lock] a lock's descriptor that the command holds too, so that it outlives a killed setup
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(line: string) => void} [onLine] told each line of the output
 * @property {() => void} [onTick] told the time, four times a second
 */

/**
 * Runs a short command and returns what it said; a failure is a result like any other.
 *
 * @param {readonly string[]} argv
 * @param {{ input?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Captured}
 */
export function capture(argv, options = {}) {
  const [file, ...args] = argv;
  const { status, stdout, stderr } = spawnSync(String(file), args, {
    ...options,
    encoding: 'utf8',
    timeout: captureTimeoutMs,
    killSignal: 'SIGKILL',
  });
  return { ok: status === 0, status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/**
 * Runs a long command with its output in a log, and throws with what its output says of it where it fails.
 *
 * The output goes to the file itself and not through a pipe: were this process killed, apt would die of the broken pipe
 * in the middle of its work.
 *
 * @param {readonly string[]} argv
 * @param {LoggedRun} options
 */
export async function runLogged(argv, options) {
  const log = openSync(options.log, 'a+');
  try {
    writeSync(log, `\n$ ${argv.join(' ')}\n`);
    const from = fstatSync(log).size;
    const read = openLines(log, from, options.onLine ?? (() => {}));
    const ended = await spawnWatched(argv, log, options, () => {
      read();
      options.onTick?.();
    });
    read();
    if (ended !== null) {
      throw new EnvironmentError(`${options.name} ${ended}; from ${options.log}:\n${explain(log, from)}`);
    }
  } finally {
    closeSync(log);
  }
}

/**
 * How the command ended, null where it ended well.
 *
 * @param {readonly string[]} argv
 * @param {number} log
 * @param {LoggedRun} options
 * @param {() => void} onTick
 * @returns {Promise<string | null>}
 */
async function spawnWatched(argv, log, { name, timeoutMs, lock, cwd, env }, onTick) {
  const [file, ...args] = argv;
  const child = spawn(String(file), args, {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', log, log, ...(lock === undefined ? [] : [lock])],
  });
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy;
  let late = false;
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy = signal;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  const ticks = setInterval(onTick, pollMs);
  const deadline = setTimeout(() => {
    late = true;
    child.kill('SIGTERM');
  }, timeoutMs);
  try {
    const ended = await new Promise((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (status, signal) => resolve(status === 0 ? null : `ended with ${signal ?? `exit ${status}`}`));
    });
    if (stoppedBy) throw new StoppedError(`stopped by ${stoppedBy} during ${name}; the next run goes on from there`);
    return late ? `did not end within ${timeoutMs / 1000} s` : ended;
  } finally {
    clearInterval(ticks);
    clearTimeout(deadline);
    for (const signal of signals) process.off(signal, stop);
  }
}

/**
 * A function that hands out the whole lines that a growing file has got since the last call.
 *
 * @param {number} file
 * @param {number} from
 * @param {(line: string) => void} onLine
 */
function openLines(file, from, onLine) {
  const buffer = Buffer.alloc(65_536);
  let position = from;
  let rest = '';
  return () => {
    for (;;) {
      const length = readSync(file, buffer, 0, buffer.length, position);
      if (length === 0) return;
      position += length;
      const lines = (rest + buffer.toString('utf8', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    }
  };
}

/**
 * @param {number} log
 * @param {number} from
 */
function explain(log, from) {
  /** @type {string[]} */
  const lines = [];
  openLines(log, from, (line) => lines.push(line))();
  return tellingLines(lines)
    .map((line) => `  ${line}`)
    .join('\n');
}

/**
 * The lines of a failed command's output that tell why: the first that npm, apt or dpkg mark as errors (npm adds a page
 * of usage to them), else the last.
 *
 * @param {readonly string[]} lines
 * @returns {string[]}
 */
export function tellingLines(lines) {
  const errors = lines.filter((line) => /^(npm (error|ERR!) \S|E: |dpkg: error|dpkg-deb: error)/.test(line));
  if (errors.length > 0) return errors.slice(0, shownLines);
  return lines.filter((line) => line.trim() !== '' && !/^(dl|pm)status:/.test(line)).slice(-shownLines);
}
