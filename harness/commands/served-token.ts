import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { PROJECT } from '../system/tools.ts';

/** Of this checkout alone; only its owner may read it. */
const KEY_FILE = `${PROJECT}.lab/served.key`;

/**
 * The token in the address at which a study's folder is served: nobody else can tell it, and it is the same the next time,
 * so that a page which is open finds a server again that was started anew.
 */
export function servedToken(folder: string): string {
  return createHmac('sha256', readKey()).update(realpathSync(folder)).digest('base64url').slice(0, 32);
}

/** Where it can be neither read nor kept, a new one: then a server that is started anew has another address. */
function readKey(): Buffer {
  try {
    return readFileSync(KEY_FILE);
  } catch {
    const key = randomBytes(32);
    try {
      writeFileSync(KEY_FILE, key, { mode: 0o600, flag: 'wx' });
    } catch {
      // It is somebody else's, or there is no room.
    }
    return key;
  }
}
