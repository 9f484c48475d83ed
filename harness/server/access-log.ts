import type { ServerRecord } from '../model/capture.ts';
import { followLines } from '../system/follow-lines.ts';

/** A server's log of requests, followed from a point on. */
export interface AccessLog {
  /** Forgets what has been written so far, and lets the file have no more of it: a study's is hundreds of megabytes. */
  skip(): void;
  /** The requests that ended since; each is returned once. */
  take(): readonly ServerRecord[];
}

/** Follows a log whose lines a reader makes records of; each start of its server begins another. */
export function followAccessLog(path: string, parse: (text: string) => ServerRecord[]): AccessLog {
  const lines = followLines(path);
  return {
    skip: () => lines.skip(),
    take: () => parse(lines.take()),
  };
}

const PROTOCOLS: Readonly<Record<string, ServerRecord['protocol']>> = {
  'HTTP/1.0': 'h1',
  'HTTP/1.1': 'h1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

/** The protocol that servers call so. */
export function protocolNamed(name: string): ServerRecord['protocol'] {
  return PROTOCOLS[name] ?? 'unknown';
}

/** What lines that a configuration of ours describes have in common: a record's parts, two of them in the server's words. */
export interface LogLine extends Omit<ServerRecord, 'protocol' | 'resumed' | 'earlyData' | 'bodyBytes' | 'seconds'> {
  readonly protocol: string;
  readonly resumed: string;
}

/** The records of a log that has a JSON object in each line. */
export function parseJsonLines<Line>(text: string, recordOf: (line: Line) => ServerRecord): ServerRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordOf(JSON.parse(line) as Line));
}
