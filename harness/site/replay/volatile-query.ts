/*
 * Which part of a query changes with each load: what differs there does not ask for something else.
 */

/** Keys that are there to get past caches, or that hold a time. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...[
    '_',
    '__',
    'cb',
    'cachebuster',
    'cachebust',
    'cache',
    'nocache',
    'nc',
    'bust',
    'buster',
    'rnd',
    'rand',
    'random',
    'r',
  ],
  ...['t', 'ts', 'time', 'timestamp', 'tm', 'dt', 'now', 'z', 'zx', 'ord', 'v', 'ver', 'version', 'n', 'seed', 'nonce'],
]);

/** A key of a query with its value; what has no `=` is a value without a key. */
export type Pair = readonly [key: string, value: string];

/** The pairs of a query as it was written, in order; without its question mark. */
export function splitQuery(query: string): readonly Pair[] {
  if (query === '') return [];
  return query.split('&').map((part): Pair => {
    const equals = part.indexOf('=');
    return equals < 0 ? ['', part] : [part.slice(0, equals), part.slice(equals + 1)];
  });
}

/** Whether a pair is one that another load would have with another value. */
export function isVolatile([key, value]: Pair, recordedAtMs: number): boolean {
  const plain = decoded(value);
  if (isTimeNear(plain, recordedAtMs) || looksRandom(plain)) return true;
  // `t=shirts` may be a known key, and is no time.
  return KNOWN_KEYS.has(key.toLowerCase()) && (plain === '' || /\d/.test(plain));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const NEAR_MS = 2 * 86_400_000;
/** Seconds, milliseconds and microseconds, by their number of digits. */
const UNITS_MS: Readonly<Record<number, number>> = { 10: 1000, 13: 1, 16: 0.001 };

/** A number or a date that is the recording's time, give or take two days. */
function isTimeNear(value: string, recordedAtMs: number): boolean {
  const whole = /^(\d+)(\.\d*)?$/.exec(value)?.[1];
  const unitMs = whole === undefined ? undefined : UNITS_MS[whole.length];
  const base36 = /^[a-z0-9]{8}$/.test(value) ? Number.parseInt(value, 36) : Number.NaN;
  const date = /^\d{4}-\d\d-\d\dT\d\d:/.test(value) ? Date.parse(value) : Number.NaN;
  const times = [unitMs === undefined ? Number.NaN : Number(whole) * unitMs, base36, date];
  return times.some((ms) => Math.abs(ms - recordedAtMs) <= NEAR_MS);
}

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const FRACTION = /^0?\.\d{6,}$/;
const LONG_NUMBER = /^\d{9,}$/;
const LONG_HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** Whether a text looks generated, and not written by hand. */
function looksRandom(value: string): boolean {
  if ([UUID, FRACTION, LONG_NUMBER, LONG_HEX].some((pattern) => pattern.test(value))) return true;
  if (!/^[A-Za-z0-9_.-]{8,}$/.test(value)) return false;
  // Words keep letters together, and names end in their numbers: `iphone15promax` changes twice.
  const changes = [...value.matchAll(/(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/g)].length;
  return changes >= 3;
}
