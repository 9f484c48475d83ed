import { statSync } from 'node:fs';
import { findCommand } from './commands.mjs';
import { capture } from './run.mjs';

/**
 * Servers that are used where the user installed them: where they are, how they tell their version, and what to do
 * where there are none.
 */
const kinds = {
  caddy: {
    name: 'caddy',
    folders: [],
    ask: ['version'],
    version: /^v?(\S+)/,
    missing: 'there is no caddy on the PATH; install Caddy 2, and then: npm run setup',
  },
  openlitespeed: {
    name: 'openlitespeed',
    folders: ['/usr/local/lsws/bin'],
    ask: ['-v'],
    version: /^LiteSpeed\/(\S+)/,
    missing: 'there is no /usr/local/lsws/bin/openlitespeed; install OpenLiteSpeed, and then: npm run setup',
  },
};

/**
 * @typedef {{ argv: readonly [string], version: string, mtimeMs: number, size: number }} OwnServer the last two tell
 *   whether the version, which takes long to ask for, still holds
 *
 * @typedef {Record<'caddy' | 'openlitespeed', OwnServer | { missing: string }>} OwnServers
 */

/**
 * The servers that are on a machine.
 *
 * @param {readonly string[]} folders where programs are looked for
 * @param {Partial<OwnServers>} [known] what the last run found
 * @returns {OwnServers}
 */
export function findOwnServers(folders, known = {}) {
  const find = (/** @type {keyof typeof kinds} */ kind) => {
    const { name, ask, version, missing, folders: own } = kinds[kind];
    const path = findCommand(name, own.length > 0 ? own : folders);
    const file = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
    if (path === null || file === undefined) return { missing };
    const { mtimeMs, size } = file;
    const before = known[kind];
    if (before !== undefined && 'argv' in before) {
      if (before.argv[0] === path && before.mtimeMs === mtimeMs && before.size === size) return before;
    }
    const { stdout, stderr } = capture([path, ...ask]);
    const told = version.exec(stdout || stderr)?.[1];
    if (told === undefined) return { missing: `${path} does not tell its version; ${missing}` };
    return { argv: /** @type {const} */ ([path]), version: told, mtimeMs, size };
  };
  return { caddy: find('caddy'), openlitespeed: find('openlitespeed') };
}
