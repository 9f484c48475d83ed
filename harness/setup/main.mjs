import { mkdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages, unavailable } from './apt.mjs';
import { pickMirror, readAptSources } from './apt-sources.mjs';
import { shellPackage } from './chromium.mjs';
import { findCommand } from './commands.mjs';
import { judgeDebianServers, serverPackages, sparedPackages } from './debian-servers.mjs';
import { EnvironmentError, EXIT, StoppedError } from './failure.mjs';
import { readText, renderJson, writeAtomically, writeJson } from './files.mjs';
import { acquireLock } from './lock.mjs';
import { elevation, thisMachine } from './machine.mjs';
import { judgePrivateNginx } from './nginx.mjs';
import { installNodeModules } from './node-modules.mjs';
import { closeRepository, fetchPrivately, openRepository } from './private-packages.mjs';
import { explainCommand, explainWithoutApt, packagesOf, perhapsMissing } from './programs.mjs';
import { openProgress } from './progress.mjs';
import { giveToSudoer } from './sudoer.mjs';
import { nextStep, placesIn, readTools, shouldRaiseBuffers, takeSurvey, toolsOf } from './survey.mjs';
import { raiseBuffers, undoBuffers } from './udp-buffers.mjs';

/**
 * @typedef {object} Setup
 * @property {import('./machine.mjs').Machine} machine
 * @property {import('./survey.mjs').Places} places
 * @property {import('./progress.mjs').Progress} progress
 * @property {number} lock
 * @property {import('./private-packages.mjs').Repository} [repository] once something is taken from it
 */

const options = ['--undo', '--servers'];

/**
 * Does what the command line asks and sets the exit code: 0 done, 2 a wrong option, 3 this machine cannot, 4 stopped.
 *
 * @param {readonly string[]} argv
 */
export async function main(argv) {
  const progress = openProgress(process.stderr);
  const [option] = argv;
  if (argv.length > 1 || (option !== undefined && !options.includes(option))) {
    progress.say(
      `${argv.join(' ')} is not known; the options are --undo, which puts the kernel's settings back, and --servers, ` +
        'which tries again to take Apache and HAProxy from Debian',
    );
    process.exitCode = EXIT.usage;
    return;
  }
  try {
    const machine = thisMachine();
    const places = placesIn(join(dirname(fileURLToPath(import.meta.url)), '../..'));
    if (machine.platform !== 'linux')
      throw new EnvironmentError('only Linux can do this; elsewhere use the Dockerfile');
    if (option === '--servers') for (const path of [places.untaken, places.shellUntaken]) rmSync(path, { force: true });
    const undo = option === '--undo';
    if (!undo && isReady(machine, places, progress)) return;
    mkdirSync(places.lab, { recursive: true });
    const lock = await acquireLock(places.lock, () => progress.say('another setup is at work; waiting for its end'));
    try {
      const setup = { machine, places, progress, lock: lock.descriptor };
      if (undo) putBack(setup);
      else await prepare(setup);
    } finally {
      closeRepository({ state: places.apt });
      for (const path of [places.lab, join(places.root, 'node_modules')]) giveToSudoer(path);
      lock.release();
    }
  } catch (error) {
    process.exitCode = report(error, progress);
  }
}

/**
 * Whether there is nothing at all to do, in some fifty milliseconds.
 *
 * @param {import('./machine.mjs').Machine} machine
 * @param {import('./survey.mjs').Places} places
 * @param {import('./progress.mjs').Progress} progress
 */
function isReady(machine, places, progress) {
  const survey = takeSurvey(machine, places);
  const ready =
    nextStep(survey) === null &&
    !shouldRaiseBuffers(survey, readTools(places), machine.isRoot) &&
    readText(places.tools) === renderJson(toolsOf(survey));
  if (ready && survey.complaint !== null) progress.say(survey.complaint);
  return ready;
}

