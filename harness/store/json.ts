import { gunzipSync, gzipSync } from 'node:zlib';

/** Any value of the model as JSON, in which numbers that JSON has no word for are `{"$number": "Infinity"}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'number' && !Number.isFinite(part) ? { $number: `${part}` } : part,
  );
}

/** The value that became this JSON. */
export function fromJson<T>(text: unknown): T {
  const json = text as string;
  // To look at every part takes five times as long.
  if (!json.includes('"$number"')) return JSON.parse(json) as T;
  return JSON.parse(json, (_, part) => (part?.$number === undefined ? part : Number(part.$number))) as T;
}

/** A value as compressed JSON: a fifteenth of the size, at some 2 ms for a capture of 200 kB. */
export function pack(value: unknown): Buffer {
  return gzipSync(toJson(value));
}

/** A capture of ten thousand requests has a tenth of this; what a stranger has packed may unfold to anything. */
const MOST_BYTES = 500_000_000;

/** The value that was packed. */
export function unpack<T>(bytes: unknown): T {
  return fromJson(gunzipSync(bytes as Uint8Array, { maxOutputLength: MOST_BYTES }).toString());
}
