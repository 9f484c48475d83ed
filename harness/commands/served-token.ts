import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { PROJECT } from '../system/tools.ts';
import { giveToSudoer } from '../system/write-whole.ts';

/** The file with this checkout's key, which only its owner may read. */
const KEY_FILE = `${PROJECT}.lab/served.key`;

/**
 * The token in the address at which a study's folder is served: other users cannot guess it, and it is the same the
 * next time, so that an open page finds a restarted server again.
 */
export function servedToken(folder: string): string {
  return createHmac('sha256', readKey()).update(realpathSync(folder)).digest('base64url').slice(0, 32);
}

/** Reads the key, or makes one; where it can be neither read nor kept, a restarted server has another address. */
function readKey(): Buffer {
  try {
    return readFileSync(KEY_FILE);
  } catch {
    const key = randomBytes(32);
    try {
      writeFileSync(KEY_FILE, key, { mode: 0o600, flag: 'wx' });
      giveToSudoer(KEY_FILE);
    } catch {
      // The file is another user's, or there is no room.
    }
    return key;
  }
}
