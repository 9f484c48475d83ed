import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { LabError } from '../model/errors.ts';
import type { Host } from '../model/lab.ts';
import {
  browserEnvironment,
  type Confinement,
  findConfinement,
  lendToBrowser,
  makeBrowserFolder,
} from '../system/confinement.ts';
import { type FollowedLines, followLines } from '../system/follow-lines.ts';
import { canGiveWay, givingWay, type Share, withShare } from '../system/give-way.ts';
import { type Argv, inNamespace, killGroup } from '../system/process.ts';
import { type FlagOptions, renderFlags } from './flags.ts';
import { openPulse } from './follow-browser.ts';
import { guardMemory } from './memory-guard.ts';
import { followNetLog } from './net-log.ts';
import { openPast, type Past, type PastPages } from './past.ts';
import type { BrowserProgram } from './program.ts';

export interface LaunchOptions extends Omit<FlagOptions, 'keyLog' | 'netLog' | 'isShell'> {
  readonly program: BrowserProgram;
  /** The host whose namespace it lives in. */
  readonly host: Host;
  /** What it finds at /etc/resolv.conf; absent: the machine's own, which it has no use for. */
  readonly resolver?: string | undefined;
  readonly keeps: Keeps;
  /** What the scripts of its pages are given in place of the machine's clock and randomness. */
  readonly past?: Past | undefined;
}

/** What a browser writes down besides. */
export interface Keeps {
  readonly keyLog: boolean;
  readonly netLog: boolean;
}

/** A running browser in a client's namespace. */
export interface LaunchedBrowser extends AsyncDisposable {
  readonly browser: Browser;
  /** The session of the browser itself. */
  readonly root: CDPSession;
  /** The browser's own name for itself: `Chrome/156.0.8078.79`. */
  readonly version: string;
  /** The secrets of its connections, and what its network stack did, as they come; empty unless they are asked for. */
  readonly keyLog: FollowedLines;
  readonly netLog: FollowedLines;
  /** Whether it answers within two seconds; one that does not is killed. */
  answers(): Promise<boolean>;
  /**
   * Does something with the browser: where that is not done within the limit, or twenty seconds if there is none, the
   * browser is killed, and this rejects. Within a longer limit one that falls silent is killed at once.
   */
  inTime<T>(work: () => Promise<T>, limitMs?: number): Promise<T>;
  /**
   * Does something that is timed, with the usual share of the cores or more. At all other times the browser gives way to those
   * that are timed, where that can be.
   */
  inFront<T>(work: () => Promise<T>, share?: Share): Promise<T>;
  /** Where the browser can read a file of ours: it has no way into our folders. */
  lend(file: string): string;
  /** Present where its pages are recorded ones. */
  readonly past?: PastPages | undefined;
}

const WITH_RESOLVER = fileURLToPath(new URL('./with-resolver.pl', import.meta.url));

/** Launches Chromium on a host of the lab; a launch that fails is the lab's matter. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { profile, keeps } = options;
  const [keyLog, netLog] = [`${profile}/keys.txt`, `${profile}/net-log.json`];
  const flags = renderFlags({
    ...options,
    isShell: options.program.isShell,
    keyLog: keeps.keyLog ? keyLog : undefined,
    netLog: keeps.netLog ? netLog : undefined,
  });
  const { program, host, resolver } = options;
  const how = { program, flags, folder: profile, namespace: host.namespace, resolver, givesWay: canGiveWay() };
  const launched = await startBrowser(how)
    .then(asLaunched)
    .catch((cause: Error) => {
      throw new LabError(`a browser did not start: ${cause.message}`, { cause });
    });
  const confinement = await findConfinement(program.path);
  return {
    ...launched,
    inFront: (work, share = 'usual') => withShare([launched.browser.process()!.pid!], share, work),
    lend: (file) => lendToBrowser(file, profile, confinement),
    keyLog: followLines(keyLog),
    netLog: followNetLog(netLog),
    past: options.past && openPast(launched.root, options.past),
  };
}

/** Wraps a browser that writes nothing down, and gives way to no other program. */
export async function asLaunched(browser: Browser): Promise<LaunchedBrowser> {
  const [root, version] = await orKilled(browser, LIMIT_MS, () =>
    Promise.all([browser.target().createCDPSession(), browser.version()]),
  );
  const answersWithin = (limitMs: number) =>
    orKilled(browser, limitMs, () => root.send('Browser.getVersion')).then(
      () => true,
      () => false,
    );
  const nothing = followLines('/dev/null');
  closePopups(browser, root);
  return {
    browser,
    root,
    version,
    keyLog: nothing,
    netLog: nothing,
    inFront: (work) => work(),
    lend: (file) => file,
    answers: () => answersWithin(ANSWER_MS),
    async inTime(work, limitMs = LIMIT_MS) {
      // Outside of loads, which begin anew at no cost, a busy machine is no reason to give up what is under way.
      using _pulse = limitMs > LIMIT_MS ? openPulse(() => answersWithin(LIMIT_MS / 2)) : undefined;
      return await orKilled(browser, limitMs, work);
    },
    [Symbol.asyncDispose]: () => orKilled(browser, LIMIT_MS, () => browser.close()).catch(() => {}),
  };
}

