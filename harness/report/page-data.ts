import type { Summary } from '../findings/summary.ts';
import type { Protocol } from '../model/arm.ts';
import type { LinkCheck } from '../model/calibration.ts';
import type { BlockOutcomes, Outcome } from '../model/comparison.ts';
import type { DirectionName } from '../model/link.ts';
import type { ReplayNote } from '../model/recording.ts';
import type { Session } from '../model/session.ts';
import type { NextStep } from './next-steps.ts';
import { packNumbers, packTimes, unpackNumbers, unpackTimes } from './page-packing.ts';

/** All that a report's page shows: what the program hands to the front end. */
export interface PageData {
  readonly summary: Omit<Summary, 'provenance'>;
  readonly arms: readonly PageArm[];
  readonly answer: PageAnswer;
  /** In the order of the summary's. */
  readonly conditions: readonly PageCondition[];
  /** Names that many rows share: of requests, priorities, types. */
  readonly names: readonly string[];
  /** JPEG in base64, of the films. */
  readonly pictures: readonly string[];
  /** Names of evidence files below the study's folder, `*` standing for block and arm. */
  readonly evidence: readonly (readonly string[])[];
  readonly method: Method;
}

export interface PageArm {
  readonly name: string;
  readonly protocol: Protocol;
  /** The arm's title for readers: `HTTP/3`. */
  readonly title: string;
}

/** What a reader must see first. */
export interface PageAnswer {
  /** What to serve, in a few words. */
  readonly headline: string;
  /** The advice in whole sentences. */
  readonly text: string;
  readonly badges: readonly Badge[];
  /** What to do now; none while the study is being measured. */
  readonly next: readonly NextStep[];
}

/** Something that a reader must know before believing the answer; `good` is what to rely on. */
export interface Badge {
  readonly level: 'bad' | 'warn' | 'good';
  readonly title: string;
  readonly says: string;
}

/** What a condition has beyond its summary. */
export interface PageCondition {
  readonly title: string;
  /** What a load that failed is taken to have lasted. */
  readonly timeoutMs: number;
  /** Whether its link loses packets. */
  readonly lossy: boolean;
  readonly blocks: PackedBlocks;
  readonly waterfalls: readonly PackedWaterfall[];
  /** The film of each arm that was filmed; absent where none was. */
  readonly films?: readonly PageFilm[] | undefined;
  /** The busiest core's share, of the median load; absent where none finished. */
  readonly coreBusyShare?: number | undefined;
}

/** What a load looked like; its pictures are those of the page. */
export interface PageFilm {
  readonly arm: string;
  readonly pltMs: number;
  readonly frames: readonly { readonly atMs: number; readonly picture: number }[];
}

/** The blocks that were judged, in order, packed column by column. */
export interface PackedBlocks {
  readonly launches: string;
  /** Which of the study's machines, from 1; 0 where the study's own machine ran it. Absent where no worker did. */
  readonly machines?: string | undefined;
  readonly serials: string;
  readonly beganMs: string;
  /** By arm; absent where the load failed, or where the block left the arm out. */
  readonly times: Readonly<Record<string, string>>;
  /** By arm: the places of the blocks that left it out. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** By arm: which of the page's lists of evidence. */
  readonly evidence: Readonly<Record<string, string>>;
}

/** One load's requests in the order in which they were wanted, packed column by column. */
export interface PackedWaterfall {
  readonly arm: string;
  /** The serial number of the load's block. */
  readonly serial: number;
  readonly block: number;
  /** What decides; absent where the load failed. */
  readonly timeMs?: number | undefined;
  readonly loadEventMs?: number | undefined;
  readonly count: number;
  readonly columns: Readonly<Record<RequestColumn, string>>;
  /** What a recorded page asked for otherwise than it was recorded. */
  readonly unrecorded?: readonly UnrecordedRequest[] | undefined;
}

/** A request that is the same as no recorded one, and what it was answered with. */
export interface UnrecordedRequest {
  readonly asked: string;
  readonly answer: ReplayNote['answer'];
  readonly recorded?: string | undefined;
}

