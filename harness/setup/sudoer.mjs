import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives what root made under sudo to the user that ran sudo, who could not go on with it otherwise: a file, or a folder
 * with all that is in it. What another user has stays theirs.
 *
 * @param {string} path
 */
export function giveToSudoer(path) {
  const { SUDO_UID, SUDO_GID } = process.env;
  if (process.geteuid?.() !== 0 || SUDO_UID === undefined || SUDO_GID === undefined) return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.uid === 0) lchownSync(path, Number(SUDO_UID), Number(SUDO_GID));
  if (found?.isDirectory()) for (const name of readdirSync(path)) giveToSudoer(join(path, name));
}
