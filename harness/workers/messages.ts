import { z } from 'zod';
import type { Measurement } from '../model/measurement.ts';
import type { BlockOrder } from '../model/session.ts';
import type { Wanted } from '../run/lighthouse.ts';
import { FIGURES } from '../store/figures.ts';
import { EVIDENCE } from '../study/stored-study.ts';
import { BLOB, digestOf } from './blobs.ts';
import { PREFIX } from './redis.ts';

/*
 * What goes between a coordinator and its workers. Each side holds what it gets to these schemas: a program that can write
 * to Redis can at most have a worker measure what it has or can be given as data, and a coordinator keep figures.
 *
 *     coordinator                                   worker
 *     offer ──────────────────────────────────────► what it has to be and to have
 *     admitted? ◄────────────── announcement ────── what it is, what it does (every few seconds)
 *     order ─────────────── BullMQ's queue ───────► block
 *     store ◄────────────── BullMQ's result ─────── report, evidence
 */

/** Raised when what is said here changes its meaning. */
const VERSION = 1;

const version = z.literal(VERSION);
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u);
/** An arm's name, or one that the control makes of it. */
const armName = z.string().regex(/^[a-z0-9][a-z0-9.+-]{0,59}$/);
const count = z.number().int().min(0);
/** What both sides make themselves and only hand on. */
const opaque = z.looseObject({});

/** What stands for a study in Redis. */
export const STUDY_ID = z.string().regex(/^[0-9a-f]{20}$/);

const recordedSite = z.object({ manifest: BLOB, bodies: z.array(BLOB).max(100_000) });

/** A study that wants workers. */
export const OFFER = z.object({
  version,
  photofinish: line(100),
  study: line(200),
  plan: BLOB,
  keeps: z.object({ pcap: z.boolean(), netLog: z.boolean() }),
  /** Recorded and built sites, by name. */
  sites: z.record(line(2_000), recordedSite),
});
export type Offer = z.infer<typeof OFFER>;

const MACHINE = z.object({
  photofinish: line(100),
  chromium: line(100),
  servers: z.record(line(100), line(200)),
  kernel: line(200),
  cpu: line(200),
  cores: z.number().int().min(1).max(10_000),
  memoryBytes: count,
  packages: z.array(z.unknown()).max(1_000),
  worker: line(100),
  link: line(200),
});
export type WorkerMachine = z.infer<typeof MACHINE>;

/** What a worker is, and what it does just now. */
export const ANNOUNCEMENT = z.object({
  version,
  id: z.string().regex(/^[\w.-]{1,80}$/),
  machine: MACHINE,
  /** How many blocks it runs at once. */
  places: z.number().int().min(1).max(99),
  does: z.array(z.object({ condition: line(4_000), arm: armName.optional() })).max(99),
  /** What it has loaded for this study, and in what time. */
  loads: count,
  forMs: z.number().min(0),
  /** Why it takes no more blocks. */
  unfit: line(2_000).optional(),
});
export type Announcement = z.infer<typeof ANNOUNCEMENT>;

/** What the coordinator says to an announcement. */
export const ADMISSION = z.union([z.object({ refused: line(2_000) }), z.object({ firstLaunch: count })]);

const serial = z.number().int().min(1);
const condition = line(4_000);
const block = z.object({ condition, index: count, order: z.array(armName).min(1).max(1_000) });

/** A job: a block, films of a condition, or one of Lighthouse's trials. */
export const JOB = z.object({
  version,
  /** The digest of the plan that it belongs to. */
  plan: z.string(),
  order: z.union([
    z.object({
      block,
      serial,
      delayMs: z.number().min(0).max(600_000).optional(),
      launches: count,
      worth: z.number().min(0).optional(),
    }),
    z.object({ film: condition }),
    z.object({ judge: z.object({ condition, arm: armName, run: count }) }),
  ]),
});
export type Order = BlockOrder | { readonly film: string } | { readonly judge: Wanted };

/** What a job comes back with. */
export const RETURNED = z.object({ version, worker: z.string(), machine: MACHINE, report: BLOB });

