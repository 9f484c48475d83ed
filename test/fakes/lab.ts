import { originFor } from '../../harness/model/arm.ts';
import type { Calibration } from '../../harness/model/calibration.ts';
import type { Capture, LighthouseCapture } from '../../harness/model/capture.ts';
import type { LabState } from '../../harness/model/lab.ts';
import type { Link } from '../../harness/model/link.ts';
import type { Lab } from '../../harness/run/lab.ts';
import type { Labs } from '../../harness/run/labs.ts';
import type { Load } from '../../harness/run/load-request.ts';
import { type RecordedName, readCapture } from '../fixtures/captures.ts';

export interface FakeLabOptions {
  /** How long a load takes, in milliseconds of its own clock; a load that throws breaks the harness. */
  readonly timeOf: (load: Load, link: Link) => number;
  /** What becomes of a load instead, where something does. */
  readonly spoil?: (capture: Capture, load: Load) => Capture;
  /** What each load waits for before it begins. */
  readonly pace?: () => Promise<void>;
  /** How often browsers were launched before. */
  readonly launches?: number;
  readonly nextLaunch?: (() => number) | undefined;
  /** What the calibration finds of a link, in the lab of that number, from 0. */
  readonly calibration?: (link: Link, lab: number) => Partial<Calibration>;
}

/** A lab without anything behind it: each load is a real one that was recorded, in a time that the test says. */
export function openFakeLab({ timeOf, spoil, pace, launches = 0, nextLaunch, calibration }: FakeLabOptions) {
  const loads: Load[] = [];
  let calibrated = new Set<string>();
  let renewals = 0;
  let link: Link | undefined;
  let launch = launches;
  let warmUps: Capture[] = [];
  let gone = false;
  const lab: Lab = {
    async open() {},
    async openLink(wanted, _, inTurn = (work) => work()) {
      link = wanted;
      const fresh = !calibrated.has(wanted.name);
      if (fresh) await inTurn(async () => {});
      calibrated.add(wanted.name);
      return { calibration: { ...CALIBRATION, ...calibration?.(wanted, renewals) }, fresh };
    },
    async setLink(wanted) {
      link = wanted;
    },
    async renewLab() {
      renewals += 1;
      calibrated = new Set();
    },
    describe: async () => LAB,
    async load(load) {
      await pace?.();
      loads.push(load);
      const capture = stretch(recordedFor(load), timeOf(load, link!), launch);
      return spoil?.(capture, load) ?? capture;
    },
    async loadReference(load, unwatched) {
      const one = () => stretch(recordedFor(load), 50, launch);
      return [one(), ...Array.from({ length: unwatched }, one)];
    },
    film: async () => ({ pltMs: 100, frames: [{ atMs: 0, jpeg: '' }] }),
    recordAgain: () => Promise.reject(new Error('nothing was recorded')),
    prepare: () => Promise.reject(new Error('nobody is there to load')),
    async judge({ protocol }) {
      await new Promise((resolve) => setTimeout(resolve, 1)); // It takes its time, in which the lab must not go.
      if (gone) throw new Error('the lab is gone');
      return { ...JUDGED, requests: [{ url: `${protocol}`, protocol }] };
    },
    async relaunch() {
      launch = nextLaunch?.() ?? launch + 1;
      warmUps.push(stretch(recordedFor({ protocol: 'h1' }), 50, launch));
    },
    takeWarmUps() {
      const taken = warmUps;
      warmUps = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      gone = true;
    },
  };
  return { lab, loads };
}

/** One fake lab for all links: one lab, so that blocks come one after the other. */
export function oneFakeLab(lab: Lab): Labs {
  return { most: 1, find: async () => lab, async [Symbol.asyncDispose]() {} };
}

function recordedFor({ protocol }: Pick<Load, 'protocol'>): Capture {
  return readCapture(`${protocol}-cold` as RecordedName);
}

/** A copy of the load that takes another time: all clocks run slower or faster. */
function stretch(capture: Capture, pltMs: number, launch: number): Capture {
  const timings = capture.browser.timings!;
  const factor = pltMs / timings.loadEventEndMs;
  const originS = firstTimestamp(capture);
  const later = (seconds: number) => originS + (seconds - originS) * factor;
  const events = JSON.parse(
    JSON.stringify(capture.browser.events, (key, value) =>
      (key === 'timestamp' || key === 'requestTime') && typeof value === 'number' ? later(value) : value,
    ),
  );
  const scaled = Object.fromEntries(
    Object.entries(timings).map(([name, value]) => [name, name.endsWith('Ms') ? value * factor : value]),
  );
  return {
    ...capture,
    browser: { ...capture.browser, events, timings: scaled as unknown as typeof timings },
    launch,
    wallMs: pltMs + 150,
  };
}

function firstTimestamp({ browser }: Capture): number {
  const request = browser.events.find(({ method }) => method === 'Network.requestWillBeSent')!;
  return (request.params as { timestamp: number }).timestamp;
}

const DIRECTION = { lossPercent: 0, lossProbes: 100, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 };
const CALIBRATION: Calibration = {
  figures: {
    rttMs: 40,
    rttMeanMs: 40,
    rttP99Ms: 41,
    rttProbes: 60,
    longestFrameBytes: 1514,
    directions: { down: DIRECTION, up: DIRECTION },
  },
  checks: [],
  ok: true,
  attempts: 1,
};
const LAB: LabState = {
  driver: 'fake',
  kernel: 'none',
  realtime: false,
  hosts: [],
  link: { down: '', up: '' },
  serverConfigurations: {},
  topology: 'direct',
  browsers: {},
  flags: {},
};
const OWN = originFor('h1', 'cold');
const JUDGED: LighthouseCapture = {
  page: { url: `${OWN.url}/`, visit: 'cold', origins: [OWN], objects: [] },
  version: '13',
  score: 0.9,
  metrics: {},
  requests: [],
  report: '{}',
};
