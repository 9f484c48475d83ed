import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import { EnvironmentError } from '../../../harness/model/errors.ts';
import type { Measurement } from '../../../harness/model/measurement.ts';
import type { RecordedSite } from '../../../harness/model/recording.ts';
import { kernelHasNetem } from '../../../harness/network/router.ts';
import { type Lab, type LabOptions, openLab } from '../../../harness/run/lab.ts';
import type { Load } from '../../../harness/run/load-request.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { writeRecording } from '../../../harness/site/record/store.ts';
import { isDiskError } from '../../../harness/system/disk-error.ts';
import { findProgram } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { linkOf } from '../../links.ts';
import { measuredAgain } from '../figures.ts';
import { findProcesses, findStrays } from '../processes.ts';
import { scriptedSite } from '../scripted-site.ts';
import { PAGES } from './page-scripts.ts';

/* What the faults have in common: one lab, so that its link is measured but once, and words for what must hold. */

/** What became of a fault, in words, and how many finished blocks it cost. */
export interface Outcome {
  readonly says: string;
  readonly lost: number;
  /** What it left behind that nothing of the lab's will end any more; absent where that is looked for afterwards. */
  readonly left?: readonly string[];
}

/** Injects something; throws where what comes of it is not what must come of it. */
export type Fault = () => Promise<Outcome>;

export const SITE = 'few-small';
export const RECORDED = 'recorded';
/** A load of the small site takes about a second over it. */
export const LINK = 'rate=1mbit,rtt=150ms';
export const TIMEOUT_S = 6;
/** When something happens, after a load has begun. */
export const INTO_LOAD_MS = 300;

export const scratch = mkdtempSync(join(tmpdir(), 'photofinish-faults-'));
/** What the lab keeps of each load; browsers write it down from their next launch on. */
const keeps = { pcap: false, netLog: false };
let lab: Lab | undefined;

/** The lab that all faults are done to; a fault that is done with it leaves it open. */
export async function sharedLab(wanted?: Pick<LabOptions, 'keeps'>): Promise<Lab> {
  Object.assign(keeps, wanted?.keeps ?? { pcap: false, netLog: false });
  lab ??= await openLab({
    sites: [findSite(SITE), recordedSite(), ...PAGES.map(([name, script]) => scriptedSite(scratch, name, script))],
    setups: [{ name: 'nginx' }, ...('missing' in readTools().servers.haproxy ? [] : [{ name: 'haproxy' as const }])],
    keeps,
  });
  return { ...lab, async [Symbol.asyncDispose]() {} };
}

/** What a lab has running, by their command lines. */
const PARTS = /chromium|nginx|haproxy|dnsmasq|hold-answers|linux\.uml|tcpdump|backend\.ts|serve\.ts/;

/** Chromium has parents of these end, so that nobody has started them; they end with it. */
const CRASH_REPORTERS = /chrome_crashpad_handler/;

/** A lab's processes that are there: all of them, or those that no open lab will end. */
export function processesLeft(which: 'all' | 'strays'): readonly string[] {
  const all = findProcesses(PARTS);
  const reporters = findProcesses(CRASH_REPORTERS);
  const strays = () => findStrays(all).filter((pid) => !reporters.includes(pid));
  return (which === 'all' ? all : strays()).map((pid) => `process ${pid}`);
}

