import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where debootstrap and the machine each say in a form of their own where packages come from. */
const sourceFiles = ['/etc/apt/sources.list', '/etc/apt/sources.list.d'];

/** What tells apt, and all that speaks TLS, where this machine's registries are and how to trust them. */
const systemFiles = [
  '/etc/apt/apt.conf',
  '/etc/apt/apt.conf.d',
  '/etc/apt/auth.conf',
  '/etc/apt/auth.conf.d',
  '/etc/apt/keyrings',
  ...sourceFiles,
  '/etc/apt/trusted.gpg.d',
  '/etc/hosts',
  '/etc/resolv.conf',
  '/usr/local/share/ca-certificates',
  '/usr/share/keyrings',
];

/**
 * Gives a root the machine's own configuration of apt and npm, so that the same registries serve it. It may hold
 * credentials and is never printed.
 *
 * @param {string} root
 */
export function copyConfiguration(root) {
  for (const path of sourceFiles) rmSync(join(root, path), { recursive: true, force: true });
  for (const path of systemFiles) {
    if (!existsSync(path)) continue;
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target, { recursive: true, dereference: true });
  }
  // Where npm keeps its global file differs from one build of it to the next; the user's own is read by all.
  const settings = [npmConfigFile('globalconfig'), npmConfigFile('userconfig')];
  const text = settings.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('\n');
  writeFileSync(join(root, 'root/.npmrc'), text, { mode: 0o600 });
}

/**
 * The environment of a command in the root: plain, but for what leads to the registries and for this project's own.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} as `NAME=value`
 */
export function plainEnvironment(env) {
  const kept = /^(https?_proxy|all_proxy|no_proxy|NODE_EXTRA_CA_CERTS|PHOTOFINISH_.*)$/i;
  return [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'LANG=C.UTF-8',
    ...Object.entries(env).flatMap(([name, value]) => (kept.test(name) ? [`${name}=${value}`] : [])),
  ];
}

/** @param {'globalconfig' | 'userconfig'} name */
function npmConfigFile(name) {
  const { stdout } = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8', timeout: 60_000 });
  return (stdout ?? '').trim();
}
