import { closeSync, existsSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';

/** A text that another program appends lines to. */
export interface FollowedLines {
  /** The whole lines that came since the last time, each with its end; nothing before the file is there. */
  take(): string;
}

/** Likewise, and it may be emptied, since its writer appends each line at once to whatever is there. */
export interface EmptiableLines extends FollowedLines {
  /** Lets go what was written so far, from the disk too. */
  empty(): void;
}

/** Follows a file from its beginning. */
export function followLines(path: string): EmptiableLines {
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
    empty() {
      if (existsSync(path)) truncateSync(path);
      at = 0;
    },
  };
}