/** @param {Setup} setup */
async function prepare(setup) {
  const { machine, places, progress } = setup;
  let survey = takeSurvey(machine, places);
  if (nextStep(survey) !== null) writeAtomically(places.log, '');
  if (survey.nginx === null && machine.aptGet !== null) requireMirror(machine);

  let before = '';
  for (let step = nextStep(survey); step !== null; step = nextStep(survey)) {
    const lacking = survey.missing.map((one) => one.what).join(', ');
    if (`${step} ${lacking}` === before) {
      throw new EnvironmentError(`${lacking || step} is still missing after it was installed; see ${places.log}`);
    }
    before = `${step} ${lacking}`;
    await steps[step](setup, survey);
    survey = takeSurvey(machine, places);
  }

  // Programs were just installed, so sudo may work by now: the buffers are tried once more.
  const known = before === '' ? readTools(places) : null;
  if (shouldRaiseBuffers(survey, known, machine.isRoot)) {
    raise(setup, survey);
    survey = takeSurvey(machine, places);
  }
  if (survey.complaint !== null) progress.say(survey.complaint);
  const tools = toolsOf(survey);
  if (tools.netem === 'none') progress.say(explainNoNetem(survey));
  writeJson(places.tools, tools);
}

/** What each step does; it is looked at again afterwards whether that was enough. */
const steps = {
  /** @param {Setup} setup */
  async node_modules({ machine, places, progress, lock }) {
    const step = progress.step('npm packages', 'those of package-lock.json');
    const count = await installNodeModules({
      root: places.root,
      folders: machine.folders,
      log: places.log,
      lock,
      step,
    });
    step.end(`${count} installed`);
  },

  /**
   * @param {Setup} setup
   * @param {import('./survey.mjs').Survey} survey
   */
  async programs({ machine, places, progress }, { missing, commands, uml, arch }) {
    if (machine.aptGet === null) throw new EnvironmentError(explainWithoutApt(missing));
    const packages = packagesOf(missing);
    const elevate = elevation(machine);
    if (elevate === null) {
      const perhaps = perhapsMissing({ commands, uml: uml !== null, arch });
      const listsLack = unavailable(packagesOf([...missing, ...perhaps])).length > 0;
      const hasSudo = findCommand('sudo', machine.folders) !== null;
      throw new EnvironmentError(explainCommand(missing, perhaps, { listsLack, hasSudo }));
    }
    const step = progress.step('system packages', packages.join(', '));
    await installPackages(packages, { elevate, log: places.log, step });
    step.end('installed');
  },

  /** @param {Setup} setup */
  async shell({ machine, places, progress }) {
    const step = progress.step("Chromium's headless shell", shellPackage);
    try {
      const elevate = /** @type {string[]} */ (elevation(machine));
      await installPackages([shellPackage], { elevate, log: places.log, step });
      step.end('installed');
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      // Chromium itself is enough to measure, with more of the processor.
      const reason = reasonOf(error);
      writeJson(places.shellUntaken, { reason });
      step.end(`not available: ${reason}`);
    }
  },

  /**
   * @param {Setup} setup
   * @param {import('./survey.mjs').Survey} survey
   */
  async nginx(setup, survey) {
    const { machine, places, progress } = setup;
    const step = progress.step('nginx with HTTP/3', "Debian's newest, for this checkout alone");
    const { suite, packages } = await fetchPrivately({
      repository: repositoryOf(setup, survey),
      packages: ['nginx'],
      target: places.nginx,
      judge: (folder) => judgePrivateNginx(folder, machine.arch),
      step,
    });
    step.end(`${packages.length} packages of ${suite} unpacked`);
  },

  /**
   * @param {Setup} setup
   * @param {import('./survey.mjs').Survey} survey
   */
  async servers(setup, survey) {
    const { machine, places, progress } = setup;
    const step = progress.step('Apache and HAProxy', "Debian's newest, for this checkout alone");
    try {
      const { suite, packages } = await fetchPrivately({
        repository: repositoryOf(setup, survey),
        packages: serverPackages,
        spared: sparedPackages,
        target: places.servers,
        judge: (folder) => judgeDebianServers(folder, machine.arch),
        step,
      });
      step.end(`${packages.length} packages of ${suite} unpacked`);
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      // Only studies that name them need them; nginx is enough to measure.
      const reason = reasonOf(error);
      writeJson(places.untaken, { reason });
      step.end(`not available: ${reason}`);
    }
  },
};

