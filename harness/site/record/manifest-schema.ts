import { z } from 'zod';
import { PROTOCOLS } from '../../model/arm.ts';
import { DEVICE_NAMES } from '../../model/device.ts';
import { inOneLine } from '../../model/printable.ts';
import { type Header, normalUrl, RECORDING_SCHEMA, type RecordedManifest } from '../../model/recording.ts';
import { isSendable, MOST_HEADERS } from './keep-headers.ts';

/*
 * A recording may come from anywhere: nothing in it is believed that was not checked, and nothing in it names a file.
 */

export const MOST_RESPONSES = 100_000;
export const MOST_LEFT_OUT = 100_000;
export const MOST_ORIGINS = 10_000;
const LATEST_MS = 8.64e15;
const LONGEST_TEXT = 2_000;

const line = z
  .string()
  .max(LONGEST_TEXT)
  .regex(/^\P{Cc}*$/u, 'one line');
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256');
const count = z.number().int().min(0).max(1e12);
const LONGEST_MS = 600_000;
const milliseconds = z.number().min(0).max(LONGEST_MS);
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;
const url = z.string().refine((text) => normalUrl(text) === text, 'an address as a browser asks for it');
const header = z.tuple([z.string(), z.string()]).refine((pair) => isSendable(pair as Header), 'a header');
const headers = z.array(header).max(MOST_HEADERS);

const response = z.object({
  method: z.string().regex(/^[A-Z]{1,20}$/),
  url,
  requestHeaders: headers,
  requestBody: digest.optional(),
  status: z.number().int().min(200).max(599),
  headers,
  body: digest.optional(),
  bytes: count,
  encoded: z.enum(['as-received', 'again']),
  content: z.object({ bytes: count, sha256: digest }).optional(),
  thinkMs: milliseconds.optional(),
  kind: z.string().regex(/^\w{1,40}$/),
  wantedMs: milliseconds,
});

const origin = z.object({
  origin: z.string().refine((text) => normalUrl(text) === `${text}/`, 'an origin'),
  protocol: z.enum(PROTOCOLS).optional(),
  offersH3: z.boolean(),
  address: z.string().regex(ADDRESS).optional(),
  certificateNames: z.array(line).max(10_000),
  rttMs: milliseconds.optional(),
});

const leftOut = z.array(z.object({ what: line, why: line, came: z.literal(true).optional() })).max(MOST_LEFT_OUT);

/** What a `manifest.json` must be. */
export const MANIFEST_SCHEMA: z.ZodType<RecordedManifest> = z.object({
  schema: z.literal(RECORDING_SCHEMA),
  site: line,
  url,
  recordedAtMs: z.number().min(0).max(LATEST_MS),
  seed: z.number().int().min(0).max(0xffffffff),
  device: z.enum(DEVICE_NAMES),
  by: line,
  secrets: z.enum(['removed', 'kept']),
  live: z
    .object({
      pltMs: milliseconds,
      loads: z.number().int().min(1).optional(),
      downKbps: z.number().min(0).max(1e9).optional(),
    })
    .optional(),
  origins: z.array(origin).max(MOST_ORIGINS),
  responses: z.array(response).max(MOST_RESPONSES),
  leftOut,
  notes: z.array(line).max(1_000),
});

/** A number as a manifest may hold it; a HAR may say anything. */
export function asMilliseconds(ms: number): number {
  return upTo(LONGEST_MS, ms);
}

/** A moment as a manifest may hold it. */
export function asMoment(ms: number): number {
  return upTo(LATEST_MS, ms);
}

function upTo(most: number, ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), most) : 0;
}

/** An IP address, or nothing. */
export function asAddress(text: string | undefined): string | undefined {
  return text !== undefined && ADDRESS.test(text) ? text : undefined;
}

/** A line as a manifest may hold it, whatever it was made of. */
export function asLine(text: string): string {
  const plain = inOneLine(text);
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT - 1)}…` : plain;
}