/** Columns that say which of the page's names, whole numbers, and moments. */
export const NAME_COLUMNS = ['name', 'priority', 'type', 'error'] as const;
export const NUMBER_COLUMNS = ['status', 'bytes', 'connection'] as const;
export const TIME_COLUMNS = ['wantedMs', 'connectMs', 'connectedMs', 'sentMs', 'answeredMs', 'finishedMs'] as const;

export type RequestColumn = (typeof NAME_COLUMNS | typeof NUMBER_COLUMNS | typeof TIME_COLUMNS)[number];

/** One request of a waterfall; times in milliseconds since navigation began. */
export interface WaterfallRequest {
  readonly name: string;
  readonly priority: string;
  readonly type: string;
  /** Empty where there was none. */
  readonly error: string;
  /** 0 where there was no answer. */
  readonly status: number;
  /** Content, decoded. */
  readonly bytes: number;
  readonly connection: number;
  readonly wantedMs: number;
  /** From when to when its connection was set up; absent where it found one. */
  readonly connectMs?: number | undefined;
  readonly connectedMs?: number | undefined;
  readonly sentMs?: number | undefined;
  /** When the first of the answer came. */
  readonly answeredMs?: number | undefined;
  readonly finishedMs?: number | undefined;
}

/** How it was measured: what a reader needs to do it again, or to doubt it. */
export interface Method {
  /** The command that runs exactly this again, and what it needs besides, where it needs anything. */
  readonly command: string;
  readonly commandNeeds?: string | undefined;
  readonly facts: readonly Fact[];
  readonly calibrations: readonly PageCalibration[];
  /** What pages take over a link without limits; absent where that was not measured. */
  readonly references?: readonly PageReference[] | undefined;
  readonly sessions: readonly Session[];
  readonly losses: readonly LoadLoss[];
  /** How many of them there are in all, where not all are listed. */
  readonly lossCount: number;
  /** Texts as the lab had them: configuration, flags, kernels. */
  readonly texts: readonly { readonly title: string; readonly text: string }[];
}

