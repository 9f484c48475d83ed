import { existsSync, mkdirSync } from 'node:fs';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import type { Host } from '../model/lab.ts';
import { type FollowedLines, followLines } from '../system/follow-lines.ts';
import { inNamespace, programEnvironment } from '../system/process.ts';
import { type FlagOptions, renderFlags } from './flags.ts';
import { followNetLog } from './net-log.ts';
import { openPast, type Past, type PastPages } from './past.ts';

export interface LaunchOptions extends Omit<FlagOptions, 'keyLog' | 'netLog'> {
  readonly chromium: string;
  /** The host whose namespace it lives in. */
  readonly host: Host;
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
  /** As it calls itself: `Chrome/156.0.8078.79`. */
  readonly version: string;
  /** The secrets of its connections, and what its network stack did, as they come; empty unless they are asked for. */
  readonly keyLog: FollowedLines;
  readonly netLog: FollowedLines;
  /** Where its pages are recorded ones. */
  readonly past?: PastPages | undefined;
}

/** Debian's own launcher adds flags and extensions from the machine's configuration; this is what it starts. */
const DEBIAN_PROGRAM = '/usr/lib/chromium/chromium';

/** Launches Chromium on a host of the lab. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { profile, keeps } = options;
  mkdirSync(profile, { recursive: true });
  const [keyLog, netLog] = [`${profile}/keys.txt`, `${profile}/net-log.json`];
  const flags = renderFlags({
    ...options,
    ...(keeps.keyLog && { keyLog }),
    ...(keeps.netLog && { netLog }),
  });
  const launched = await asLaunched(await startBrowser(options.chromium, flags, options.host.namespace));
  return {
    ...launched,
    keyLog: followLines(keyLog),
    netLog: followNetLog(netLog),
    ...(options.past && { past: openPast(launched.root, options.past) }),
  };
}

/** A browser that writes nothing down. */
export async function asLaunched(browser: Browser): Promise<LaunchedBrowser> {
  const [root, version] = await Promise.all([browser.target().createCDPSession(), browser.version()]);
  const nothing = followLines('/dev/null');
  const dispose = () => browser.close();
  return { browser, root, version, keyLog: nothing, netLog: nothing, [Symbol.asyncDispose]: dispose };
}

/** Starts Chromium with these arguments alone; in a network namespace, or in the harness's own. */
export function startBrowser(chromium: string, flags: readonly string[], namespace?: string): Promise<Browser> {
  const program = chromium === '/usr/bin/chromium' && existsSync(DEBIAN_PROGRAM) ? DEBIAN_PROGRAM : chromium;
  return puppeteer.launch({
    executablePath: '/usr/bin/env', // It becomes nsenter, wherever that is, which becomes the browser.
    args: [...inNamespace(namespace, [program, ...flags])],
    ignoreDefaultArgs: true,
    env: programEnvironment(),
    pipe: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    protocolTimeout: 900_000,
    defaultViewport: null, // A device's emulation says it.
  });
}
