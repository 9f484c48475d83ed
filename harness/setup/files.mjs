import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

/**
 * The text of a file, or null where it cannot be read.
 *
 * @param {string} path
 * @returns {string | null}
 */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * What a JSON file holds, or null where it is missing or no JSON.
 *
 * @param {string} path
 * @returns {any}
 */
export function readJson(path) {
  try {
    return JSON.parse(readText(path) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Writes a whole file or nothing: a reader sees the old text or the new, also after a kill.
 *
 * @param {string} path
 * @param {string} text
 */
export function writeAtomically(path, text) {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

/**
 * Writes a value as JSON, atomically, unless the file says so already.
 *
 * @param {string} path
 * @param {unknown} value
 */
export function writeJson(path, value) {
  const text = renderJson(value);
  if (readText(path) !== text) writeAtomically(path, text);
}

/**
 * A value as the text of a JSON file.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function renderJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * The first of these paths that exists, or null.
 *
 * @param {readonly string[]} paths
 * @returns {string | null}
 */
export function firstExisting(paths) {
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Writes a setting of the kernel's below /proc/sys; false where that is not allowed.
 *
 * @param {string} path
 * @param {string} value
 * @returns {boolean}
 */
export function writeIfAllowed(path, value) {
  try {
    writeFileSync(path, value);
    return true;
  } catch {
    return false;
  }
}
