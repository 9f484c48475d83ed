import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** The pauses before what a busy machine has spoilt is tried again: it may be busy for a while. */
const PAUSES_MS = [0, 5_000, 15_000, 30_000];

/**
 * Makes an attempt that another program, or another machine on the same host, may spoil; as a study does, again later
 * where something is not as expected, and says so. What is wrong is wrong each time, and the last attempt's failure is the
 * test's. What no busy machine does ends the test at once: it is thrown, or expected outside.
 */
export async function inPeace<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error && 'matcherResult' in error)) throw error;
      const { currentTestName, currentConcurrentTestName, testPath = '' } = expect.getState();
      // What is done before all tests of a file has no name.
      const name = currentConcurrentTestName?.() ?? currentTestName ?? basename(testPath);
      process.stderr.write(`TRIED AGAIN: ${name}: ${error}\n`);
      await setTimeout(pauseMs);
    }
  }
  return attempt();
}