const figure = { number: z.number(), count: z.number().int(), flag: z.boolean() } as const;
const figures = Object.fromEntries(FIGURES.map(([name, { kind }]) => [name, figure[kind].optional()]));
const measurement = z.strictObject({
  condition,
  block: count,
  arm: armName,
  ...figures,
  status: z.enum(['ok', 'failed', 'void']),
  reason: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .optional(),
  says: z.string().max(10_000).optional(),
  launch: z.number().int().min(1),
}) as unknown as z.ZodType<Measurement>;
const capture = z.looseObject({ launch: z.number().int().min(1) });

/** What comes with each report, and where its evidence lies. */
const brought = {
  references: z.array(
    z.object({ page: line(4_000), arm: armName, watched: z.boolean(), pltMs: z.number().optional(), capture }),
  ),
  links: z.array(z.object({ link: line(2_000), calibration: z.looseObject({ ok: z.boolean() }), lab: opaque })),
  files: z.array(z.object({ name: z.string().regex(EVIDENCE), blob: BLOB })).max(10_000),
};

/** What was measured in a block. */
export const REPORT = z.object({
  beganMs: z.number(),
  trials: z.array(z.object({ measurement, capture, evidence: z.array(z.string().regex(EVIDENCE)).max(10) })),
  warmUps: z.array(capture).max(1_000),
  disturbed: z
    .array(z.object({ arm: armName, capture }))
    .max(100)
    .optional(),
  ...brought,
});
export type Report = z.infer<typeof REPORT>;

const frame = z.object({
  atMs: z.number(),
  jpeg: z
    .string()
    .max(1_000_000)
    .regex(/^[\w+/=]*$/),
});
const film = z.object({ pltMs: z.number(), frames: z.array(frame).max(10_000) });

/** What the arms of a condition looked like. */
export const FILMS = z.object({ films: z.record(armName, film), tookMs: z.number().min(0), ...brought });

const score = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ok'),
    score: z.number().min(0).max(1),
    metrics: z.record(z.string().regex(/^[\w-]{1,60}$/), z.number()),
  }),
  z.object({ status: z.literal('failed'), says: z.string().max(10_000) }),
]);

/** What Lighthouse said. */
export const JUDGEMENT = z.object({ score, ...brought });

export const ABOUT = { version: VERSION } as const;

/** Where things are in Redis. */
export const KEYS = {
  /** The studies that want workers, and each of them while its coordinator lives. */
  studies: `${PREFIX}:studies`,
  study: (id: string) => `${PREFIX}:study:${id}`,
  /** The workers of a study, and each of them while it lives. */
  workers: (study: string) => `${PREFIX}:workers:${study}`,
  worker: (study: string, id: string) => `${PREFIX}:worker:${study}:${id}`,
  /** By worker, what the coordinator said to it. */
  admissions: (study: string) => `${PREFIX}:admissions:${study}`,
  /** Up to which number launches of browsers are given away. */
  launches: (study: string) => `${PREFIX}:launches:${study}`,
};

/** A side that is not heard of for this long is gone. */
export const ALIVE_S = 15;
export const SAYS_EVERY_MS = 2_000;

/** A job's name: an attempt at a block has one, and only that one. */
export function jobIdOf(order: Order): string {
  if (!('block' in order)) return `${Object.keys(order)[0]}-${digestOf(JSON.stringify(order)).slice(0, 20)}`;
  const { serial, block } = order;
  return `${serial}-${block.index}-${block.condition.replaceAll(/[^\w.-]/g, '_').slice(0, 100)}`;
}

/** The condition that a job is about, or the control's. */
export function conditionIn(order: Order): string {
  if ('block' in order) return order.block.condition;
  return 'film' in order ? order.film : order.judge.condition;
}

/** Reads what another program wrote; throws where it does not fit the schema. */
export function readMessage<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const { success, data, error } = schema.safeParse(typeof value === 'string' ? parseJson(value) : value);
  if (success) return data;
  const [first] = error.issues;
  throw new Error(`${what} is none: ${first!.path.join('.') || 'it'}: ${first!.message}`);
}

/** Reads JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
