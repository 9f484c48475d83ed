import { type Header, type LeftOut, MOST_HEADER_BYTES } from '../../model/recording.ts';

/** The most headers that one answer may have. */
export const MOST_HEADERS = 1_000;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** Bytes, but no control characters: whatever ends a line could begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a header can be sent as it is. */
export function isSendable([name, value]: Header): boolean {
  return NAME.test(name) && VALUE.test(value);
}

/** The headers that can be sent again; each that cannot, and the longest where there are too many bytes, is named. */
export function keepHeaders(
  headers: readonly Header[],
  what: string,
): { readonly headers: readonly Header[]; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const leaveOut = ([name]: Header, why: string) => {
    leftOut.push({ what: `header ${JSON.stringify(name.slice(0, 100))} of ${what}`, why });
  };
  let kept = headers.filter((header) => {
    if (!isSendable(header)) leaveOut(header, 'it has characters that no header may have');
    return isSendable(header);
  });
  if (kept.length > MOST_HEADERS) {
    leftOut.push({
      what: `${kept.length - MOST_HEADERS} headers of ${what}`,
      why: `it has ${kept.length}; ${MOST_HEADERS} are kept`,
    });
    kept = kept.slice(0, MOST_HEADERS);
  }
  for (let bytes = bytesOf(kept); bytes > MOST_HEADER_BYTES; bytes = bytesOf(kept)) {
    const longest = kept.reduce((a, b) => (b[1].length > a[1].length ? b : a));
    leaveOut(longest, `with it the headers are ${bytes} bytes; ${MOST_HEADER_BYTES} is what servers take`);
    kept = kept.filter((header) => header !== longest);
  }
  return { headers: kept, leftOut };
}

function bytesOf(headers: readonly Header[]): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}
