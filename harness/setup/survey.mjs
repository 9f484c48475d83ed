import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, findShell, isDebians, shellPackage } from './chromium.mjs';
import { findCommand, findCommands } from './commands.mjs';
import { findDebianServers } from './debian-servers.mjs';
import { firstExisting, readJson } from './files.mjs';
import { elevation } from './machine.mjs';
import { findUserModeKernel, probeNetem } from './netem.mjs';
import { findNginx } from './nginx.mjs';
import { nodeModulesReady } from './node-modules.mjs';
import { findOwnServers } from './own-servers.mjs';
import { fontFolders, keyrings, missingPrograms, programNames } from './programs.mjs';
import { bufferBytes, planBuffers, readBufferLimits } from './udp-buffers.mjs';

/**
 * @typedef {object} Places the files that setup keeps
 * @property {string} root the checkout
 * @property {string} lab
 * @property {string} tools
 * @property {string} nginx
 * @property {string} servers
 * @property {string} untaken why there are none, once that was tried
 * @property {string} shellUntaken why there is no headless shell, once that was tried
 * @property {string} apt
 * @property {string} sysctl
 * @property {string} log
 * @property {string} lock
 *
 * @typedef {object} Survey what there is on a machine; taking it changes nothing
 * @property {string} arch
 * @property {boolean} nodeModules
 * @property {Record<string, string>} commands
 * @property {import('./chromium.mjs').Chromium | null} chromium
 * @property {import('./chromium.mjs').Chromium | null} shell
 * @property {boolean} lacksShell whether it is not there and worth a try: it is done without where that fails
 * @property {import('./netem.mjs').NetemProbe} netem
 * @property {import('./netem.mjs').UserModeKernel | null} uml
 * @property {import('./nginx.mjs').Nginx | null} nginx
 * @property {import('./debian-servers.mjs').DebianServers | null} servers
 * @property {string | null} untaken why there are none, once that was tried
 * @property {import('./own-servers.mjs').OwnServers} ownServers
 * @property {string | null} complaint
 * @property {string | null} keyring
 * @property {readonly import('./programs.mjs').Missing[]} missing
 * @property {import('./udp-buffers.mjs').BufferLimits} limits
 * @property {import('./udp-buffers.mjs').BufferChanges} lowBuffers
 *
 * @typedef {object} Tools what `.lab/tools.json` tells the rest of the program
 * @property {2} schema
 * @property {import('./chromium.mjs').Chromium | null} chromium
 * @property {import('./chromium.mjs').Chromium | null} shell what most loads are made in, where it is there
 * @property {import('./nginx.mjs').Nginx | null} nginx
 * @property {Record<'apache' | 'haproxy', import('./debian-servers.mjs').DebianServer | { missing: string }>
 *   & import('./own-servers.mjs').OwnServers} servers
 * @property {'kernel' | 'uml' | 'none'} netem
 * @property {import('./netem.mjs').UserModeKernel | null} uml
 * @property {Record<string, string>} commands
 * @property {number | null} udpBufferBytes
 */

/**
 * Where everything is in a checkout.
 *
 * @param {string} root
 * @returns {Places}
 */
export function placesIn(root) {
  const lab = join(root, '.lab');
  return {
    root,
    lab,
    tools: join(lab, 'tools.json'),
    nginx: join(lab, 'nginx'),
    servers: join(lab, 'servers'),
    untaken: join(lab, 'servers-untaken.json'),
    shellUntaken: join(lab, 'shell-untaken.json'),
    apt: join(lab, 'apt'),
    sysctl: join(lab, 'sysctl.json'),
    log: join(lab, 'setup.log'),
    lock: join(lab, 'setup.lock'),
  };
}

/**
 * What the last setup found, or null before the first.
 *
 * @param {Places} places
 * @returns {Tools | null}
 */
export function readTools({ tools }) {
  const known = readJson(tools);
  return known?.schema === 2 ? known : null;
}

/**
 * Looks at the machine.
 *
 * @param {import('./machine.mjs').Machine} machine
 * @param {Places} places
 * @returns {Survey}
 */
export function takeSurvey(machine, places) {
  const commands = findCommands(programNames, machine.folders);
  const known = readTools(places);
  const chromium = findChromium(machine, known?.chromium);
  const shell = findShell(machine, chromium, known?.shell);
  const netem = probeNetem(commands, machine);
  const uml = findUserModeKernel(commands);
  const { nginx, complaint } = findNginx(machine, places.nginx);
  const keyring = firstExisting(keyrings);
  const limits = readBufferLimits();
  return {
    arch: machine.arch,
    nodeModules: nodeModulesReady(places.root),
    commands,
    chromium,
    shell,
    lacksShell:
      isDebians(chromium) &&
      findCommand(shellPackage, machine.folders) === null &&
      !existsSync(places.shellUntaken) &&
      elevation(machine) !== null,
    netem,
    uml,
    nginx,
    servers: findDebianServers(places.servers, machine.arch),
    untaken: readJson(places.untaken)?.reason ?? null,
    ownServers: findOwnServers(machine.folders, known?.servers),
    complaint,
    keyring,
    missing: missingPrograms({
      commands,
      chromium: chromium !== null,
      fonts: fontFolders.some((folder) => existsSync(folder)),
      netem,
      uml: uml !== null,
      nginx: nginx !== null,
      keyring: keyring !== null,
      apt: machine.aptGet !== null,
      arch: machine.arch,
    }),
    limits,
    lowBuffers: planBuffers(limits),
  };
}

/**
 * The next step, or null where nothing is missing. Setup does without a shell or servers that could not be had.
 *
 * @param {Pick<Survey, 'nodeModules' | 'missing' | 'lacksShell' | 'nginx' | 'servers' | 'untaken'>} survey
 * @returns {'node_modules' | 'programs' | 'shell' | 'nginx' | 'servers' | null}
 */
export function nextStep({ nodeModules, missing, lacksShell, nginx, servers, untaken }) {
  if (!nodeModules) return 'node_modules';
  if (missing.length > 0) return 'programs';
  if (lacksShell) return 'shell';
  if (nginx === null) return 'nginx';
  return servers === null && untaken === null ? 'servers' : null;
}

/**
 * Whether it is worth trying to raise the UDP buffers: root always may, and others are not asked again while nothing
 * has changed since the last time.
 *
 * @param {Pick<Survey, 'limits' | 'lowBuffers'>} survey
 * @param {Tools | null} known
 * @param {boolean} isRoot
 * @returns {boolean}
 */
export function shouldRaiseBuffers({ limits, lowBuffers }, known, isRoot) {
  return Object.keys(lowBuffers).length > 0 && (isRoot || known?.udpBufferBytes !== bufferBytes(limits));
}

/**
 * A survey as the rest of the program is told of it.
 *
 * @param {Pick<Survey, 'chromium' | 'shell' | 'nginx' | 'servers' | 'untaken' | 'ownServers' | 'netem' | 'uml' | 'commands' | 'limits'>} survey
 * @returns {Tools}
 */
export function toolsOf({ chromium, shell, nginx, servers, untaken, ownServers, netem, uml, commands, limits }) {
  const without = { missing: `${untaken ?? 'not taken from Debian yet'}; to try again: npm run setup -- --servers` };
  return {
    schema: 2,
    chromium,
    shell,
    nginx,
    servers: { ...(servers ?? { apache: without, haproxy: without }), ...ownServers },
    netem: netem === 'works' ? 'kernel' : uml === null ? 'none' : 'uml',
    uml,
    commands,
    udpBufferBytes: bufferBytes(limits),
  };
}
