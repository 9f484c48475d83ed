import { existsSync, mkdirSync } from 'node:fs';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { Host } from '../model/lab.ts';
import { inNamespace } from '../system/process.ts';
import { type FlagOptions, renderFlags } from './flags.ts';

export interface LaunchOptions extends Omit<FlagOptions, 'profile'> {
  readonly chromium: string;
  /** The host whose namespace it lives in. */
  readonly host: Host;
  /** Its profile, which no other launch may have; made here. */
  readonly profile: string;
}

/** A running browser in a client's namespace. */
export interface LaunchedBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Debian's own launcher adds flags and extensions from the machine's configuration; this is what it starts. */
const DEBIAN_PROGRAM = '/usr/lib/chromium/chromium';

/** Launches Chromium on a host of the lab. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  mkdirSync(options.profile, { recursive: true });
  const program =
    options.chromium === '/usr/bin/chromium' && existsSync(DEBIAN_PROGRAM) ? DEBIAN_PROGRAM : options.chromium;
  const browser = await puppeteer.launch({
    executablePath: '/usr/bin/env', // It becomes nsenter, wherever that is, which becomes the browser.
    args: [...inNamespace(options.host.namespace, [program, ...renderFlags(options)])],
    ignoreDefaultArgs: true,
    pipe: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    protocolTimeout: 900_000,
    defaultViewport: null, // A device's emulation says it.
  });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}
