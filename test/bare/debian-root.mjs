import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pickMirror, readAptSources } from '../../harness/setup/apt-sources.mjs';
import { findCommand } from '../../harness/setup/commands.mjs';
import { thisMachine } from '../../harness/setup/machine.mjs';
import { copyConfiguration } from './configuration.mjs';
import { runInside } from './inside.mjs';

/** All that a person is told to have. */
const packages = ['nodejs', 'npm', 'git', 'ca-certificates'];

const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y', '--no-install-recommends'];

/**
 * Unpacks a Debian root of this machine's own suite, with Node, npm and git and nothing else.
 *
 * It is made on the first call and kept as one archive: as a tree of files it would be searched by jest.
 *
 * @param {string} target
 * @param {string} kept the folder that the archive is kept in
 */
export async function putDebianRoot(target, kept) {
  const archive = await debianArchive(kept);
  mkdirSync(target);
  tar(['--extract', '--file', archive, '--directory', target]);
}

/**
 * @param {string} kept
 * @returns {Promise<string>}
 */
async function debianArchive(kept) {
  const { distribution, folders } = thisMachine();
  const suite = distribution.codename ?? 'sid';
  const archive = join(kept, `${suite}.tar`);
  if (existsSync(archive)) return archive;

  const mirror = process.env.PHOTOFINISH_DEBIAN_MIRROR || pickMirror(readAptSources(), distribution);
  if (mirror === null) throw new Error('apt here names no Debian mirror: set PHOTOFINISH_DEBIAN_MIRROR');
  const debootstrap = findCommand('debootstrap', folders);
  if (debootstrap === null) throw new Error('debootstrap is missing: sudo apt-get install debootstrap');

  const log = join(kept, `${suite}.log`);
  const root = join(kept, `${suite}.partial`);
  process.stdout.write(`making a bare Debian ${suite}, once, in a few minutes (${log})\n`);
  rmSync(root, { recursive: true, force: true });
  // In a mount namespace of its own, since it leaves /proc mounted when it is interrupted.
  const made = spawnSync(
    'unshare',
    ['--mount', debootstrap, '--variant=minbase', '--include=ca-certificates', suite, root, mirror],
    { encoding: 'utf8', timeout: 20 * 60_000, env: { ...process.env, PATH: folders.join(':') } },
  );
  if (made.status !== 0) throw new Error(`debootstrap failed:\n${made.stdout.slice(-2000)}${made.stderr}`);
  copyConfiguration(root);
  const results = await runInside({
    root,
    folder: '/',
    log,
    commands: [
      ['update-ca-certificates'],
      [...apt, 'update'],
      [...apt, 'install', ...packages],
      // A new machine has no package lists, and setup has to notice.
      ['find', '/var/lib/apt/lists', '/var/cache/apt', '-type', 'f', '-delete'],
    ],
  });
  const failed = results.find(({ status }) => status !== 0);
  if (failed !== undefined) throw new Error(`${failed.command.join(' ')} failed in the new root; see ${log}`);
  tar(['--create', '--file', `${archive}.partial`, '--directory', root, '.']);
  renameSync(`${archive}.partial`, archive);
  rmSync(root, { recursive: true });
  return archive;
}

/** @param {readonly string[]} args */
function tar(args) {
  const { status, stderr } = spawnSync('tar', ['--numeric-owner', ...args], { encoding: 'utf8', timeout: 600_000 });
  if (status !== 0) throw new Error(`tar failed: ${stderr}`);
}
