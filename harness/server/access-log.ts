import type { ServerRecord } from '../model/capture.ts';
import { followLines } from '../system/follow-lines.ts';

/** A server's log of requests, and what it says beside them, followed from a point on. */
export interface AccessLog {
  /** Forgets what has been written so far, and lets the files have no more of it: a study's is hundreds of megabytes. */
  skip(): void;
  /** The requests that ended since; each is returned once. */
  take(): readonly ServerRecord[];
  /** The last lines that it wrote since of what went wrong, or might have; each is returned once. */
  takeWords(): readonly string[];
}

/** Where a server writes, and how it is read. */
export interface LogFiles {
  readonly requests: string;
  readonly parse: (text: string) => ServerRecord[];
  readonly words: string;
  /** Which of its words tell of nothing wrong. */
  readonly routine?: RegExp | undefined;
}

/** How many of a server's own lines are kept, and how many characters of each. */
const MOST_WORDS = 3;
const WORDS_LENGTH = 160;

/** Follows logs; each start of their server begins others. */
export function followAccessLog({ parse, routine, ...files }: LogFiles): AccessLog {
  const [requests, words] = [followLines(files.requests), followLines(files.words)];
  const isWord = (line: string) => line.trim() !== '' && !routine?.test(line);
  return {
    skip() {
      requests.skip();
      words.skip();
    },
    take: () => parse(requests.take()),
    takeWords() {
      const lines = words.take().split('\n').filter(isWord);
      return lines.slice(-MOST_WORDS).map((line) => line.slice(0, WORDS_LENGTH));
    },
  };
}

const PROTOCOLS: Readonly<Record<string, ServerRecord['protocol']>> = {
  'HTTP/1.0': 'h1',
  'HTTP/1.1': 'h1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

/** The protocol that servers call by this name. */
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
