import { findCommand } from './commands.mjs';
import { foreignLibraries, privateCommand } from './private-command.mjs';
import { readStamp } from './private-packages.mjs';
import { capture } from './run.mjs';
import { compareVersions } from './versions.mjs';

/** Older ones have no HTTP/3 that sends within CUBIC's initial window, or none at all. */
const oldestNginx = '1.29.1';

/** The first OpenSSL whose QUIC interface nginx uses for 0-RTT. */
const oldestOpenssl = '3.5.1';

/** Where the program is inside of Debian's package. */
const programInPackage = 'usr/sbin/nginx';

/**
 * @typedef {{ version: string | null, http3: boolean, openssl: string | null }} NginxBuild
 *
 * @typedef {object} Nginx
 * @property {readonly string[]} argv what starts it, to which the options are added
 * @property {string} version
 * @property {string} openssl the one it runs on, which may be newer than the one it was built with
 * @property {'env' | 'path' | 'private'} source
 * @property {readonly import('./private-packages.mjs').TakenPackage[]} packages
 * @property {string | null} suite
 */

/**
 * What `nginx -V` says of a build.
 *
 * @param {string} text
 * @returns {NginxBuild}
 */
export function parseNginxBuild(text) {
  const openssl =
    /\(running with OpenSSL (\d[\d.]*)/.exec(text)?.[1] ?? /^built with OpenSSL (\d[\d.]*)/m.exec(text)?.[1];
  return {
    version: /^nginx version: nginx\/(\d+(?:\.\d+)*)/m.exec(text)?.[1] ?? null,
    http3: /(^|\s)--with-http_v3_module(\s|$)/m.test(text),
    openssl: openssl ?? null,
  };
}

/**
 * Why a build is unfit for the measurement, in words; empty where it is fit.
 *
 * @param {NginxBuild} build
 * @returns {string[]}
 */
export function unfitReasons({ version, http3, openssl }) {
  if (version === null) return ['does not run as an nginx'];
  const reasons = [];
  if (compareVersions(version, oldestNginx) < 0) reasons.push(`is ${version}, older than ${oldestNginx}`);
  if (!http3) reasons.push('is built without HTTP/3');
  if (openssl === null) reasons.push('does not run on OpenSSL');
  else if (compareVersions(openssl, oldestOpenssl) < 0) {
    reasons.push(`runs on OpenSSL ${openssl}, older than ${oldestOpenssl}`);
  }
  return reasons;
}

/**
 * The nginx to use: the one in PHOTOFINISH_NGINX, on the PATH or below `.lab`, the first that is fit, or null.
 *
 * @param {import('./machine.mjs').Machine} machine
 * @param {string} privateFolder
 * @returns {{ nginx: Nginx | null, complaint: string | null }} the complaint is about what was asked for and is unfit
 */
export function findNginx({ env, folders, arch }, privateFolder) {
  let complaint = null;
  const asked = env.PHOTOFINISH_NGINX;
  if (asked) {
    const { nginx, reasons } = inspect([asked], { source: 'env', packages: [], suite: null });
    if (nginx !== null) return { nginx, complaint };
    complaint = `PHOTOFINISH_NGINX is ${asked}, which ${reasons.join(' and ')}; another is used`;
  }
  const onPath = findCommand('nginx', folders);
  if (onPath !== null) {
    const { nginx } = inspect([onPath], { source: 'path', packages: [], suite: null });
    if (nginx !== null) return { nginx, complaint };
  }
  const stamp = readStamp(privateFolder);
  if (stamp === null || stamp.architecture !== arch) return { nginx: null, complaint };
  const { packages, suite } = stamp;
  const argv = privateCommand(privateFolder, arch, programInPackage);
  return { nginx: inspect(argv, { source: 'private', packages, suite }).nginx, complaint };
}

/**
 * Why a tree of unpacked packages does not give a fit nginx; empty where it does.
 *
 * @param {string} folder
 * @param {string} arch
 * @returns {string[]}
 */
export function judgePrivateNginx(folder, arch) {
  const argv = privateCommand(folder, arch, programInPackage);
  const { reasons } = inspect(argv, { source: 'private', packages: [], suite: null });
  const [loader, ...rest] = argv;
  const foreign = foreignLibraries(capture([String(loader), '--list', ...rest]).stdout, folder);
  return foreign.length === 0 ? reasons : [...reasons, `lacks ${foreign.join(', ')}`];
}

/**
 * @param {readonly string[]} argv
 * @param {Pick<Nginx, 'source' | 'packages' | 'suite'>} origin
 * @returns {{ nginx: Nginx | null, reasons: string[] }}
 */
function inspect(argv, origin) {
  const build = parseNginxBuild(capture([...argv, '-V']).stderr);
  const reasons = unfitReasons(build);
  if (reasons.length > 0 || build.version === null || build.openssl === null) return { nginx: null, reasons };
  return { nginx: { argv, version: build.version, openssl: build.openssl, ...origin }, reasons };
}
