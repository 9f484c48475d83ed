import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** A text that another program appends lines to. */
export interface FollowedLines {
  /** The whole lines that came since the last time, each with its end; nothing before the file is there. */
  take(): string;
}

/** Follows a file from its beginning. */
export function followLines(path: string): FollowedLines {
  let at = 0;
  return {
    take() {
      if (!existsSync(path)) return '';
      const file = openSync(path, 'r');
      try {
        const text = Buffer.alloc(Math.max(0, fstatSync(file).size - at));
        readSync(file, text, 0, text.length, at);
        // A line that is being written is taken once it is whole.
        const whole = text.subarray(0, text.lastIndexOf(10) + 1);
        at += whole.length;
        return whole.toString();
      } finally {
        closeSync(file);
      }
    },
  };
}
