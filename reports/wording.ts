import type { TrialNews } from '../harness/model/event.ts';
import { percentInWords } from '../harness/model/wording.ts';

/** A time as people read it. */
export function time(ms: number | undefined): string {
  if (ms === undefined || Number.isNaN(ms)) return '–';
  if (!Number.isFinite(ms)) return 'never';
  if (ms === 0) return '0 ms';
  if (ms >= 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 995) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 9.95 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
}

/** A trial in short: what it took, which for an upload is the upload's own time. */
export function trialInWords(trial: TrialNews): string {
  return `${trial.arm} ${trial.status === 'ok' ? time(trial.uploadMs ?? trial.pltMs) : trial.status}`;
}

/** Percents, whole from ten on. */
export function percent(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return Number.isFinite(value) ? unbroken(percentInWords(value)) : '∞';
}

/** A chance in percent; one that comes from random draws is never certain. */
export function chance(value: number): string {
  if (value > 0.99) return 'over 99\u00a0%';
  return value < 0.01 ? 'below 1\u00a0%' : percent(Math.round(100 * value));
}

/** A change, with its sign. */
export function change(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return percent(value);
  const text = percent(Math.abs(value));
  return text === '0 %' ? '±0 %' : `${value < 0 ? '−' : '+'}${text}`;
}

/** A rate as people name it. */
export function rate(kbps: number | undefined): string {
  if (kbps === undefined) return '–';
  if (!Number.isFinite(kbps)) return 'unlimited';
  return kbps >= 1000 ? `${figure(kbps / 1000, 1)} Mbit/s` : `${figure(kbps, 0)} kbit/s`;
}

/** A number of bytes, in thousands. */
export function bytes(count: number | undefined): string {
  if (count === undefined || Number.isNaN(count)) return '–';
  if (count >= 999_500) return `${figure(count / 1e6, count >= 99.5e6 ? 0 : 1)} MB`;
  return count >= 1000 ? `${figure(count / 1000, count >= 9_950 ? 0 : 1)} kB` : `${figure(count, 0)} B`;
}

/** A number with at most this many decimals, grouped. */
export function figure(value: number | undefined, decimals = 1): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return value.toLocaleString('en', { maximumFractionDigits: decimals });
}

/** A sentence of the program's, its figures held together. */
export function unbroken(text: string): string {
  return text.replaceAll(/(\d) (%|ms|s\b)/g, '$1 $2');
}

/** How many of a thing. */
export function count(number: number, thing: string): string {
  return `${figure(number, 0)} ${thing}${number === 1 ? '' : 's'}`;
}

/** A number that may be of any size: from a million on by its power of ten. */
export function large(value: number): string {
  if (!(Math.abs(value) >= 1e6) || !Number.isFinite(value)) return figure(value, 1);
  const power = Math.floor(Math.log10(value));
  return `${(value / 10 ** power).toFixed(1)} × 10${superscript(power)}`;
}

/** A whole number as an exponent. */
export function superscript(value: number): string {
  return `${value}`.replaceAll(/./g, (digit) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(digit)] ?? digit);
}

/** A ratio of two times; failures leave none. */
export function ratio(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return '∞';
  return value.toFixed(value >= 9.95 ? 1 : 2);
}

/** An interval of ratios; one that leaves everything open is none. */
export function interval([low, high]: readonly [number, number]): string {
  return low <= 0 && !Number.isFinite(high) ? 'too few blocks for an interval' : `${ratio(low)} to ${ratio(high)}`;
}

/** A moment, in the reader's own clock. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** A number where it is whole, as a tick of an axis. */
export function whole(value: number): string {
  return Number.isInteger(value) ? `${value}` : '';
}
