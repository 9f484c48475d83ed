import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where system programs are that the PATH of an unprivileged user lacks. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'];

/**
 * The folders that are searched for programs: the PATH without this project's own, then the system's.
 *
 * The node_modules/.bin folders are left out because npm puts them first, and `npm ci` deletes them under way.
 *
 * @param {string} path the PATH
 * @returns {string[]}
 */
export function searchFolders(path) {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !folder.includes('node_modules'));
  return [...new Set([...folders, ...systemFolders])];
}

/**
 * The absolute path of a program, or null.
 *
 * @param {string} name
 * @param {readonly string[]} folders
 * @returns {string | null}
 */
export function findCommand(name, folders) {
  for (const folder of folders) {
    const path = join(folder, name);
    if (isExecutable(path)) return path;
  }
  return null;
}

/**
 * The programs among these that are there, by name.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} folders
 * @returns {Record<string, string>}
 */
export function findCommands(names, folders) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const name of names) {
    const path = findCommand(name, folders);
    if (path !== null) found[name] = path;
  }
  return found;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
