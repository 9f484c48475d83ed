import { setTimeout } from 'node:timers/promises';
import { EnvironmentError, StoppedError } from './failure.mjs';
import { capture, runLogged } from './run.mjs';

const timeoutMs = 40 * 60_000;

const lockPatienceMs = 10 * 60_000;

/** For apt and what it starts: no questions, English where it is parsed, and on Ubuntu no restart of services. */
const quietEnvironment = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C', 'NEEDRESTART_SUSPEND=1'];

/**
 * The options that every apt-get here has: progress on standard output for {@link parseStatus}, and patience.
 */
export const aptOptions = [
  '-q',
  '-y',
  '--no-install-recommends',
  ...['APT::Status-Fd=1', 'Acquire::Retries=3', 'Acquire::http::Timeout=30', 'Acquire::https::Timeout=30'].flatMap(
    (option) => ['-o', option],
  ),
];

/**
 * What a line of apt's progress says, or null where it is another line.
 *
 * @param {string} line such as `pmstatus:chromium:45.5:Unpacking chromium (amd64)`
 * @returns {string | null} such as `Unpacking chromium, 46 %`
 */
export function parseStatus(line) {
  if (/^Waiting for cache lock/.test(line)) return 'waiting for another apt-get';
  const match = /^(?:dl|pm)status:.+?:(\d+(?:\.\d+)?):(.*)$/.exec(line);
  if (match === null) return null;
  const text = String(match[2]).replace(/ \([a-z0-9]+\)$/, '');
  return `${text}, ${Math.round(Number(match[1]))} %`;
}

/**
 * Shows a step how far an apt-get with {@link aptOptions} is, and that it is alive while it says nothing.
 *
 * @param {import('./progress.mjs').Step} step
 * @param {string} begin what to show at first
 * @returns {{ onLine: (line: string) => void, onTick: () => void }}
 */
export function followApt(step, begin) {
  let status = begin;
  return {
    onLine: (line) => {
      status = parseStatus(line) ?? status;
    },
    onTick: () => step.update(status),
  };
}

/**
 * Which packages apt can install, from what `apt-cache policy` says.
 *
 * @param {string} text
 * @returns {Set<string>}
 */
export function parsePolicy(text) {
  const available = new Set();
  let name = '';
  for (const line of text.split('\n')) {
    name = /^(\S+):$/.exec(line)?.[1] ?? name;
    if (/^\s+Candidate: (?!\(none\))\S/.test(line)) available.add(name);
  }
  return available;
}

/**
 * Installs packages of the system, with the package lists brought up to date only where that is needed.
 *
 * @param {readonly string[]} packages
 * @param {object} options
 * @param {readonly string[]} options.elevate what makes the command root's
 * @param {string} options.log
 * @param {import('./progress.mjs').Step} options.step
 */
export async function installPackages(packages, { elevate, log, step }) {
  const asRoot = (/** @type {string} */ name, /** @type {readonly string[]} */ argv) =>
    runLogged([...elevate, 'env', ...quietEnvironment, ...argv], {
      name,
      log,
      timeoutMs,
      ...followApt(step, name),
    });
  const update = () => patiently(step, () => asRoot('apt-get update', ['apt-get', ...aptOptions, 'update']));
  const install = () =>
    patiently(step, () =>
      asRoot(`apt-get install ${packages.join(' ')}`, [
        'apt-get',
        ...aptOptions,
        // A killed setup may have left an apt at work. Nothing of the machine's own is ever removed.
        ...['-o', 'DPkg::Lock::Timeout=600', '-o', 'Dpkg::Options::=--force-confold', '--no-remove', '--fix-broken'],
        'install',
        ...packages,
      ]),
    );

  if (unavailable(packages).length > 0) {
    await update();
    const lacking = unavailable(packages);
    if (lacking.length > 0) throw new EnvironmentError(explainUnavailable(lacking));
  }
  try {
    await install();
  } catch (error) {
    unlessStopped(error);
    // Lists older than the mirror name files that it has no more; an interrupted dpkg refuses to go on by itself.
    const mended = asRoot('dpkg --configure -a', ['dpkg', '--configure', '-a', '--force-confold']);
    await mended.catch(unlessStopped);
    await update();
    await install();
  }
}

/** @param {unknown} error */
function unlessStopped(error) {
  if (error instanceof StoppedError) throw error;
}

/**
 * Tries again while another apt-get, which a killed setup may have left, has one of the locks that apt does not wait for
 * by itself (it does so only for dpkg's).
 *
 * @param {import('./progress.mjs').Step} step
 * @param {() => Promise<void>} attempt
 */
async function patiently(step, attempt) {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const locked = error instanceof EnvironmentError && error.message.includes('Could not get lock');
      if (!locked || performance.now() - beganMs > lockPatienceMs) throw error;
      step.update('waiting for another apt-get');
      await setTimeout(1000);
    }
  }
}

/**
 * The packages among these that apt's lists do not have.
 *
 * @param {readonly string[]} packages
 * @returns {string[]}
 */
export function unavailable(packages) {
  const policy = capture(['apt-cache', 'policy', ...packages], { env: { ...process.env, LC_ALL: 'C' } });
  const available = parsePolicy(policy.stdout);
  return packages.filter((name) => !available.has(name));
}

/** @param {readonly string[]} packages */
function explainUnavailable(packages) {
  const browser = packages.includes('chromium')
    ? '; a Chromium or Chrome installed otherwise is named in PHOTOFINISH_CHROMIUM'
    : '';
  return `apt's sources have no package ${packages.join(', ')}${browser}`;
}
