import { type FollowedLines, followLines } from '../system/follow-lines.ts';

const BEGIN = '"events": [\n';

/**
 * Follows a browser's network log; what came since the last time is given as a log of its own, with the constants that
 * viewers of such logs need.
 */
export function followNetLog(path: string): FollowedLines {
  const lines = followLines(path);
  let head = '';
  return {
    take() {
      const text = head + lines.take();
      const begin = text.indexOf(BEGIN) + BEGIN.length;
      if (begin < BEGIN.length) {
        head = text;
        return '';
      }
      head = text.slice(0, begin);
      const events = text.slice(begin).trimEnd().replace(/,$/, '');
      return `${head}${events}]}\n`;
    },
  };
}
