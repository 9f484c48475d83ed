import { shellPackage } from './chromium.mjs';

/** The programs that a lab is made of, and the Debian package of each. */
const packageOf = {
  ip: 'iproute2',
  tc: 'iproute2',
  nft: 'nftables',
  ethtool: 'ethtool',
  tcpdump: 'tcpdump',
  openssl: 'openssl',
  dnsmasq: 'dnsmasq-base',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  chrt: 'util-linux',
  sysctl: 'procps',
  perl: 'perl-base',
};

/** Names of all programs that setup looks for. */
export const programNames = [...Object.keys(packageOf), 'linux.uml'];

/** Where the fonts that stand in for Arial, Times and Courier are on Debian, Ubuntu, Fedora and Arch. */
export const fontFolders = [
  '/usr/share/fonts/truetype/liberation',
  '/usr/share/fonts/truetype/liberation2',
  '/usr/share/fonts/liberation',
  '/usr/share/fonts/liberation-fonts',
  '/usr/share/fonts/liberation-sans',
  '/usr/share/fonts/liberation-sans-fonts',
];

/** Where Debian's keys are. */
export const keyrings = [
  '/usr/share/keyrings/debian-archive-keyring.pgp',
  '/usr/share/keyrings/debian-archive-keyring.gpg',
];

/**
 * @typedef {object} Found what there is of what is needed
 * @property {Record<string, string>} commands
 * @property {boolean} chromium
 * @property {boolean} fonts
 * @property {import('./netem.mjs').NetemProbe} netem
 * @property {boolean} uml
 * @property {boolean} nginx
 * @property {boolean} keyring
 * @property {boolean} apt
 * @property {string} arch
 *
 * @typedef {{ what: string, package: string }} Missing
 */

/**
 * What is missing of the machine's programs, each with its package.
 *
 * The user-mode kernel is missing only where netem was tried and is not there: elsewhere it stands in for nothing.
 *
 * @param {Found} found
 * @returns {Missing[]}
 */
export function missingPrograms({ commands, chromium, fonts, netem, uml, nginx, keyring, apt, arch }) {
  /** @type {Missing[]} */
  const missing = [];
  if (!chromium) for (const name of ['chromium', shellPackage]) missing.push({ what: name, package: name });
  if (!fonts) missing.push({ what: 'fonts', package: 'fonts-liberation' });
  for (const [what, name] of Object.entries(packageOf)) {
    if (commands[what] === undefined) missing.push({ what, package: name });
  }
  if (netem === 'absent' && arch === 'x64') missing.push(...missingUserMode({ uml }));
  if (!nginx && !apt)
    missing.push({
      what: 'nginx with HTTP/3 (1.29.1 or later, on the PATH or in PHOTOFINISH_NGINX)',
      package: 'nginx',
    });
  if (!nginx && apt && !keyring) missing.push({ what: "Debian's keys", package: 'debian-archive-keyring' });
  return missing;
}

/**
 * The packages to install, each once.
 *
 * @param {readonly Missing[]} missing
 * @returns {string[]}
 */
export function packagesOf(missing) {
  return [...new Set(missing.map((one) => one.package))];
}

/**
 * What may turn out to be missing as well once netem can be tried, for which tc is needed.
 *
 * @param {Pick<Found, 'commands' | 'uml' | 'arch'>} found
 * @returns {Missing[]}
 */
export function perhapsMissing({ commands, uml, arch }) {
  if (commands.tc !== undefined || arch !== 'x64') return [];
  return missingUserMode({ uml });
}

/**
 * What a person without root is told: what is missing, and the one command that mends it.
 *
 * @param {readonly Missing[]} missing
 * @param {readonly Missing[]} perhaps taken along, so that the user needs root only once
 * @param {{ listsLack: boolean, hasSudo: boolean }} machine `listsLack` where apt's lists do not have it
 * @returns {string}
 */
export function explainCommand(missing, perhaps, { listsLack, hasSudo }) {
  const sudo = hasSudo ? 'sudo ' : '';
  const update = listsLack ? `${sudo}apt-get update && ` : '';
  const packages = packagesOf([...missing, ...perhaps]).join(' ');
  const note = `(${packagesOf(perhaps).join(' and ')}: for kernels without netem, which cannot be tried before tc is there)`;
  return [
    `missing: ${missing.map((one) => one.what).join(', ')}. Run this once${hasSudo ? '' : ' as root'}, and then again what you ran:`,
    '',
    `  ${update}${sudo}apt-get install --no-install-recommends ${packages}`,
    ...(perhaps.length > 0 ? ['', note] : []),
  ].join('\n');
}

/**
 * What a person on a machine without apt-get is told.
 *
 * @param {readonly Missing[]} missing
 * @returns {string}
 */
export function explainWithoutApt(missing) {
  const named = missing.map((one) =>
    one.what.startsWith(one.package) ? one.what : `${one.what} (Debian's package ${one.package})`,
  );
  return `missing: ${named.join(', ')}. There is no apt-get here to install it with; install it by this system's means`;
}

/**
 * @param {Pick<Found, 'uml'>} found
 * @returns {Missing[]}
 */
function missingUserMode({ uml }) {
  return uml ? [] : [{ what: 'a kernel with netem', package: 'user-mode-linux' }];
}
