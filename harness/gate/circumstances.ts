import { CONFIDENCE } from '../comparison/rules.ts';
import type { LinkFigures } from '../model/calibration.ts';
import type { BeforeAndNow } from '../model/gate.ts';
import type { Measurement } from '../model/measurement.ts';
import type { MeasuredLink, Session } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import { unpairedShift } from '../stats/unpaired-shift.ts';

/** What a study was measured of, with and over. */
export interface Circumstances {
  readonly plan: Plan;
  readonly sessions: readonly Session[];
  /** In the order of time. */
  readonly links: readonly MeasuredLink[];
  readonly measurements: readonly Measurement[];
}

/**
 * What differs between two studies besides what is compared, each in a sentence: a difference in their times may
 * come from there.
 */
export function differingCircumstances(both: BeforeAndNow<Circumstances>): readonly string[] {
  return [
    ...seeds(both),
    ...pages(both),
    ...timeouts(both),
    ...machines(both),
    ...calibrations(both),
    ...controlLoads(both),
  ];
}

function seeds({ before, now }: BeforeAndNow<Circumstances>): string[] {
  return before.plan.seed === now.plan.seed ? [] : [was('seed', before.plan.seed, now.plan.seed)];
}

function pages({ before, now }: BeforeAndNow<Circumstances>): string[] {
  return Object.entries(now.plan.sites).flatMap(([name, page]) => {
    const then = before.plan.sites[name];
    if (!then || then.digest === page.digest) return [];
    const told = ({ objects, bytes }: typeof page) => `${objects} objects and ${Math.round(bytes / 1000)} kB`;
    return [was(`the page ${name} has changed: it`, told(then), told(page))];
  });
}

/** How the timeouts differ: what takes longer counts as failed. */
function timeouts({ before, now }: BeforeAndNow<Circumstances>): string[] {
  return now.plan.conditions.flatMap(({ id, timeoutMs }) => {
    const then = before.plan.conditions.find((each) => each.id === id);
    const seconds = (ms: number) => `${ms / 1000} s`;
    if (!then || then.timeoutMs === timeoutMs) return [];
    return [was(`the longest that a load of ${id} may take`, seconds(then.timeoutMs), seconds(timeoutMs))];
  });
}

/** How the machines of both studies differ, each as its last session found it. */
function machines({ before, now }: BeforeAndNow<Circumstances>): string[] {
  const [then, today] = [before, now].map(({ sessions }) => sessions.at(-1)?.machine);
  if (!then || !today) return [];
  const servers = Object.keys(today.servers).map((name): [string, unknown, unknown] => [
    name,
    then.servers[name],
    today.servers[name],
  ]);
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ['Photofinish', then.photofinish, today.photofinish],
    ['Chromium', then.chromium, today.chromium],
    ...servers,
    ['the kernel', then.kernel, today.kernel],
    ['the processor', then.cpu, today.cpu],
    ['the number of cores', then.cores, today.cores],
    ['the link’s kernel', routerOf(before), routerOf(now)],
  ];
  return parts.filter(([, old, present]) => old !== present).map(([what, old, present]) => was(what, old, present));
}

function routerOf({ links }: Circumstances): string {
  const lab = links.at(-1)?.lab;
  if (!lab) return 'unknown';
  return lab.driver === 'uml' ? `a user-mode one (${lab.kernel})` : "the machine's own";
}

/** Two calibrations of one link come as close to each other as this. */
const CALIBRATION_TOLERANCE = 0.02;

function calibrations({ before, now }: BeforeAndNow<Circumstances>): string[] {
  const names = [...new Set(now.plan.conditions.map(({ link }) => link.name))];
  return names.flatMap((name) => {
    const [then, today] = [before, now].map(
      ({ links }) => links.findLast((each) => each.link === name)?.calibration.figures,
    );
    if (!then || !today) return [];
    return CALIBRATED.flatMap(([what, unit, of]) => {
      const [old, present] = [of(then), of(today)];
      if (old === undefined || present === undefined) return [];
      if (Math.abs(present - old) <= CALIBRATION_TOLERANCE * old) return [];
      return [was(`the calibration of ${name}: ${what}`, `${rounded(old)} ${unit}`, `${rounded(present)} ${unit}`)];
    });
  });
}

const CALIBRATED: readonly (readonly [string, string, (figures: LinkFigures) => number | undefined])[] = [
  ['the RTT', 'ms', ({ rttMs }) => rttMs],
  ['the rate to the visitor over UDP', 'kbit/s', ({ directions }) => directions.down.udpKbps],
  ['the rate to the visitor over TCP', 'kbit/s', ({ directions }) => directions.down.tcpKbps],
  ['the rate to the server over UDP', 'kbit/s', ({ directions }) => directions.up.udpKbps],
  ['the rate to the server over TCP', 'kbit/s', ({ directions }) => directions.up.tcpKbps],
];

/** The control's page is the same small one in every study: where its loads differ, so does the machine. */
function controlLoads({ before, now }: BeforeAndNow<Circumstances>): string[] {
  if (before.plan.control.id !== now.plan.control.id || before.plan.control.arm !== now.plan.control.arm) return [];
  const [others, values] = [before, now].map(logTimesOfControl) as [number[], number[]];
  const { estimate, low, high } = unpairedShift({ values, others }, (1 - CONFIDENCE) / 2, 'stopped');
  if (low <= 0 && high >= 0) return [];
  const [least, how] = estimate > 0 ? [low, 'longer'] : [high, 'less long'];
  const percent = (log: number) => `${rounded(100 * Math.abs(Math.expm1(log)))} %`;
  return [
    `the page of the self-test, which never changes, takes ${percent(estimate)} ${how} than in the earlier study (${percent(least)} at least): the machine may be the cause of other differences, too`,
  ];
}

function logTimesOfControl({ plan: { control }, measurements }: Circumstances): number[] {
  return measurements.flatMap((each) =>
    each.condition === control.id && each.arm === control.arm && each.status === 'ok' ? Math.log(each.pltMs) : [],
  );
}

function was(what: string, before: unknown, now: unknown): string {
  return `${what} was ${before ?? 'absent'}, is ${now ?? 'absent'}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
