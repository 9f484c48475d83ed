import { UsageError } from '../model/errors.ts';

/** Reads the port that an option may name: 0 for one that is free. */
export function parsePort(option: string, text: string): number {
  const port = text === '' ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option}: "${text}" is no port. Expected: a port from 1 to 65535, or none for a free one`);
}
