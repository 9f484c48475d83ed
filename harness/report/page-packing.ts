/** Whole numbers of at least 0 or below as text: each but for the first as its difference from the one before. */
export function packNumbers(values: readonly number[]): string {
  const bytes: number[] = [];
  let before = 0;
  for (const value of values) {
    pushVarint(bytes, zigzag(value - before));
    before = value;
  }
  return toBase64(bytes);
}

/** The numbers that were packed. */
export function unpackNumbers(text: string): number[] {
  const bytes = atob(text);
  const values: number[] = [];
  let value = 0;
  for (let at = 0; at < bytes.length; ) {
    let [coded, scale, byte] = [0, 1, 128];
    while (byte >= 128) {
      byte = bytes.charCodeAt(at);
      at += 1;
      coded += (byte % 128) * scale;
      scale *= 128;
    }
    value += coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
    values.push(value);
  }
  return values;
}

/** Small numbers of either sign become small ones of none; arithmetic, as bits end at 32 and moments in time do not. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
}

const CHUNK = 4096;

function toBase64(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.slice(at, at + CHUNK));
  return btoa(text);
}

/** Steps of a time that is packed, in each millisecond: as fine as any clock here. */
const STEPS_PER_MS = 1000;

/** Times in milliseconds, some of them absent, as text. */
export function packTimes(values: readonly (number | undefined)[]): string {
  return packNumbers(
    values.map((value) => (value === undefined ? 0 : 1 + Math.max(0, Math.round(STEPS_PER_MS * value)))),
  );
}

/** The times that were packed. */
export function unpackTimes(text: string): (number | undefined)[] {
  return unpackNumbers(text).map((value) => (value === 0 ? undefined : (value - 1) / STEPS_PER_MS));
}

/**
 * Any value as JSON that may stand in a `<script>`: nothing in it can end the element, and numbers that JSON has no word
 * for are `{"$number": "Infinity"}`, as in the store.
 */
export function toPageJson(value: unknown): string {
  const json = JSON.stringify(value, (_, part) =>
    typeof part === 'number' && !Number.isFinite(part) ? { $number: `${part}` } : part,
  );
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The value that became this JSON. */
export function fromPageJson<T>(json: string): T {
  if (!json.includes('"$number"')) return JSON.parse(json) as T;
  return JSON.parse(json, (_, part) => (part?.$number === undefined ? part : Number(part.$number))) as T;
}