const ANSWER_MS = 2_000;
/** How long a browser has for work that takes it no time. */
const LIMIT_MS = 20_000;

/** Does something that a browser must do; where that takes too long, it and all that it started is killed. */
async function orKilled<T>(browser: Browser, limitMs: number, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => killGroup(browser.process()?.pid ?? 0), limitMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Closes whatever window a page opens: it would load beside what is measured. */
function closePopups(browser: Browser, root: CDPSession): void {
  browser.on('targetcreated', (target) => {
    if (target.type() !== 'page' || target.opener() === undefined) return;
    const { _targetId: targetId } = target as unknown as { readonly _targetId: string };
    root.send('Target.closeTarget', { targetId }).catch(() => {}); // It has gone by itself.
  });
}

/** What is started, and where. */
export interface StartOptions {
  readonly program: BrowserProgram;
  /** Its arguments, all but what its user and its sandbox make necessary. */
  readonly flags: readonly string[];
  /** All that it may write to: its profile is there. */
  readonly folder: string;
  /** The network namespace; absent: the harness's own. */
  readonly namespace?: string | undefined;
  /** What it finds at /etc/resolv.conf; absent: the machine's own. */
  readonly resolver?: string | undefined;
  /** Whether it gives way to other programs, but where something that it does is timed. */
  readonly givesWay?: boolean;
}

/** A browser's arguments, and what its confinement adds to them. */
export function confined(flags: readonly string[], { sandboxed }: Pick<Confinement, 'sandboxed'>): readonly string[] {
  return sandboxed ? flags : [...flags, '--no-sandbox'];
}

/**
 * Starts Chromium as a user that may do nothing here but write to its folder. One that says nothing in time is killed.
 */
export async function startBrowser(options: StartOptions): Promise<Browser> {
  const { program, flags, folder, namespace, resolver, givesWay = false } = options;
  const confinement = await findConfinement(program.path);
  makeBrowserFolder(folder, confinement);
  // This is done before it has lost the right to.
  const withResolver = resolver === undefined ? [] : ['perl', WITH_RESOLVER, resolver];
  const own = [
    ...withResolver,
    ...confinement.prefix,
    program.path,
    ...confined(flags, confinement),
  ] as unknown as Argv;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LIMIT_MS);
  const launching = puppeteer.launch({
    executablePath: '/usr/bin/env', // It becomes nsenter, wherever that is, which becomes the browser in the end.
    args: [...inNamespace(namespace, givesWay ? givingWay(own) : own)],
    ignoreDefaultArgs: true,
    env: browserEnvironment(confinement),
    pipe: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    signal: late.signal,
    timeout: LIMIT_MS,
    protocolTimeout: 900_000, // A page may take long to answer; `inTime` and the pulse of a load say how long a browser may.
    waitForInitialPage: !program.isShell, // The shell has none.
    defaultViewport: null, // A device's emulation says it.
  });
  const browser = await launching.finally(() => clearTimeout(timer));
  guardMemory(browser);
  return browser;
}
