import { findCommand, searchFolders } from './commands.mjs';
import { readText } from './files.mjs';
import { capture } from './run.mjs';

/**
 * @typedef {object} Machine what setup has to know of the machine it runs on
 * @property {NodeJS.ProcessEnv} env
 * @property {string} platform
 * @property {string} arch Node's name for it: x64, arm64
 * @property {boolean} isRoot
 * @property {{ id: string, codename: string | null }} distribution
 * @property {readonly string[]} folders where programs are looked for
 * @property {string | null} aptGet
 */

/**
 * The machine that this process runs on.
 *
 * @returns {Machine}
 */
export function thisMachine() {
  const folders = searchFolders(process.env.PATH ?? '');
  return {
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    isRoot: process.geteuid?.() === 0,
    distribution: parseOsRelease(readText('/etc/os-release') ?? ''),
    folders,
    aptGet: findCommand('apt-get', folders),
  };
}

/**
 * Reads /etc/os-release; Debian's unstable has no codename of its own there.
 *
 * @param {string} text
 * @returns {{ id: string, codename: string | null }}
 */
export function parseOsRelease(text) {
  const value = (/** @type {string} */ key) =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, 'm').exec(text)?.[1]?.toLowerCase() || null;
  return { id: value('ID') ?? 'unknown', codename: value('VERSION_CODENAME') };
}

/**
 * The words to put before a command so that root runs it: none for root, sudo's where it asks for no password, else
 * null.
 *
 * @param {Machine} machine
 * @returns {string[] | null}
 */
export function elevation({ isRoot, folders }) {
  if (isRoot) return [];
  const sudo = findCommand('sudo', folders);
  return sudo !== null && capture([sudo, '-n', 'true']).ok ? [sudo, '-n'] : null;
}
