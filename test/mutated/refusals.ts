import { expect } from '@jest/globals';
import { type EnvironmentError, UsageError } from '../../harness/model/errors.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { watchProcessorTime } from '../processor-time.ts';

const MUTATIONS = 1_000;
const LIMIT_MS = 5_000;

/**
 * Has something read a thousand times that is mutated anew each time: each time it is taken, or refused in a line, within
 * five seconds. Mutations that never or always are refused would show nothing.
 */
export async function refusals(
  read: (random: () => number) => unknown,
  kind: typeof UsageError | typeof EnvironmentError = UsageError,
): Promise<void> {
  const random = seededRandom(22);
  let refused = 0;
  for (let number = 0; number < MUTATIONS; number += 1) {
    const usedMs = watchProcessorTime();
    try {
      await read(random);
    } catch (error) {
      if (!(error instanceof kind)) throw new Error(`mutation ${number}`, { cause: error });
      refused += 1;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    expect(usedMs()).toBeLessThan(LIMIT_MS);
  }
  expect(refused).toBeGreaterThan(MUTATIONS / 20);
  expect(refused).toBeLessThan(MUTATIONS);
}
