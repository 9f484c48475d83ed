import { isIP } from 'node:net';
import { z } from 'zod';
import { PROTOCOLS, VISITS } from '../model/arm.ts';
import { UNTIL } from '../model/comparison.ts';
import { DEVICE_NAMES } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import { TOPOLOGY_NAMES } from '../model/lab.ts';
import { OFFER_VISITS, OFFERS } from '../model/offer.ts';
import { PAPER_NAMES } from '../model/paper.ts';
import { HARS, METRICS, type Plan, type Study } from '../model/study.ts';
import { ARM_NAME, parseBrowserFlag } from './arms.ts';
import { CONGESTION_NAME } from './arms-field.ts';
import { reading, text } from './fields.ts';
import { MAX_QUEUE_PACKETS } from './link-text.ts';
import { renderPath } from './place.ts';
import { MOST_TIMEOUT_MS } from './plan.ts';
import { parseResolve } from './resolve-name.ts';
import { MOST_ADDRESS } from './site-name.ts';
import { BLOCKS, LIGHTHOUSE, SEED, STUDY_NAME, TABS } from './study-schema.ts';
import { MAX_TRACE_MS } from './trace.ts';

/*
 * A study's folder may come from somebody else, and what it holds ends in paths, in arguments of programs and on
 * terminals. So what is stored is held to the same bounds as what a person writes in a file, before anything acts on it.
 */

const ONE_LINE = /^\P{Cc}*$/u;
const oneLine = (most: number) => z.string().min(1).max(most).regex(ONE_LINE);
/** What people and other programs called it: links and conditions may be named by all of their settings. */
const name = oneLine(2_000);
const finite = z.number();
const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);
const whole = ([low, high]: readonly [number, number]) => z.number().int().min(low).max(high);

const rate = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('unlimited') }),
  z.looseObject({ kind: z.literal('constant'), kbps: z.number().positive().max(1_000_000) }),
  z.looseObject({
    kind: z.literal('trace'),
    trace: z.looseObject({ name, deliveriesMs: z.array(z.number().int().min(0).max(MAX_TRACE_MS)).min(1) }),
  }),
]);

const loss = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('none') }),
  z.looseObject({ kind: z.literal('random'), percent }),
  z.looseObject({ kind: z.literal('burst'), percent, meanBurstPackets: z.number().min(1).max(1_000) }),
]);

const direction = z.looseObject({
  rate,
  delayMs: z.number().min(0).max(10_000),
  jitterMs: z.number().min(0).max(10_000),
  jitterDistribution: z.enum(['uniform', 'normal', 'pareto', 'paretonormal']),
  loss,
  reorderPercent: percent,
  duplicatePercent: percent,
  queuePackets: whole([1, MAX_QUEUE_PACKETS]),
});

const link = z.looseObject({
  name,
  source: name.optional(),
  down: direction,
  up: direction,
  udp: z.literal('drop').optional(),
});

/** Kinds of visits to which offers are made, which no file names. */
const ALL_VISITS = [...VISITS, ...OFFER_VISITS] as const;

const server = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
const way = {
  protocol: z.enum(PROTOCOLS),
  offer: z.enum(OFFERS).optional(),
  server: server.optional(),
  congestion: z.string().regex(CONGESTION_NAME).optional(),
};
const arm = z.looseObject({
  name: z.string().regex(ARM_NAME),
  ...way,
  visit: z.enum(VISITS).optional(),
  browserFlags: z.array(reading(text('an argument of Chromium'), parseBrowserFlag)).optional(),
  beside: z.looseObject(way).optional(),
});

/** A site's own name, or the address of a page; never a path, which might lead anywhere. */
const site = oneLine(MOST_ADDRESS).refine(
  (text) => /^https?:\/\//.test(text) || (!text.includes('/') && !/^\.+$/.test(text)),
  'neither the name of a site nor an address',
);

const condition = z.looseObject({
  id: oneLine(4_000),
  site,
  link,
  server,
  visit: z.enum(ALL_VISITS),
  topology: z.enum(TOPOLOGY_NAMES).optional(),
  tabs: whole(TABS).optional(),
  device: z.enum(DEVICE_NAMES),
  timeoutMs: z.number().positive().max(MOST_TIMEOUT_MS),
});

