import { expect, test } from '@jest/globals';
import { bufferBytes, planBuffers, planUndo } from '../../harness/setup/udp-buffers.mjs';

const needed = 7_864_320;

test.each([
  [
    { r: 212_992, w: 212_992 },
    { r: { was: 212_992, set: needed }, w: { was: 212_992, set: needed } },
  ],
  [{ r: needed - 1, w: needed }, { r: { was: needed - 1, set: needed } }],
  [{ r: 16_777_216, w: needed }, {}],
  [{ r: null, w: null }, {}],
])('%j is changed by %j, and never lowered', (limits, changes) => {
  expect(planBuffers(limits)).toEqual(changes);
});

test.each([
  [{ r: needed, w: needed }, ['r', 'w']],
  [{ r: 16_777_216, w: needed }, ['w']],
  [{ r: 212_992, w: null }, []],
])('of %j, %j are still as they were set, and are put back', (limits, names) => {
  const recorded = { r: { was: 1, set: needed }, w: { was: 2, set: needed } };
  expect(Object.keys(planUndo(recorded, limits))).toEqual(names);
});

test.each([
  [{ r: 5, w: 3 }, 3],
  [{ r: 5, w: null }, 5],
  [{ r: null, w: null }, null],
])('of %j a socket can count on %j bytes', (limits, bytes) => {
  expect(bufferBytes(limits)).toBe(bytes);
});

test('whatever the record says, nothing but those settings is put back, and to nothing but a number', () => {
  const limits = { 'net.core.rmem_max': needed, 'net.core.wmem_max': needed };
  const recorded = {
    'kernel.core_pattern': { was: '|/tmp/x' },
    'kernel.modprobe': { was: '/tmp/x', set: undefined },
    '../../../etc/passwd': { was: 1, set: needed },
    'net.core.rmem_max': { was: '|/tmp/x', set: needed },
    'net.core.wmem_max': { was: 212_992, set: needed },
  };
  expect(planUndo(recorded as never, limits)).toEqual({ 'net.core.wmem_max': { was: 212_992, set: needed } });
  expect(planUndo(null as never, limits)).toEqual({});
});
