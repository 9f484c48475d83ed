import type { Capture } from '../model/capture.ts';
import type { Measurement } from '../model/measurement.ts';
import type { TrialKey } from '../model/study.ts';
import { measureCrowd } from './crowd.ts';
import { measureLoad } from './page-load.ts';
import { measureTogether } from './together.ts';

/** Judges a capture: the figures of the load, or why it does not count. */
export function measurementOf(key: TrialKey, capture: Capture): Measurement {
  const { beside = [], browser } = capture;
  if (browser.tabs) return measureCrowd(key, capture);
  const own = measureLoad(key, capture);
  if (beside.length === 0 || own.status !== 'ok') return own;
  const { host, launch, wallMs } = capture;
  const others = beside.map((party) => measureLoad(key, { ...party, host, launch, wallMs }));
  return measureTogether(own, others, [browser, ...beside.map((party) => party.browser)]);
}