const stopping = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('early'), until: z.enum(UNTIL), cap: whole(BLOCKS) }),
  z.looseObject({ kind: z.literal('exactly'), blocks: whole(BLOCKS) }),
]);

const address = z.string().refine((text) => isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0, 'no address');
const siteFacts = z.looseObject({
  objects: finite,
  bytes: finite,
  addresses: z.record(oneLine(300).regex(/^[\w.:/[\]-]+$/), address).optional(),
  digest: oneLine(200),
});

/** What studies and plans have in common. */
const both = {
  seed: whole(SEED),
  arms: z.array(arm).min(1).max(1_000),
  rule: z.looseObject({ advantage: finite, share: finite }),
  metric: z.enum(METRICS),
  stopping,
  served: z.string().regex(ARM_NAME),
  lighthouse: whole(LIGHTHOUSE),
  mix: z.record(name, finite).optional(),
  offered: z.looseObject({ firstVisits: share, withoutUdp: share }).optional(),
  repeats: z.enum(PAPER_NAMES).optional(),
  allOrigins: z.boolean().optional(),
  thinkTimes: z.boolean().optional(),
  har: z.enum(HARS).optional(),
};

const study = z.looseObject({
  name: z.string().regex(STUDY_NAME),
  grids: z.array(
    z.looseObject({
      sites: z.array(site),
      links: z.array(link),
      servers: z.array(server),
      visits: z.array(z.enum(ALL_VISITS)),
      topology: z.enum(TOPOLOGY_NAMES).optional(),
      tabs: z.array(whole(TABS)).optional(),
    }),
  ),
  ...both,
  device: z.enum(DEVICE_NAMES),
  timeoutMs: z.number().positive().max(MOST_TIMEOUT_MS).optional(),
  places: z.record(site, oneLine(4_096)).optional(),
  insecure: z.boolean().optional(),
  resolve: z.array(reading(text('HOST:PORT:ADDRESS'), (written, where) => parseResolve(written, where))).optional(),
});

/** An arm's name, or one that the control makes of it. */
const controlArm = z.string().regex(/^[a-z0-9][a-z0-9.+-]{0,59}$/);

const plan = z.looseObject({
  study: z.string().regex(STUDY_NAME),
  conditions: z.array(condition),
  ...both,
  sites: z.record(site, siteFacts),
  control: z.looseObject({
    id: oneLine(4_000),
    condition,
    arm: controlArm,
    twin: controlArm,
    delayed: controlArm,
    cap: whole([0, BLOCKS[1]]),
  }),
});

const stored = z.object({ study, plan });

/** Refuses a stored study that no Photofinish writes; `folder` is for the message. */
export function assertStoredStudy(found: { readonly study: Study; readonly plan: Plan }, folder: string): void {
  const { error } = stored.safeParse({ study: found.study, plan: found.plan });
  const [first] = error?.issues ?? [];
  if (!first) return;
  throw new UsageError(
    `the study in ${folder} is not one that photofinish writes: ${renderPath(first.path)}: ${first.message}. Expected: an intact folder of a study`,
  );
}

/** Refuses a plan that came from elsewhere and is none that a Photofinish makes. */
export function assertPlan(found: unknown): asserts found is Plan {
  const [first] = plan.safeParse(found).error?.issues ?? [];
  if (first) throw new UsageError(`this is no plan of a study: ${renderPath(first.path)}: ${first.message}`);
}

/** The path of a trial's evidence, below the study's folder. */
export const EVIDENCE = /^(?:har|pcap|netlog|lighthouse)\/[\w=+][\w.=+-]*$/;

/** Refuses a stored block or trial whose names would leave the study's folder, or a terminal's line. */
export function assertStoredNames(
  named: Iterable<{
    readonly condition?: string | undefined;
    readonly arm?: string | undefined;
    readonly evidence?: readonly string[];
  }>,
  folder: string,
): void {
  const refuse = (what: string) => {
    throw new UsageError(
      `the study in ${folder} is not one that photofinish writes: ${what}. Expected: an intact folder of a study`,
    );
  };
  for (const { condition: id = ' ', arm: its = 'a', evidence = [] } of named) {
    if (!ONE_LINE.test(id)) refuse('a condition of a trial has control characters in its name');
    if (!controlArm.safeParse(its).success) refuse("the name of a trial's arm is none");
    if (!evidence.every((path) => EVIDENCE.test(path))) refuse("a trial's evidence is not below the folder");
  }
}
