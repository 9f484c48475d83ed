import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { killGroup } from '../../harness/system/process.ts';

const PROGRAM = fileURLToPath(new URL('./fake-chromium.pl', import.meta.url));

/** A program that is Chromium as far as its pipe shows, until it is asked for one thing. */
export interface FakeChromium extends Disposable {
  readonly path: string;
  /** A folder for its profile. */
  readonly folder: string;
  /** Resolves once it was asked for that. */
  asked(): Promise<void>;
  /** Resolves once it has ended after that. */
  ended(): Promise<void>;
}

/** Makes one that stops when it is asked for something by a method; one that is deaf has that alone without an answer. */
export function fakeChromium(method: string, how: 'silent' | 'deaf' = 'silent'): FakeChromium {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-fake-'));
  const path = join(folder, `${how}-at-${method}`);
  copyFileSync(PROGRAM, path);
  const isAsked = () => existsSync(`${path}.pid`);
  const pid = () => Number(readFileSync(`${path}.pid`, 'utf8'));
  return {
    path,
    folder: join(folder, 'browser'),
    asked: () => until(isAsked, `it was not asked for ${method}`),
    ended: () => until(() => !existsSync(`/proc/${pid()}`), 'it still runs'),
    [Symbol.dispose]() {
      if (isAsked()) killGroup(pid());
      rmSync(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

/** Has the timers of this process, and no other clock, be the test's. */
export function holdTimers(): void {
  jest.useFakeTimers({ doNotFake: [...CLOCKS] });
}

const CLOCKS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

const MOST_MS = 10_000;

/** Resolves once something is so; no timer is asked for that. */
async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (const endMs = performance.now() + MOST_MS; !isSo(); await new Promise((resolve) => void setImmediate(resolve)))
    if (performance.now() > endMs) throw new Error(otherwise);
}
