import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aptOptions, followApt } from './apt.mjs';
import { EnvironmentError, StoppedError } from './failure.mjs';
import { readJson, renderJson, writeAtomically } from './files.mjs';
import { debianArchitecture } from './private-command.mjs';
import { capture, runLogged } from './run.mjs';

const timeoutMs = 15 * 60_000;

/** The newest of Debian first; the one after it where that is broken today, or its key is not on the machine. */
const suites = ['sid', 'forky'];

const stampName = '.photofinish.json';

/**
 * @typedef {{ name: string, version: string, sha256: string }} TakenPackage
 * @typedef {{ suite: string, architecture: string, packages: readonly TakenPackage[] }} Stamp
 *
 * @typedef {object} Repository Debian's newest suites, by an apt with a state of its own
 * @property {string} state the folder of that
 * @property {string} mirror
 * @property {string} keyring
 * @property {string} arch Node's name for it
 * @property {string} log
 * @property {number} lock
 * @property {Set<string>} known the suites whose lists are there: fetching them takes longer than all else
 *
 * @typedef {object} PrivateFetch
 * @property {Repository} repository
 * @property {readonly string[]} packages by name; all they depend on comes along
 * @property {readonly string[]} [spared] packages that are depended on and not needed, nor what these depend on
 * @property {string} target the folder they are unpacked in
 * @property {(folder: string) => string[]} judge why what was unpacked will not do; empty where it will
 * @property {import('./progress.mjs').Step} step
 */

/**
 * A repository of which nothing is known yet; what an earlier setup left of it is gone.
 *
 * @param {Omit<Repository, 'known'>} options
 * @returns {Repository}
 */
export function openRepository(options) {
  closeRepository(options);
  return { ...options, known: new Set() };
}

/**
 * Deletes all that apt kept of a repository.
 *
 * @param {Pick<Repository, 'state'>} repository
 */
export function closeRepository({ state }) {
  rmSync(state, { recursive: true, force: true });
}

/**
 * What a folder of private packages holds, or null where it is not whole.
 *
 * @param {string} folder
 * @returns {Stamp | null}
 */
export function readStamp(folder) {
  return readJson(join(folder, stampName));
}

/**
 * Unpacks Debian packages with all that they depend on, down to libc, into a folder of our own, from the newest suite
 * whose packages will do.
 *
 * ```
 * mirror ──signed lists──► apt (own state, no package installed) ──► *.deb ──► TARGET.partial ──► TARGET
 * ```
 *
 * The machine's own packages, lists and settings stay as they are, no maintainer script runs, and no root is needed.
 *
 * @param {PrivateFetch} fetch
 * @returns {Promise<Stamp>}
 */
export async function fetchPrivately(fetch) {
  const failures = [];
  for (const suite of suites) {
    try {
      return await fetchFrom(suite, fetch);
    } catch (error) {
      if (error instanceof StoppedError || !(error instanceof EnvironmentError)) throw error;
      failures.push(`${suite}: ${error.message}`);
    }
  }
  throw new EnvironmentError(
    `${fetch.packages.join(', ')} could not be taken from Debian's newest suites.\n${failures.join('\n')}` +
      explainKeys(failures.join('\n')),
  );
}

/**
 * @param {string} suite
 * @param {PrivateFetch} fetch
 */
async function fetchFrom(suite, { repository, packages, spared = [], target, judge, step }) {
  const { arch, log, lock } = repository;
  const state = join(repository.state, suite);
  const apt = (/** @type {string[]} */ ...words) =>
    runLogged(['apt-get', '-c', join(state, 'apt.conf'), ...aptOptions, ...words], {
      name: `apt-get ${words.join(' ')}`,
      env: { ...process.env, LC_ALL: 'C' },
      log,
      lock,
      timeoutMs,
      ...followApt(step, `packages of ${suite}`),
    });
  if (!repository.known.has(suite)) {
    makeAptState(state, suite, repository);
    await apt('update');
    repository.known.add(suite);
  }
  const archives = join(state, 'cache/archives');
  rmSync(archives, { recursive: true, force: true });
  mkdirSync(join(archives, 'partial'), { recursive: true });
  writeAtomically(join(state, 'status'), renderStatus(spared, debianArchitecture(arch).debian));
  await apt('install', '--download-only', ...packages);

  const partial = `${target}.partial`;
  const taken = await unpack(archives, partial, { log, lock, step });
  const reasons = judge(partial);
  if (reasons.length > 0) throw new EnvironmentError(`what ${suite} has ${reasons.join(' and ')}`);
  /** @type {Stamp} */
  const stamp = { suite, architecture: arch, packages: taken };
  writeAtomically(join(partial, stampName), renderJson(stamp));
  replaceFolder(partial, target);
  return stamp;
}

/**
 * @param {string} state
 * @param {string} suite
 * @param {Pick<Repository, 'mirror' | 'keyring' | 'arch'>} repository
 */
function makeAptState(state, suite, { mirror, keyring, arch }) {
  rmSync(state, { recursive: true, force: true });
  mkdirSync(join(state, 'lists/partial'), { recursive: true });
  const files = renderAptState({ state, mirror, keyring, suite, architecture: debianArchitecture(arch).debian });
  for (const [name, text] of Object.entries(files)) writeAtomically(join(state, name), text);
}

