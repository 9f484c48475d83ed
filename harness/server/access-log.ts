import type { ServerRecord } from '../model/capture.ts';
import { followLines } from '../system/follow-lines.ts';

/** A server's log of requests, followed from a point on. */
export interface AccessLog {
  /** Forgets what has been written so far, and empties the file: a study's would grow to hundreds of megabytes. */
  skip(): void;
  /** The requests that ended since; each is returned once. */
  take(): readonly ServerRecord[];
}

/** Follows a log that its server appends to. */
export function followAccessLog(path: string): AccessLog {
  const lines = followLines(path);
  return {
    skip: () => lines.empty(),
    take: () => parseAccessLog(lines.take()),
  };
}

interface Line {
  readonly timeMs: number;
  readonly port: number;
  readonly clientPort: number;
  readonly protocol: string;
  readonly tls: string;
  readonly resumed: string;
  readonly earlyData: string;
  readonly method: string;
  readonly request: string;
  readonly status: number;
  readonly bodyBytes: number;
  readonly seconds: number;
}

const PROTOCOL_NAMES: Readonly<Record<string, ServerRecord['protocol']>> = {
  'HTTP/1.0': 'h1',
  'HTTP/1.1': 'h1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

/** The lines that `nginx/nginx.conf` has its server write. */
export function parseAccessLog(text: string): ServerRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((text) => {
      const line = JSON.parse(text) as Line;
      return {
        ...line,
        timeMs: line.timeMs * 1000,
        protocol: PROTOCOL_NAMES[line.protocol] ?? 'unknown',
        resumed: line.resumed === 'r',
        earlyData: line.earlyData === '1',
      };
    });
}
