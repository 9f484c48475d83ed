import { expect, test } from '@jest/globals';
import { compareVersions } from '../../harness/setup/versions.mjs';

test.each([
  ['1.29.1', '1.29.1', 0],
  ['1.30.6', '1.29.1', 1],
  ['1.9.15', '1.29.1', -1],
  ['3.5', '3.5.0', 0],
  ['3.5.1', '3.5', 1],
  ['3.0.19', '3.5.1', -1],
  ['3.5.0-beta1', '3.5.1', -1],
  ['6.1.176', '6.1.9', 1],
  ['garbage', '0.1', -1],
])('%s against %s: %i', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign);
});