/**
 * Unpacks all packages of a folder, without running anything of them, and says what they were.
 *
 * @param {string} archives
 * @param {string} target
 * @param {Pick<Repository, 'log' | 'lock'> & Pick<PrivateFetch, 'step'>} options
 * @returns {Promise<TakenPackage[]>}
 */
async function unpack(archives, target, { log, lock, step }) {
  rmSync(target, { recursive: true, force: true });
  // Closed to others until the last setuid bit is off.
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const taken = [];
  for (const name of readdirSync(archives).sort()) {
    if (!name.endsWith('.deb')) continue;
    const deb = join(archives, name);
    step.update(`unpacking ${name.replace(/_.*/, '')}`);
    await runLogged(['dpkg-deb', '-x', deb, target], { name: `dpkg-deb -x ${name}`, log, lock, timeoutMs });
    taken.push(identify(deb));
  }
  dropSetuid(target);
  chmodSync(target, 0o755);
  return taken;
}

/**
 * The files of a private apt state, by name.
 *
 * The machine's own apt.conf is read before this one and stays in force, so that its proxies work; what is said here
 * goes before it.
 *
 * @param {{ state: string, mirror: string, keyring: string, suite: string, architecture: string }} what
 * @returns {{ 'debian.sources': string, 'apt.conf': string }}
 */
export function renderAptState({ state, mirror, keyring, suite, architecture }) {
  return {
    'debian.sources': [
      'Types: deb',
      `URIs: ${mirror}`,
      `Suites: ${suite}`,
      'Components: main',
      `Architectures: ${architecture}`,
      // Just the one index file: others (translations, AppStream) weigh twice as much.
      'Targets: Packages',
      `Signed-By: ${keyring}`,
      '',
    ].join('\n'),
    'apt.conf': [
      // What Docker and PackageKit hang there tidies the machine's state, which is not ours.
      '#clear APT::Update::Pre-Invoke;',
      '#clear APT::Update::Post-Invoke;',
      '#clear APT::Update::Post-Invoke-Success;',
      '#clear DPkg::Pre-Invoke;',
      '#clear DPkg::Post-Invoke;',
      '#clear APT::Default-Release;',
      '#clear APT::Architectures;',
      `APT::Architecture "${architecture}";`,
      `Dir::State "${state}";`,
      `Dir::State::status "${state}/status";`,
      `Dir::Cache "${state}/cache";`,
      `Dir::Etc::sourcelist "${state}/debian.sources";`,
      'Dir::Etc::sourceparts "/dev/null";',
      'Dir::Etc::preferences "/dev/null";',
      'Dir::Etc::preferencesparts "/dev/null";',
      // A list that could not be fetched is an error, and no reason to go on with an older one.
      'APT::Update::Error-Mode "any";',
      'APT::Install-Recommends "false";',
      'APT::Install-Suggests "false";',
      // apt's own user may not enter a folder in another user's home.
      'APT::Sandbox::User "root";',
      'APT::Get::AllowUnauthenticated "false";',
      'Acquire::AllowInsecureRepositories "false";',
      'Acquire::AllowDowngradeToInsecureRepositories "false";',
      'Acquire::AllowWeakRepositories "false";',
      '',
    ].join('\n'),
  };
}

/**
 * What apt is told of what is installed: nothing, so that it takes everything, libc included, but for what is spared.
 *
 * @param {readonly string[]} spared
 * @param {string} architecture
 * @returns {string}
 */
export function renderStatus(spared, architecture) {
  return spared
    .map((name) =>
      [
        `Package: ${name}`,
        'Status: install ok installed',
        `Architecture: ${architecture}`,
        'Multi-Arch: allowed',
        'Version: 999:0',
        '',
      ].join('\n'),
    )
    .join('\n');
}

/**
 * @param {string} deb
 * @returns {TakenPackage}
 */
function identify(deb) {
  const { stdout } = capture(['dpkg-deb', '--field', deb, 'Package', 'Version']);
  const field = (/** @type {string} */ name) => new RegExp(`^${name}: (.*)$`, 'm').exec(stdout)?.[1] ?? '';
  const sha256 = createHash('sha256').update(readFileSync(deb)).digest('hex');
  return { name: field('Package'), version: field('Version'), sha256 };
}

/**
 * Takes the setuid and setgid bits off everything below a folder: an old `su` has no business in a checkout.
 *
 * @param {string} folder
 */
function dropSetuid(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    const { mode } = lstatSync(path);
    if (mode & 0o6000) chmodSync(path, mode & 0o1777);
    if (entry.isDirectory()) dropSetuid(path);
  }
}

/**
 * Puts a folder in the place of another; killed at any moment, there is the old one, none, or the new one, never half.
 *
 * @param {string} from
 * @param {string} to
 */
function replaceFolder(from, to) {
  rmSync(join(to, stampName), { force: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/** @param {string} failures */
function explainKeys(failures) {
  return /NO_PUBKEY|not signed|signatures? (couldn't|were invalid)|Missing key/i.test(failures)
    ? '\nThe suite is signed with a key that is not on this machine. A newer debian-archive-keyring has it: ' +
        'sudo apt-get update && sudo apt-get install debian-archive-keyring'
    : '';
}