/** The load time of a page by an arm over a link without limits, unwatched and watched. */
export interface PageReference {
  /** What people call the page. */
  readonly title: string;
  readonly arm: string;
  readonly bareMs?: number | undefined;
  readonly watchedMs?: number | undefined;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** A link against what was asked for, as a session found it. */
export interface PageCalibration {
  readonly link: string;
  readonly ok: boolean;
  readonly attempts: number;
  readonly checks: readonly LinkCheck[];
  /** What became of the packets of the loads over it, all together; absent where none was counted. */
  readonly carried?: Readonly<Record<DirectionName, CarriedPackets>> | undefined;
}

/** Frames that a host let go, and those of them that did not come to the other. */
export interface CarriedPackets {
  readonly sent: number;
  /** Absent where the link duplicates: what came twice hides what was lost. */
  readonly lost?: number | undefined;
}

/** A load that failed or was void. */
export interface LoadLoss {
  readonly condition: string;
  readonly arm: string;
  readonly block: number;
  readonly status: 'failed' | 'void';
  readonly reason: string;
  readonly says: string;
}

/** A judged block as its row is packed. */
export interface PageBlock {
  readonly launch: number;
  /** The machine that ran it, by its worker's name; absent where the study's own machine did. */
  readonly machine?: string | undefined;
  readonly serial: number;
  readonly beganMs: number;
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** By arm: which of the page's lists of evidence. */
  readonly evidence: Readonly<Record<string, number>>;
}

/** Packs the blocks of a condition; `machines` are the workers of its study. */
export function packBlocks(
  blocks: readonly PageBlock[],
  arms: readonly string[],
  machines: readonly string[] = [],
): PackedBlocks {
  const column = (of: (block: PageBlock) => number) => packNumbers(blocks.map(of));
  const byArm = (pack: (arm: string) => string) => Object.fromEntries(arms.map((arm) => [arm, pack(arm)]));
  return {
    launches: column(({ launch }) => launch),
    machines: machines.length > 0 ? column(({ machine }) => machines.indexOf(machine ?? '') + 1) : undefined,
    serials: column(({ serial }) => serial),
    beganMs: column(({ beganMs }) => Math.round(beganMs)),
    times: byArm((arm) => packTimes(blocks.map(({ outcomes }) => timeOf(outcomes[arm])))),
    leftOut: byArm((arm) => packNumbers(placesWithout(blocks, arm))),
    evidence: byArm((arm) => column(({ evidence }) => evidence[arm] ?? 0)),
  };
}

/** The places of the blocks that left an arm out. */
function placesWithout(blocks: readonly PageBlock[], arm: string): number[] {
  return [...blocks.keys()].filter((place) => blocks[place]!.outcomes[arm] === undefined);
}

function timeOf(outcome: Outcome | undefined): number | undefined {
  return outcome === 'failed' ? undefined : outcome;
}

/** Unpacks blocks into the form that judging needs. */
export function unpackBlocks(
  packed: PackedBlocks,
  machines: readonly string[] = [],
): readonly (PageBlock & BlockOutcomes)[] {
  const arms = Object.keys(packed.times);
  const times = arms.map((arm) => unpackTimes(packed.times[arm]!));
  const evidence = arms.map((arm) => unpackNumbers(packed.evidence[arm]!));
  const leftOut = arms.map((arm) => new Set(unpackNumbers(packed.leftOut[arm]!)));
  const [serials, beganMs] = [unpackNumbers(packed.serials), unpackNumbers(packed.beganMs)];
  const places = unpackNumbers(packed.machines ?? '');
  const machineOf = (index: number) => machines[(places[index] ?? 0) - 1];
  return unpackNumbers(packed.launches).map((launch, index) => ({
    index,
    launch,
    machine: machineOf(index),
    serial: serials[index]!,
    at: serials[index]!,
    beganMs: beganMs[index]!,
    outcomes: Object.fromEntries(
      arms.flatMap((arm, which) => (leftOut[which]!.has(index) ? [] : [[arm, times[which]![index] ?? 'failed']])),
    ),
    evidence: Object.fromEntries(arms.map((arm, which) => [arm, evidence[which]![index]!])),
  }));
}

/** Packs a load's requests; `numberOf` gives each name its number on the page. */
export function packRequests(
  requests: readonly WaterfallRequest[],
  numberOf: (name: string) => number,
): PackedWaterfall['columns'] {
  const columns = (names: readonly RequestColumn[], pack: (name: never) => string) =>
    names.map((name) => [name, pack(name as never)]);
  return Object.fromEntries([
    ...columns(NAME_COLUMNS, (name: (typeof NAME_COLUMNS)[number]) =>
      packNumbers(requests.map((request) => numberOf(request[name]))),
    ),
    ...columns(NUMBER_COLUMNS, (name: (typeof NUMBER_COLUMNS)[number]) =>
      packNumbers(requests.map((request) => request[name])),
    ),
    ...columns(TIME_COLUMNS, (name: (typeof TIME_COLUMNS)[number]) =>
      packTimes(requests.map((request) => request[name])),
    ),
  ]) as PackedWaterfall['columns'];
}

/** The requests that were packed. */
export function unpackRequests({ columns, count }: PackedWaterfall, names: readonly string[]): WaterfallRequest[] {
  const texts = NAME_COLUMNS.map((name) => unpackNumbers(columns[name]).map((number) => names[number]!));
  const numbers = NUMBER_COLUMNS.map((name) => unpackNumbers(columns[name]));
  const times = TIME_COLUMNS.map((name) => unpackTimes(columns[name]));
  return Array.from({ length: count }, (_, row) => {
    const cells = (keys: readonly string[], from: readonly (readonly unknown[])[]) =>
      keys.flatMap((key, column) => (from[column]![row] === undefined ? [] : [[key, from[column]![row]]]));
    return Object.fromEntries([
      ...cells(NAME_COLUMNS, texts),
      ...cells(NUMBER_COLUMNS, numbers),
      ...cells(TIME_COLUMNS, times),
    ]) as unknown as WaterfallRequest;
  });
}
