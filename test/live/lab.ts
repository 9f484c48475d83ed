import { test } from '@jest/globals';

/** Why no lab can be built here, where none can. */
export const noLab = process.env.PHOTOFINISH_NO_LAB;

/** A test that needs a lab. Where none can be built, or something else it needs is refused, it is skipped and says why. */
export function labTest(name: string, body: () => Promise<void>, timeoutMs: number, refusal = noLab): void {
  if (refusal === undefined) {
    test(name, body, timeoutMs);
    return;
  }
  process.stderr.write(`NOT TRIED: ${name}: ${refusal}\n`);
  test.skip(name, body);
}
