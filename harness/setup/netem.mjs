import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { elevation } from './machine.mjs';
import { capture } from './run.mjs';
import { compareVersions } from './versions.mjs';

const modulesFolder = '/usr/lib/uml/modules';

/**
 * @typedef {'works' | 'absent' | 'unknown'} NetemProbe unknown where no namespace could be made to try it in
 * @typedef {{ kernel: string, modules: string }} UserModeKernel
 */

/**
 * Whether the kernel has netem, by putting one on the loopback of a namespace that is gone at once.
 *
 * @param {Record<string, string>} commands
 * @param {import('./machine.mjs').Machine} machine
 * @returns {NetemProbe}
 */
export function probeNetem({ unshare, tc }, machine) {
  if (unshare === undefined || tc === undefined) return 'unknown';
  const attempt = [tc, 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms'];
  const probeAsRoot = (/** @type {readonly string[]} */ elevate) =>
    judgeProbe(capture([...elevate, unshare, '--net', ...attempt]));
  if (machine.isRoot) return probeAsRoot([]);

  const own = judgeProbe(capture([unshare, '--user', '--map-root-user', '--net', ...attempt]));
  if (own !== 'unknown') return own;
  const elevate = elevation(machine);
  return elevate === null ? 'unknown' : probeAsRoot(elevate);
}

/**
 * What the probe's end tells; every kernel and iproute2 words the lack of a qdisc in one of these two ways.
 *
 * @param {{ ok: boolean, stderr: string }} ended
 * @returns {NetemProbe}
 */
export function judgeProbe({ ok, stderr }) {
  if (ok) return 'works';
  return /qdisc kind is unknown|RTNETLINK answers: No such file or directory/.test(stderr) ? 'absent' : 'unknown';
}

/**
 * The user-mode kernel of the machine, or null where it is not installed.
 *
 * @param {Record<string, string>} commands
 * @param {string} [folder]
 * @returns {UserModeKernel | null}
 */
export function findUserModeKernel(commands, folder = modulesFolder) {
  const kernel = commands['linux.uml'];
  const newest = listFolder(folder).sort(compareVersions).at(-1);
  return kernel === undefined || newest === undefined ? null : { kernel, modules: join(folder, newest) };
}

/** @param {string} folder */
function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
