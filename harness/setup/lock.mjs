import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { EnvironmentError } from './failure.mjs';

/** The longest that a setup may have to wait for another: a slow line, and Chromium to fetch. */
const patienceS = 3600;

/**
 * @typedef {{ descriptor: number, release(): void }} Lock
 */

/**
 * Takes the one lock that a setup needs to change anything, after the process that holds it now has ended.
 *
 * The kernel's flock on an open descriptor: no file has to be tidied away after a kill, a dead process holds nothing,
 * and a command that is still at work after its setup was killed holds it on, because it has the descriptor too.
 *
 * @param {string} path
 * @param {() => void} onBusy told once where it has to wait
 * @returns {Promise<Lock>}
 */
export async function acquireLock(path, onBusy) {
  const descriptor = openSync(path, 'a');
  const tryOnce = await flock(['--nonblock'], descriptor);
  if (tryOnce !== 0) {
    onBusy();
    if ((await flock(['--timeout', String(patienceS)], descriptor)) !== 0) {
      closeSync(descriptor);
      throw new EnvironmentError(`another setup has held ${path} for ${patienceS / 60} minutes; end it and try again`);
    }
  }
  return { descriptor, release: () => closeSync(descriptor) };
}

/**
 * @param {readonly string[]} options
 * @param {number} descriptor
 * @returns {Promise<number | null>}
 */
function flock(options, descriptor) {
  return new Promise((resolve, reject) => {
    const child = spawn('flock', ['--exclusive', ...options, '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
    });
    child.once('exit', resolve);
    child.once('error', (cause) =>
      reject(new EnvironmentError('flock is missing: sudo apt-get install util-linux', { cause })),
    );
  });
}
