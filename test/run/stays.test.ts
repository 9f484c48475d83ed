import { expect, test } from '@jest/globals';
import { fitTogether, type Stay } from '../../harness/run/admission.ts';
import { calibrating, STAYS, togetherOf } from '../../harness/run/stays.ts';
import { linkOf } from '../links.ts';

/** A load of few-large over H3 as two cores have it: over 20 Mbit/s and 60 ms, and over 4G. */
const over20Mbit: Stay = { cores: 0.5, timed: 0.09, wanted: 0.235, pressing: 0.36, forMs: 900 };
const over4g: Stay = { cores: 0.28, timed: 0.04, wanted: 0.11, pressing: 0.2, forMs: 1_900 };

/** A load of article over fibre. */
const quick: Stay = { cores: 1.2, timed: 0.9, pressing: 0.8, forMs: 900 };

test.each<[string, readonly Stay[], boolean]>([
  ['4g is measured beside a load over it', [calibrating(linkOf('4g')), over4g], true],
  ['4g is measured beside a load that wants more', [calibrating(linkOf('4g')), over20Mbit], true],
  ['cable is measured beside a load over 4g', [calibrating(linkOf('cable')), over4g], true],
  ['fibre is measured beside a load over 4g', [calibrating(linkOf('fibre')), over4g], true],
  ['but not beside a load that wants more', [calibrating(linkOf('fibre')), over20Mbit], false],
  ['and no link without limits', [calibrating(linkOf('rtt=100ms')), over4g], false],
  ['cable is measured beside a load over 20 Mbit/s', [calibrating(linkOf('cable')), over20Mbit], true],
  ['two at a time are, beside a load over 4g', [...Array(2).fill(calibrating(linkOf('4g'))), over4g], true],
  ['five at a time are not', [...Array(5).fill(calibrating(linkOf('fibre'))), over4g], false],
  ['no link is measured beside a quick load', [calibrating(linkOf('4g')), quick], false],
  ['browsers start beside a load that takes longer', [STAYS.launching, over4g], true],
  ['and not beside one that is over as soon', [STAYS.launching, { ...over20Mbit, wanted: 0.25, forMs: 450 }], false],
  ['links are measured side by side', Array(5).fill(calibrating(linkOf('fibre'))), true],
])('%s', (_, stays, areTogether) => {
  expect(fitTogether(stays, 2)).toBe(areTogether);
});

test('loads in a row need what the one needs that needs most, for as long as all take', () => {
  expect(togetherOf([over4g, over20Mbit], 800)).toEqual({ ...over20Mbit, bears: 1, forMs: 3_600 });
  const scattered = { ...over4g, bears: 2 };
  expect(togetherOf([scattered, { ...scattered, bears: 3 }]).bears).toBe(2);
});
