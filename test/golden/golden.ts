import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';

/**
 * Compares a text with the one that was kept. `PHOTOFINISH_GOLDEN=write` keeps what is rendered now: look at what git
 * then says has changed.
 */
export function expectGolden(name: string, text: string): void {
  const path = fileURLToPath(new URL(name, import.meta.url));
  if (process.env.PHOTOFINISH_GOLDEN === 'write') writeFileSync(path, text);
  if (!existsSync(path)) throw new Error(`no ${path}: run the test once with PHOTOFINISH_GOLDEN=write`);
  expect(text).toBe(readFileSync(path, 'utf8'));
}
