import type { Capture } from '../model/capture.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Claim } from './claim.ts';
import { measureCrowd } from './crowd.ts';
import { measureLoad } from './page-load.ts';
import { measureTogether } from './together.ts';

/** Judges a capture: the figures of the load, or why it does not count. */
export function measurementOf(claim: Claim, capture: Capture): Measurement {
  const { beside = [], browser } = capture;
  if (browser.tabs) return measureCrowd(claim, capture);
  const own = measureLoad(claim, capture);
  if (beside.length === 0 || own.status !== 'ok') return own;
  const { wire: _, ...common } = capture;
  const others = beside.map((party, index) =>
    measureLoad({ ...claim, protocol: claim.beside![index]! }, { ...common, ...party }),
  );
  return measureTogether(own, others, [browser, ...beside.map((party) => party.browser)]);
}
