import { existsSync } from 'node:fs';
import type { Tools } from '../system/tools.ts';
import type { BrowserKind } from './flags.ts';

/** A program that is a browser. */
export interface BrowserProgram {
  readonly path: string;
  /** Whether it is Chromium's headless shell. */
  readonly isShell: boolean;
}

/**
 * What a browser of a kind is started as. The headless shell has Chromium's engine and network service without its windows
 * and profiles, so that a launch and a new visitor take a third of the processor time. It has no resolver of its own that
 * asks for HTTPS records, so that offers are compared in Chromium itself, all of them.
 */
export function findProgram(kind: BrowserKind, { chromium, shell }: Pick<Tools, 'chromium' | 'shell'>): BrowserProgram {
  if (kind !== 'offered' && shell) return { path: startedBy(shell.path), isShell: true };
  return chromiumAt(chromium.path);
}

/** Chromium itself, wherever it is. */
export function chromiumAt(path: string): BrowserProgram {
  return { path: startedBy(path), isShell: false };
}

/** Debian's own launchers add flags and extensions from the machine's configuration; this is what they start. */
function startedBy(path: string): string {
  const started = path.replace(/^\/usr\/bin\/(?=chromium)/, '/usr/lib/chromium/');
  return existsSync(started) ? started : path;
}
