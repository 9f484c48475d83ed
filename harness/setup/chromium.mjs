import { existsSync, statSync } from 'node:fs';
import { findCommand } from './commands.mjs';
import { EnvironmentError } from './failure.mjs';
import { capture } from './run.mjs';

/** The names that browsers of the family go by, the one that Debian packages first. */
const names = ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser'];

/**
 * @typedef {{ path: string, version: string, mtimeMs: number, size: number }} Chromium the last two tell whether the
 *   version, which takes long to ask for, still holds
 */

/**
 * The browser to use: the one in PHOTOFINISH_CHROMIUM, or the first on the PATH that tells its version, or null.
 *
 * @param {import('./machine.mjs').Machine} machine
 * @param {Chromium | null | undefined} known what the last run found
 * @returns {Chromium | null}
 */
export function findChromium({ env, folders }, known) {
  const asked = env.PHOTOFINISH_CHROMIUM;
  if (asked) {
    const found = identify(asked, known);
    if (found === null) {
      throw new EnvironmentError(
        `PHOTOFINISH_CHROMIUM is ${asked}, which does not run as a Chromium; correct it, or leave it unset`,
      );
    }
    return found;
  }
  for (const name of names) {
    const path = findCommand(name, folders);
    const found = path === null ? null : identify(path, known);
    if (found !== null) return found;
  }
  return null;
}

/** Debian's launcher, and the program that it starts. */
const debian = { launcher: '/usr/bin/chromium', program: '/usr/lib/chromium/chromium' };

/** The package, and the command, of the shell. */
export const shellPackage = 'chromium-headless-shell';

/**
 * Chromium's headless shell: the same engine and the same network service without windows and profiles, so that a launch and
 * a new visitor take a third of the processor time. Its version must be the browser's own. Null where there is none, and where
 * PHOTOFINISH_CHROMIUM asks for another browser.
 *
 * @param {import('./machine.mjs').Machine} machine
 * @param {Chromium | null} chromium
 * @param {Chromium | null | undefined} known what the last run found
 * @returns {Chromium | null}
 */
export function findShell({ env, folders }, chromium, known) {
  if (chromium === null || env.PHOTOFINISH_CHROMIUM) return null;
  const path = findCommand(shellPackage, folders);
  const found = path === null ? null : identify(path, known);
  return found?.version === chromium.version ? found : null;
}

/**
 * Whether the browser is Debian's, which has a shell beside it.
 *
 * @param {Chromium | null} chromium
 */
export function isDebians(chromium) {
  return chromium?.path === debian.launcher && existsSync(debian.program);
}

/**
 * The version in what `--version` prints, or null.
 *
 * @param {string} text
 * @returns {string | null}
 */
export function parseChromiumVersion(text) {
  return /Chrom(?:e|ium)\D*(\d+(?:\.\d+){3})/.exec(text)?.[1] ?? null;
}

/**
 * @param {string} path
 * @param {Chromium | null | undefined} known
 * @returns {Chromium | null}
 */
function identify(path, known) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  if (known?.path === path && known.mtimeMs === file.mtimeMs && known.size === file.size) return known;
  const version = parseChromiumVersion(capture([path, '--version']).stdout);
  return version === null ? null : { path, version, mtimeMs: file.mtimeMs, size: file.size };
}
