import { UsageError } from '../model/errors.ts';

/** A number with a unit, read from a flag or a file; `unit` is '' where none was written. */
interface Quantity {
  readonly value: number;
  readonly unit: string;
}

/** Where a value stands, for the message, and what may stand there. */
export interface Expectation {
  /** For example `--link: rate`. */
  readonly where: string;
  /** For example `100kbit to 1gbit, as in rate=10mbit`. */
  readonly allowed: string;
}

const RATE_UNITS: Readonly<Record<string, number>> = {
  kbit: 1,
  mbit: 1_000,
  gbit: 1_000_000,
  kbps: 1,
  mbps: 1_000,
  gbps: 1_000_000,
};
const TIME_UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };

/** A rate in kbit/s, to the bit/s. */
export function parseRateKbps(text: string, expectation: Expectation): number {
  return roundedTo(within(scaled(text, RATE_UNITS, expectation), 100, 1_000_000, text, expectation), 0.001);
}

/** A span of time in milliseconds, to the microsecond; a delay of the lab is at most 10 s. */
export function parseDelayMs(text: string, expectation: Expectation): number {
  return roundedTo(within(scaled(text, TIME_UNITS, expectation), 0, 10_000, text, expectation), 0.001);
}

/** A share in percent, with or without its sign, to a hundred-millionth. */
export function parsePercent(text: string, expectation: Expectation): number {
  const { value, unit } = parseQuantity(text, expectation);
  if (unit !== '' && unit !== '%') throw refused(text, expectation, `unknown unit "${unit}"`);
  return roundedTo(within(value, 0, 100, text, expectation), 1e-6);
}

/** The nearest multiple of a step that is a power of ten: 0.001 for thousandths. */
export function roundedTo(value: number, step: number): number {
  const perOne = Math.round(1 / step); // Divided by a whole number, it is the number that its decimals are read as.
  return Math.round(value * perOne) / perOne;
}

/** A plain number, without a unit. */
export function parseNumber(text: string, expectation: Expectation): number {
  const { value, unit } = parseQuantity(text, expectation);
  if (unit !== '') throw refused(text, expectation, `unknown unit "${unit}"`);
  return value;
}

/** A whole number of an option, within bounds that it may reach. */
export function parseWholeNumber(where: string, text: string, low: number, high: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw refused(text, { where, allowed: `${low} to ${high}` }, 'no whole number in range');
}

/** A number of an option, within bounds that it may reach. */
export function parseNumberWithin(
  where: string,
  text: string,
  [low, high]: readonly [number, number],
  unit: string,
): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw refused(text, { where, allowed: `${low} to ${high} ${unit}` }, 'no number in range');
}

/** The error for a value that may not stand where it stands. */
export function refused(text: string, expectation: Expectation, why: string): UsageError {
  return new UsageError(`${expectation.where}: "${text}" is not valid (${why}). Expected: ${expectation.allowed}`);
}

function parseQuantity(text: string, expectation: Expectation): Quantity {
  const match = /^(-?\d+(?:\.\d+)?)\s*([a-z%]*)$/i.exec(text.trim());
  if (!match) throw refused(text, expectation, 'no number');
  return { value: Number(match[1]), unit: match[2]!.toLowerCase() };
}

function scaled(text: string, units: Readonly<Record<string, number>>, expectation: Expectation): number {
  const { value, unit } = parseQuantity(text, expectation);
  if (unit === '' && value === 0) return 0;
  if (unit === '') throw refused(text, expectation, `no unit, one of ${Object.keys(units).join(', ')} is needed`);
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (factor === undefined) throw refused(text, expectation, `unknown unit "${unit}"`);
  return value * factor;
}

function within(value: number, low: number, high: number, text: string, expectation: Expectation): number {
  if (value < 0) throw refused(text, expectation, 'negative');
  if (value < low) throw refused(text, expectation, value === 0 ? 'zero' : 'too small');
  if (value > high) throw refused(text, expectation, 'too large');
  return value;
}
