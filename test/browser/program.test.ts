import { describe, expect, it } from '@jest/globals';
import { findProgram } from '../../harness/browser/program.ts';

const chromium = { path: '/opt/chromium', version: '156.0' };
const shell = { path: '/opt/shell' };

describe('a browser', () => {
  it.each(['tcp', 'quic', 'discovering'] as const)(
    'of the kind %s is the headless shell, where there is one',
    (kind) => {
      expect(findProgram(kind, { chromium, shell })).toEqual({ path: '/opt/shell', isShell: true });
      expect(findProgram(kind, { chromium, shell: null })).toEqual({ path: '/opt/chromium', isShell: false });
      expect(findProgram(kind, { chromium })).toEqual({ path: '/opt/chromium', isShell: false });
    },
  );

  it('that looks names up is Chromium itself, which alone asks for HTTPS records', () => {
    expect(findProgram('offered', { chromium, shell })).toEqual({ path: '/opt/chromium', isShell: false });
  });
});
