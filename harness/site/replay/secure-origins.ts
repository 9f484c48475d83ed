import type { ReadRecording } from '../record/store.ts';

/** A recording whose own page needs no TLS, with it. */
export function secureRecording(read: ReadRecording): ReadRecording {
  return read;
}
