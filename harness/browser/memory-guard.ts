import { totalmem } from 'node:os';
import type { Browser } from 'puppeteer-core';
import { memoryOf } from '../system/family.ts';
import { killGroup } from '../system/process.ts';

/*
 * Each process of a browser has a limit of its own, which the kernel keeps (`system/confinement.ts`). A page with frames of
 * many sites has many processes. So once the machine's memory becomes scarce, a browser whose processes hold too much of it
 * together is ended. That is a failure of its load, and the next load has a new browser.
 */

/** How often the machine's memory is looked at, which takes some hundredths of a millisecond. */
const EVERY_MS = 500;
/** Memory is scarce where less than this share of it is free. */
const ENOUGH_FREE = 0.25;
/** Where memory is scarce, a browser that holds more than this share of it is ended. */
const MOST_HELD = 0.25;

/** What a machine has of memory, and what a program holds of it. */
export interface Memory {
  readonly totalBytes: number;
  freeBytes(): number;
  heldBy(pid: number): number;
}

/** This machine, or the container that it is. */
const MACHINE: Memory = {
  totalBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  freeBytes: () => process.availableMemory(),
  heldBy: memoryOf,
};

const ended = new WeakSet<Browser>();

/** Ends a browser that holds more memory than it may, until it ends by itself. */
export function guardMemory(browser: Browser, memory = MACHINE): void {
  const pid = browser.process()?.pid;
  if (pid === undefined) return;
  const timer = setInterval(() => {
    if (!holdsTooMuch(pid, memory)) return;
    ended.add(browser);
    killGroup(pid);
  }, EVERY_MS).unref();
  browser.once('disconnected', () => clearInterval(timer));
}

/** Whether the machine's memory is scarce, and a program holds too much of it. */
export function holdsTooMuch(pid: number, { totalBytes, freeBytes, heldBy }: Memory): boolean {
  return freeBytes() < ENOUGH_FREE * totalBytes && heldBy(pid) > MOST_HELD * totalBytes;
}

/** Whether a browser was ended for its memory, which is the page's doing, whatever was asked of the browser meanwhile. */
export function wasTooLarge(browser: Browser): boolean {
  return ended.has(browser);
}

/** What is said of a browser that has ended while it was not asked to. */
export function whyEnded(browser: Browser): string {
  return wasTooLarge(browser)
    ? 'the browser was ended: its processes held more memory than the machine can spare'
    : 'the browser ended';
}
