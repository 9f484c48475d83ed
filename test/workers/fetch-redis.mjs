import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pickMirror, readAptSources } from '../../harness/setup/apt-sources.mjs';
import { findCommand } from '../../harness/setup/commands.mjs';
import { acquireLock } from '../../harness/setup/lock.mjs';
import { thisMachine } from '../../harness/setup/machine.mjs';
import { privateCommand } from '../../harness/setup/private-command.mjs';
import { closeRepository, fetchPrivately, openRepository, readStamp } from '../../harness/setup/private-packages.mjs';
import { keyrings } from '../../harness/setup/programs.mjs';
import { capture } from '../../harness/setup/run.mjs';

/** What Debian's package is said to depend on, and the server itself does not need. */
const spared = ['adduser', 'debconf', 'perl', 'sysvinit-utils', 'lsb-base', 'init-system-helpers'];

/**
 * What starts a Redis: one of this machine's, or Debian's newest, which is unpacked into the checkout by the same private
 * route as the servers that setup takes, once.
 *
 * @param {string} lab the folder .lab
 * @returns {Promise<string[]>}
 */
export async function findRedis(lab) {
  const machine = thisMachine();
  const own = findCommand('valkey-server', machine.folders) ?? findCommand('redis-server', machine.folders);
  if (own !== null) return [own];
  const target = join(lab, 'redis');
  const argv = privateCommand(target, machine.arch, 'usr/bin/redis-server');
  mkdirSync(lab, { recursive: true });
  const lock = await acquireLock(join(lab, 'redis.lock'), () => {});
  try {
    if (readStamp(target) === null) await fetch(lab, target, machine, lock.descriptor);
  } finally {
    lock.release();
  }
  return argv;
}

/**
 * @param {string} lab
 * @param {string} target
 * @param {import('../../harness/setup/machine.mjs').Machine} machine
 * @param {number} lock
 */
async function fetch(lab, target, { arch, env, distribution }, lock) {
  const mirror = env.PHOTOFINISH_DEBIAN_MIRROR || pickMirror(readAptSources(), distribution);
  const keyring = keyrings.find((path) => existsSync(path));
  if (mirror === null || keyring === undefined)
    throw new Error('there is no Redis here, and no Debian to take it from');
  const repository = openRepository({
    state: join(lab, 'apt-redis'),
    mirror,
    keyring,
    arch,
    log: join(lab, 'redis.log'),
    lock,
  });
  const judge = (/** @type {string} */ folder) =>
    capture([...privateCommand(folder, arch, 'usr/bin/redis-server'), '--version']).ok ? [] : ['does not run'];
  const step = { update() {}, end() {} };
  await fetchPrivately({ repository, packages: ['redis-server'], spared, target, judge, step });
  closeRepository(repository);
}
