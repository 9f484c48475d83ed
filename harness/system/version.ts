import { readFileSync } from 'node:fs';
import { PROJECT } from './tools.ts';

/** Which version of Photofinish this is. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { version: string };
  return version;
}
