import { test } from '@jest/globals';

const refusal = process.env.PHOTOFINISH_NO_LAB;

/** A test that needs a lab. Where none can be built it is skipped, which is counted, and says why. */
export function labTest(name: string, body: () => Promise<void>, timeoutMs: number): void {
  if (refusal === undefined) {
    test(name, body, timeoutMs);
    return;
  }
  process.stderr.write(`NOT TRIED: ${name}: ${refusal}\n`);
  test.skip(name, body);
}
