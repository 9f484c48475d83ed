import type { Browser } from 'puppeteer-core';
import type { BrowserCapture } from '../model/capture.ts';
import { wasTooLarge, whyEnded } from './memory-guard.ts';

export type Ending = NonNullable<BrowserCapture['ending']>;

/** How often a browser is asked whether it answers, which takes it a moment: most loads are over before. */
const PULSE_MS = 10_000;

/** A browser that is followed while it loads. */
export interface FollowedBrowser extends Disposable {
  /**
   * Asks whether it answers; one that does not is killed. After the last time that a load asks, the browser's end is no
   * ending of the load any more.
   */
  ask(isLast: boolean): Promise<boolean>;
  /** Hears that something could not be asked of it, or of the page. */
  died(error: Error): void;
  /** How a load ends whose page says nothing once it has loaded: by a browser that is silent, or not at all. */
  silence(): Promise<Ending | undefined>;
}

/** Asks a browser now and then whether it answers, until that is disposed of. */
export function openPulse(answers: () => Promise<boolean>, onSilence = () => {}): Disposable {
  const pulse = setInterval(async () => {
    if (!(await answers())) onSilence();
  }, PULSE_MS);
  return { [Symbol.dispose]: () => clearInterval(pulse) };
}

/**
 * Follows whether a browser ends, or falls silent, while it loads. While it is asked whether it answers, a browser that
 * ends was killed because it did not.
 */
export function followBrowser(
  browser: Browser,
  answers: () => Promise<boolean>,
  end: (ending: Ending) => void,
): FollowedBrowser {
  let asking = 0;
  const ask = async (isLast: boolean) => {
    asking += 1;
    const did = await answers();
    if (did && !isLast) asking -= 1;
    return did;
  };
  const onDisconnected = () => {
    if (asking === 0 || wasTooLarge(browser)) end({ by: 'browser-crash', says: whyEnded(browser) });
  };
  const silent: Ending = { by: 'timeout', says: SILENT };
  const pulse = openPulse(
    () => ask(false),
    () => end(silent),
  );
  browser.once('disconnected', onDisconnected);
  return {
    ask,
    died(error) {
      if (asking > 0 && !browser.connected && !wasTooLarge(browser)) return;
      end({ by: browser.connected ? 'page-crash' : 'browser-crash', says: error.message });
    },
    async silence() {
      if (wasTooLarge(browser)) return { by: 'browser-crash', says: whyEnded(browser) };
      // One that was killed is not connected any more; that one has ended by itself may be the page's doing.
      const isSilent = browser.connected ? !(await ask(true)) : asking > 0;
      return isSilent ? silent : undefined;
    },
    [Symbol.dispose]() {
      pulse[Symbol.dispose]();
      browser.off('disconnected', onDisconnected);
    },
  };
}

/** What is said of a browser that was killed because it did not answer. */
export const SILENT = 'the browser no longer answers';
