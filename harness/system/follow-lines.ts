import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { run } from './process.ts';

/** A text that another program appends lines to. */
export interface FollowedLines {
  /** The whole lines that came since the last time, each with its end; nothing before the file is there. */
  take(): string;
}

/** A text that another program appends lines to, of which the lines already taken or skipped may be deleted. */
export interface SkippableLines extends FollowedLines {
  /** Skips what was written so far; after a while that is deleted from the disk, too. */
  skip(): void;
}

/** How much of a file may be kept that will not be read any more. */
const KEPT_BYTES = 1_048_576;

/**
 * Follows a file from its beginning; one that is put in its place is followed from its own.
 *
 * What was taken or skipped is punched out of the file, which keeps its length: a writer that does not append (HAProxy
 * takes that off its standard output) goes on where it was, and would leave a hole before it in a file that was cut.
 */
export function followLines(path: string): SkippableLines {
  let [inode, at, punched] = [0, 0, 0];
  /** Opens the file where it is, and says how long it is. */
  const look = <T>(read: (file: number, size: number) => T): T | undefined => {
    if (!existsSync(path)) return undefined;
    // The program that writes it may run as another user, and have put a link or a pipe there.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { ino, size } = fstatSync(file);
      if (ino !== inode || size < at) [inode, at, punched] = [ino, 0, 0];
      return read(file, size);
    } finally {
      closeSync(file);
    }
  };
  return {
    take() {
      const taken = look((file, size) => {
        const text = Buffer.alloc(size - at);
        readSync(file, text, 0, text.length, at);
        // A line that is being written is taken once it is whole.
        const whole = text.subarray(0, text.lastIndexOf(10) + 1);
        at += whole.length;
        return whole.toString();
      });
      return taken ?? '';
    },
    skip() {
      look((_, size) => {
        at = size;
      });
      if (at - punched < KEPT_BYTES) return;
      punched = at;
      // Where the file system cannot, the file stays.
      run(['fallocate', '--punch-hole', '--offset', '0', '--length', `${at}`, path]).catch(() => {});
    },
  };
}
