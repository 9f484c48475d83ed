import { join } from 'node:path';
import { foreignLibraries, privateCommand } from './private-command.mjs';
import { readStamp } from './private-packages.mjs';
import { capture } from './run.mjs';
import { compareVersions } from './versions.mjs';

/** The first HAProxy whose BBR and pacing are there without being called experimental. */
const oldestHaproxy = '3.2';

/** Debian's packages of Apache and HAProxy; neither of them has a service. */
export const serverPackages = ['apache2-bin', 'haproxy'];

/**
 * What these are said to depend on, and what no module that is loaded here needs: scripts, users, clients of HTTP, LDAP
 * and Lua. They are two thirds of all bytes.
 */
export const sparedPackages = [
  ...['perl', 'adduser', 'sysvinit-utils', 'lsb-base', 'libcurl4t64', 'libldap2', 'libaprutil1-ldap'],
  ...['libaprutil1-dbd-sqlite3', 'libxml2-16', 'libjansson4', 'libbrotli1', 'libdb5.3t64', 'debconf'],
];

const programs = { apache: 'usr/sbin/apache2', haproxy: 'usr/sbin/haproxy' };

/** Apache's modules that come with libraries of their own. */
const modules = ['mod_http2.so', 'mod_ssl.so'].map((name) => `usr/lib/apache2/modules/${name}`);

/**
 * @typedef {object} DebianServer
 * @property {readonly string[]} argv what starts it, to which the options are added
 * @property {string} version
 * @property {string} openssl
 * @property {readonly import('./private-packages.mjs').TakenPackage[]} packages
 * @property {string} suite
 *
 * @typedef {{ apache: DebianServer, haproxy: DebianServer }} DebianServers
 */

/**
 * The servers in a folder of private packages, or null where there are none.
 *
 * @param {string} folder
 * @param {string} arch
 * @returns {DebianServers | null}
 */
export function findDebianServers(folder, arch) {
  const stamp = readStamp(folder);
  if (stamp === null || stamp.architecture !== arch) return null;
  const { packages, suite } = stamp;
  const versionOf = (/** @type {RegExp} */ name) =>
    upstreamVersion(packages.find((one) => name.test(one.name))?.version ?? '');
  const openssl = versionOf(/^libssl\d/);
  const serverOf = (/** @type {'apache' | 'haproxy'} */ name, /** @type {RegExp} */ packageName) => ({
    argv: privateCommand(folder, arch, programs[name]),
    version: versionOf(packageName),
    openssl,
    packages,
    suite,
  });
  return { apache: serverOf('apache', /^apache2-bin$/), haproxy: serverOf('haproxy', /^haproxy$/) };
}

/**
 * The version of a program, without what Debian writes around it.
 *
 * @param {string} version such as `1:3.2.26-1+b1`
 * @returns {string} such as `3.2.26`
 */
export function upstreamVersion(version) {
  return version.replace(/^\d+:/, '').replace(/[-+].*$/, '');
}

/**
 * Why a tree of unpacked packages does not give fit servers; empty where it does.
 *
 * @param {string} folder
 * @param {string} arch
 * @returns {string[]}
 */
export function judgeDebianServers(folder, arch) {
  const [loader, ...rest] = privateCommand(folder, arch, programs.haproxy);
  const list = (/** @type {string} */ file) =>
    capture([String(loader), '--list', ...rest.slice(0, -1), join(folder, file)]).stdout;
  const foreign = [...Object.values(programs), ...modules].flatMap((file) => foreignLibraries(list(file), folder));
  const reasons = unfitHaproxy(capture([String(loader), ...rest, '-vv']).stdout);
  const apache = capture([...privateCommand(folder, arch, programs.apache), '-v']);
  if (!/^Server version: Apache\//m.test(apache.stdout)) reasons.push('has an Apache that does not run');
  if (foreign.length > 0) reasons.push(`lacks ${[...new Set(foreign)].join(', ')}`);
  return reasons;
}

/**
 * Why an HAProxy is unfit for the measurement, from what `haproxy -vv` says of it; empty where it is fit.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function unfitHaproxy(text) {
  const version = /^HAProxy version (\d+(?:\.\d+)*)/m.exec(text)?.[1];
  if (version === undefined) return ['has an HAProxy that does not run'];
  const reasons = [];
  if (compareVersions(version, oldestHaproxy) < 0) reasons.push(`has HAProxy ${version}, older than ${oldestHaproxy}`);
  if (!/ \+QUIC /.test(text)) reasons.push('has an HAProxy without QUIC');
  // There the handshake is done by detours, and without 0-RTT.
  else if (/ \+QUIC_OPENSSL_COMPAT /.test(text)) reasons.push("has an HAProxy that does without OpenSSL's QUIC");
  return reasons;
}
