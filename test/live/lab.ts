import { test } from '@jest/globals';

/** Why no lab can be built here, where none can. */
export const noLab = process.env.PHOTOFINISH_NO_LAB;

/** What a calibration waits for on a busy machine, and a new lab where its link stays false, on top of a test's own time. */
export const PATIENCE_MS = 300_000;

/** A test that needs a lab. Where none can be built, or something else it needs is refused, it is skipped and says why. */
export function labTest(
  name: string,
  body: () => Promise<void>,
  timeoutMs: number,
  refusal = noLab,
  run: typeof test.concurrent = test,
): void {
  if (refusal === undefined) {
    run(name, body, timeoutMs + PATIENCE_MS);
    return;
  }
  process.stderr.write(`NOT TRIED: ${name}: ${refusal}\n`);
  test.skip(name, body);
}

/** A test that waits for slow links more than it computes: another of its file may run at the same time, in another lab. */
export function labTestBeside(name: string, body: () => Promise<void>, timeoutMs: number): void {
  labTest(name, body, timeoutMs, noLab, test.concurrent);
}