/** Why a fault cannot be injected on this machine, where it cannot. */
export async function whyNotHere(name: string): Promise<string | undefined> {
  if (/HAProxy/.test(name) && 'missing' in readTools().servers.haproxy) return 'there is no HAProxy on this machine';
  if (/name server/.test(name) && findProgram('dnsmasq') === undefined) return 'there is no dnsmasq on this machine';
  if (/link's kernel/.test(name) && (await kernelHasNetem()))
    return 'this kernel has netem, so that no user-mode kernel stands in for it';
  return undefined;
}

export async function closeLab(): Promise<void> {
  const closed = lab;
  lab = undefined;
  await closed?.[Symbol.asyncDispose]();
}

/** A recording of a page with a style sheet, which takes about a second to come over the slow link. */
function recordedSite(): RecordedSite {
  const seen = (path: string, type: string, body: Buffer) => ({
    method: 'GET',
    url: `https://recorded.test${path}`,
    requestHeaders: [],
    status: 200,
    bodyIs: 'encoded' as const,
    headers: [['Content-Type', type] as const],
    body,
    kind: 'Other',
    wantedMs: 0,
  });
  const exchanges = [
    seen(
      '/',
      'text/html',
      Buffer.from('<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/s">'),
    ),
    seen('/s', 'text/css', Buffer.from(`/*${'x'.repeat(60_000)}*/`)),
  ];
  const page = {
    url: 'https://recorded.test/',
    atMs: 1,
    device: 'desktop' as const,
    by: 'a test',
    leftOut: [],
    notes: [],
  };
  const kept = keepPage({ ...page, exchanges }, { site: RECORDED, keepSecrets: false, seed: 1 });
  return writeRecording(kept, join(scratch, 'recorded'));
}

/** Loads a page in the shared lab, over a link that is not measured; again where the machine was held up. */
export async function loadOnce(wanted: Partial<Load>, link = LINK): Promise<Measurement> {
  const { load, setLink } = await sharedLab();
  await setLink(linkOf(link));
  const whole: Load = {
    site: SITE,
    protocol: 'h2',
    visit: 'cold',
    device: 'desktop',
    timeoutMs: 1000 * TIMEOUT_S,
    ...wanted,
  };
  const key = { condition: whole.site, block: 0, arm: whole.protocol };
  const [measured] = await measuredAgain(async () => [measurementOf(key, await load(whole))] as const);
  return measured;
}

/** A part of the lab is harmed during a load: that load is void, and the next one is as ever. */
export async function harmLoad(wanted: Partial<Load>, harm: () => void): Promise<Outcome> {
  await mustBeClean(wanted);
  const loading = loadOnce(wanted);
  const harmed = new Promise<void>((resolve, reject) =>
    setTimeout(() => {
      try {
        resolve(harm());
      } catch (error) {
        reject(error as Error);
      }
    }, INTO_LOAD_MS),
  );
  const [measured] = await Promise.all([loading, harmed]);
  must(measured.status === 'void', `it is not void: ${JSON.stringify(measured)}`);
  await mustBeClean(wanted);
  return { says: `the load is void (${says(measured)}); the next one is clean`, lost: 0 };
}

/** The next load must be clean: what a fault did to a browser or the link may not outlast its load. */
export async function mustBeClean(wanted: Partial<Load> = {}): Promise<void> {
  const next = await loadOnce(wanted);
  must(next.status === 'ok', `the next load: ${JSON.stringify(next)}`);
}

export function says(measured: Measurement): string {
  return measured.status === 'ok' ? `${Math.round(measured.pltMs)} ms` : `${measured.reason}: ${measured.says}`;
}

export function must(holds: boolean, says: string): asserts holds {
  if (!holds) throw new Error(says);
}

export function signalAll(pattern: RegExp, signal: NodeJS.Signals): void {
  const reached = findProcesses(pattern).filter((pid) => pid !== process.pid && isReached(pid, signal));
  must(reached.length > 0, `no process ${pattern}`);
}

/** A process may end between its being found and the signal, as a browser's children do once the browser is killed. */
function isReached(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** What something was refused with. */
export async function refusal(work: () => Promise<unknown>): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return firstOf(error as Error);
  }
  throw new Error('it went on as if nothing were');
}

function firstOf(error: Error): Error {
  return error instanceof SuppressedError ? firstOf(error.suppressed as Error) : error;
}

/** Whether `photofinish` says an error in a line and ends with 3. */
export function isOfMachine(error: Error): boolean {
  return error instanceof EnvironmentError || isDiskError(error);
}
