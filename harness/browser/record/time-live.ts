import { rmSync } from 'node:fs';
import type { Device } from '../../model/device.ts';
import { UsageError } from '../../model/errors.ts';
import { renderRecordingFlags } from '../flags.ts';
import { asLaunched, type LaunchedBrowser, startBrowser } from '../launch.ts';
import { openFirstVisitor } from '../visit.ts';
import type { RecordOptions } from './record-page.ts';

const TIMEOUT_MS = 120_000;

/**
 * How long a page takes first visitors where it really is, in milliseconds: so many times, one after the other, by a
 * browser that is warm. The load that was recorded is none of them: the browser was not warm, and wrote all of it down.
 */
export async function timeLive(
  options: Pick<RecordOptions, 'url' | 'chromium' | 'folder' | 'device' | 'sandboxed' | 'insecure' | 'resolved'>,
  loads: number,
): Promise<readonly number[]> {
  const { chromium, folder, url, device } = options;
  const flags = renderRecordingFlags({ ...options, profile: `${folder}/profile`, netLog: '/dev/null' });
  try {
    await using launched = await asLaunched(await startBrowser(chromium, flags));
    const times: number[] = [];
    // Names are known then, and code is compiled.
    await timeOne(launched, url, device);
    for (let load = 0; load < loads; load += 1) times.push(await timeOne(launched, url, device));
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timeOne(launched: LaunchedBrowser, url: string, device: Device): Promise<number> {
  await using visitor = await openFirstVisitor(launched, device);
  const { signal } = new AbortController();
  const { capture } = await visitor.load({ url, timeoutMs: TIMEOUT_MS, awaited: [], signal });
  if (!capture.timings)
    throw new UsageError(`${url} did not load again: ${capture.ending?.says ?? 'the page no longer answered'}`);
  return capture.timings.loadEventEndMs;
}
