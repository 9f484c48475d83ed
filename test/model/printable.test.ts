import { expect, test } from '@jest/globals';
import { printable, printableJson } from '../../harness/model/printable.ts';

const HOSTILE = 'h3\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u0000\u007f\u202etxt.exe';

test('nothing that a terminal would act upon is left, and lines stay lines', () => {
  expect(printable(HOSTILE)).toBe('h3]0;owned[2J31mtxt.exe');
  expect(printable('one\n\ttwo – ä 日本 🏁')).toBe('one\n\ttwo – ä 日本 🏁');
});

test('JSON says the same thing in plain characters', () => {
  const text = printableJson({ says: HOSTILE });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(JSON.parse(text)).toEqual({ says: HOSTILE });
});