/**
 * Why something could not be had, in one line.
 *
 * @param {EnvironmentError} error
 */
function reasonOf({ message }) {
  const [first] = message.split('\n');
  return `${String(first).replace(/\.$/, '')} (see .lab/setup.log)`;
}

/**
 * The repository that all private packages come from, the same for a whole setup.
 *
 * @param {Setup} setup
 * @param {import('./survey.mjs').Survey} survey
 */
function repositoryOf(setup, { keyring }) {
  const { machine, places, lock } = setup;
  if (machine.aptGet === null) throw new EnvironmentError('there is no apt-get here');
  if (keyring === null)
    throw new EnvironmentError("Debian's keys are missing: sudo apt-get install debian-archive-keyring");
  setup.repository ??= openRepository({
    state: places.apt,
    mirror: debianMirror(machine),
    keyring,
    arch: machine.arch,
    log: places.log,
    lock,
  });
  return setup.repository;
}

/**
 * Raises the UDP buffers where this process may, and says so; where it may not, that is for the calibration to judge.
 *
 * @param {Setup} setup
 * @param {import('./survey.mjs').Survey} survey
 */
function raise({ machine, places, progress }, { lowBuffers }) {
  const elevate = elevation(machine);
  const raised = elevate === null ? [] : raiseBuffers(lowBuffers, { elevate, record: places.sysctl });
  if (raised.length === 0) return;
  progress.say(`UDP buffers of the host: ${raised.join(', ')} (node harness/setup.mjs --undo puts them back)`);
}

/** @param {Setup} setup */
function putBack({ machine, places, progress }) {
  const restored = undoBuffers({ elevate: elevation(machine), record: places.sysctl });
  progress.say(restored.length === 0 ? 'nothing to put back' : `UDP buffers of the host: ${restored.join(', ')}`);
}

/** @param {import('./machine.mjs').Machine} machine */
function debianMirror({ env, distribution }) {
  const mirror = env.PHOTOFINISH_DEBIAN_MIRROR || pickMirror(readAptSources(), distribution);
  if (mirror !== null) return mirror;
  throw new EnvironmentError(
    `apt's sources here (${distribution.id}) name no Debian mirror: set PHOTOFINISH_DEBIAN_MIRROR to the address of one`,
  );
}

/**
 * Makes sure, before anything is installed, that nginx can be had.
 *
 * @param {import('./machine.mjs').Machine} machine
 */
function requireMirror(machine) {
  try {
    debianMirror(machine);
  } catch (cause) {
    throw new EnvironmentError(
      'missing: nginx 1.29.1 or later with HTTP/3 on OpenSSL 3.5.1 or later. It is taken from Debian, and ' +
        `${/** @type {Error} */ (cause).message}, or PHOTOFINISH_NGINX to an nginx of your own`,
      { cause },
    );
  }
}

/** @param {import('./survey.mjs').Survey} survey */
function explainNoNetem({ netem, arch }) {
  return netem === 'absent'
    ? `this kernel has no netem, and the user-mode kernel that stands in for it is not available for ${arch}: ` +
        'links cannot be shaped here'
    : 'netem could not be tried, since this user may make no network namespace: root may, and any user may where the ' +
        'kernel allows unprivileged user namespaces';
}

/**
 * Says what went wrong and returns the exit code.
 *
 * @param {unknown} error
 * @param {import('./progress.mjs').Progress} progress
 * @returns {number}
 */
function report(error, progress) {
  if (error instanceof EnvironmentError || error instanceof StoppedError) {
    progress.say(error.message);
    return error instanceof StoppedError ? EXIT.stopped : EXIT.machine;
  }
  const { code, path } = /** @type {NodeJS.ErrnoException} */ (error);
  if (path !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(code))) {
    const { username } = userInfo();
    const owner =
      code === 'EACCES' ? `; if an earlier setup ran as root: sudo chown -R ${username} ${dirname(path)}` : '';
    progress.say(`${path} cannot be written (${code})${owner}`);
    return EXIT.machine;
  }
  progress.say(error instanceof Error ? String(error.stack) : String(error));
  return EXIT.bug;
}
