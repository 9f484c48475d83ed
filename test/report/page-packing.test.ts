import { expect, test } from '@jest/globals';
import {
  fromPageJson,
  packNumbers,
  packTimes,
  toPageJson,
  unpackNumbers,
  unpackTimes,
} from '../../harness/report/page-packing.ts';
import { seededRandom } from '../../harness/stats/random.ts';

test.each([
  ['nothing', []],
  ['zero', [0]],
  ['both signs', [5, -5, 0, -1, 1]],
  ['where a varint grows', [63, 64, 127, 128, 8191, 8192, -64, -65]],
  ['more than 32 bits', [Date.UTC(2026, 10, 21), 0, 1e15]],
])('whole numbers come back as they were: %s', (_, values) => {
  expect(unpackNumbers(packNumbers(values))).toEqual(values);
});

test('ten thousand random ones too, in little room', () => {
  const random = seededRandom(3);
  const values = Array.from({ length: 10_000 }, () => Math.round(1e6 + 50_000 * random()));
  const packed = packNumbers(values);
  expect(unpackNumbers(packed)).toEqual(values);
  expect(packed.length).toBeLessThan(45_000);
});

test('times come back to the thousandth of a millisecond, absent ones as absent', () => {
  expect(unpackTimes(packTimes([0, 0.001, 712.4, undefined, 600_000.123]))).toEqual([
    0,
    0.001,
    712.4,
    undefined,
    600_000.123,
  ]);
  // Before navigation began there is nothing that a page could show.
  expect(unpackTimes(packTimes([-0.2]))).toEqual([0]);
});

test('JSON for a script cannot end it, and keeps what JSON has no word for', () => {
  const value = { name: '</script><!--\u2028', ratio: Number.POSITIVE_INFINITY, interval: [0, Number.NaN] };
  const json = toPageJson(value);
  expect(json).not.toMatch(/[<\u2028\u2029]/);
  expect(fromPageJson(json)).toEqual(value);
});
