import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand } from './commands.mjs';
import { EnvironmentError } from './failure.mjs';
import { readJson } from './files.mjs';
import { runLogged } from './run.mjs';

const timeoutMs = 20 * 60_000;

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, peer?: boolean,
 *   os?: string | string[], cpu?: string | string[], libc?: string | string[], link?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * Whether what npm says it installed (its hidden lock file) is what the lock file asks for.
 *
 * Optional packages may be absent: those of other platforms always are.
 *
 * @param {LockedPackages} locked
 * @param {LockedPackages} installed
 * @returns {boolean}
 */
export function matchesLock(locked, installed) {
  for (const [path, wanted] of Object.entries(locked)) {
    if (path === '') continue;
    const got = installed[path];
    if (got === undefined) {
      if (wanted.optional || wanted.devOptional || wanted.peer) continue;
      return false;
    }
    if (got.version !== wanted.version || got.integrity !== wanted.integrity) return false;
  }
  return Object.keys(installed).every((path) => path in locked);
}

/**
 * The packages of a lock file that npm will install on such a machine, whose libc is glibc as the pinned Node's.
 *
 * @param {LockedPackages} locked
 * @param {{ platform: string, arch: string }} machine
 * @returns {string[]} paths such as `node_modules/zod`
 */
export function expectedPackages(locked, { platform, arch }) {
  const fits = (/** @type {string | string[] | undefined} */ allowed, /** @type {string} */ own) =>
    allowed === undefined || [allowed].flat().includes(own);
  return Object.entries(locked)
    .filter(
      ([path, entry]) => path !== '' && fits(entry.os, platform) && fits(entry.cpu, arch) && fits(entry.libc, 'glibc'),
    )
    .map(([path]) => path);
}

/**
 * Whether node_modules is whole, matches package-lock.json and has the pinned Node in it.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function nodeModulesReady(root) {
  /** @type {LockedPackages} */
  const locked = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  /** @type {LockedPackages | undefined} */
  const installed = readJson(hiddenLock(root))?.packages;
  return (
    installed !== undefined &&
    matchesLock(locked, installed) &&
    Object.keys(installed).every((path) => existsSync(join(root, path, 'package.json'))) &&
    existsSync(pinnedNode(root))
  );
}

/**
 * Installs what package-lock.json says, with `npm ci` and without any install script.
 *
 * @param {object} where
 * @param {string} where.root
 * @param {readonly string[]} where.folders where npm is looked for
 * @param {string} where.log
 * @param {number} where.lock
 * @param {import('./progress.mjs').Step} where.step
 * @returns {Promise<number>} how many packages there are
 */
export async function installNodeModules({ root, folders, log, lock, step }) {
  const npm = findCommand('npm', folders);
  if (npm === null) throw new EnvironmentError('npm is missing: sudo apt-get install npm');

  /** @type {LockedPackages} */
  const locked = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const expected = expectedPackages(locked, process);
  // npm deletes the old tree first, in no order; killed then, its hidden lock file would vouch for what is gone.
  rmSync(hiddenLock(root), { force: true });
  const run = (/** @type {string} */ name, /** @type {readonly string[]} */ words) =>
    runLogged([npm, ...words, '--ignore-scripts', '--no-audit', '--no-fund'], {
      name,
      cwd: root,
      // A plain PATH: the `node` of node_modules/.bin is about to be deleted.
      env: { ...process.env, PATH: folders.join(':') },
      log,
      lock,
      timeoutMs,
      onTick: () => {
        const there = expected.filter((path) => existsSync(join(root, path, 'package.json'))).length;
        step.update(`${there} of ${expected.length}`);
      },
    });
  await run('npm ci', ['ci', '--include=dev', '--include=optional']);
  const platformPackage = `node-${process.platform}-${process.arch}`;
  if (!existsSync(pinnedNode(root)) && existsSync(join(root, 'node_modules', platformPackage))) {
    // npm 9 links the program `node` of one platform's package and then deletes the link with the other's package.
    await run(`npm rebuild ${platformPackage}`, ['rebuild', platformPackage]);
  }
  if (!existsSync(pinnedNode(root))) {
    throw new EnvironmentError(
      `npm has installed no ${platformPackage}, which is the Node that this runs on. Only linux-x64 and linux-arm64 are ` +
        'in package-lock.json; if this machine is one of them, npm was told to omit optional packages, or its registry ' +
        'does not have this one',
    );
  }
  return expected.length;
}

/** @param {string} root */
function hiddenLock(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/** @param {string} root */
function pinnedNode(root) {
  return join(root, 'node_modules', '.bin', 'node');
}
