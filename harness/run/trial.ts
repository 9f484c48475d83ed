import type { LaunchedBrowser } from '../browser/launch.ts';
import { comesBack, EarlierVisitError, openVisitor, type Visitor, type VisitorOptions } from '../browser/visit.ts';
import type { WaitingRoom } from '../browser/waiting-room.ts';
import type { Origin, Visit } from '../model/arm.ts';
import type { BrowserCapture, Capture, HostLoad, ServerRecord, WireCapture } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { FRAME_BYTES, type Link, longestOutageMs, loses, meanRateKbps, rttMs } from '../model/link.ts';
import type { Manifest } from '../model/site.ts';
import type { Counters } from '../network/counters.ts';
import type { AccessLog } from '../server/access-log.ts';
import { readLog as readDevToolsLog } from '../verdict/devtools-log.ts';
import { awaitedUrls } from '../verdict/proofs.ts';

/** One page load as it is to be. */
export interface Trial {
  readonly origin: Origin;
  readonly visit: Visit;
  readonly device: Device;
  readonly manifest: Manifest;
  readonly timeoutMs: number;
  /** Whether pictures are taken meanwhile. */
  readonly filmed?: boolean;
}

/** What a trial needs besides the browser: who is asked about the load, and who makes it ready. */
export interface Witnesses {
  readonly client: Counters;
  readonly server: Counters;
  readonly log: AccessLog;
  readonly room: WaitingRoom;
  /** The link that is set: how long the wire may be silent with something on its way. */
  readonly link: Link;
  /** Takes the loss off the link, or puts it back. */
  readonly spareLoss: (spared: boolean) => Promise<void>;
  /** Ends every connection from the server's side, in order. */
  readonly endConnections: () => Promise<void>;
  /** What of the lab has died, if anything has. */
  readonly findDead: () => Capture['broken'];
}

/** What a trial brings back, but for what only its rig knows. */
export type TrialCapture = Omit<Capture, 'launch'>;

/** Loads a page once, as a visitor of its own, and asks everybody what they saw. */
export async function runTrial(launched: LaunchedBrowser, trial: Trial, witnesses: Witnesses): Promise<TrialCapture> {
  const beganMs = performance.now();
  const url = `${trial.origin.url}${trial.manifest.document}`;
  const seen = { url, visit: trial.visit, server: [], host: { cores: [] }, browser: { events: [], digests: {} } };
  const wallMs = () => performance.now() - beganMs;
  try {
    const { capture, host } = await loadAsVisitor(launched, { ...trial, url }, witnesses);
    if (!comesBack(trial.visit)) witnesses.room.prepare(launched, trial.device);
    const settled = await settle(witnesses);
    const [wire, server] = await Promise.all([readWire(witnesses), readLog(witnesses.log, capture)]);
    const broken = witnesses.findDead() ?? (capture.ending ? undefined : settled);
    return { ...seen, browser: capture, host, wire, server, ...(broken && { broken }), wallMs: wallMs() };
  } catch (error) {
    const broken = witnesses.findDead() ?? (launched.browser.connected ? undefined : browserDied(error as Error));
    if (broken) return { ...seen, broken, wallMs: wallMs() };
    if (!(error instanceof EarlierVisitError)) throw error;
    const wire = await readWire(witnesses);
    const ending = { by: error.by, says: error.message };
    return { ...seen, browser: { ...seen.browser, ending }, wire, wallMs: wallMs() };
  }
}

function browserDied({ message }: Error): Capture['broken'] {
  return { part: 'harness', says: `the browser ended outside a page load: ${message}` };
}

async function loadAsVisitor(
  launched: LaunchedBrowser,
  { url, origin, visit, device, manifest, timeoutMs, filmed }: Trial & { readonly url: string },
  witnesses: Witnesses,
): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }> {
  const death = new AbortController();
  const wanted = { url, timeoutMs, awaited: awaitedUrls(manifest, origin), signal: death.signal };
  const watch = setInterval(() => {
    if (witnesses.findDead()) death.abort();
  }, WATCH_MS);
  await using _watched = { [Symbol.asyncDispose]: async () => clearInterval(watch) };
  // A context that has not been anywhere sends nothing while it is opened.
  const opening = comesBack(visit)
    ? openVisitorAgain(launched, { ...wanted, device, visit }, witnesses)
    : witnesses.room.take(launched, device);
  const [visitor] = await Promise.all([opening, comesBack(visit) ? undefined : zero(witnesses)]);
  await using _leaves = visitor;
  return await visitor.load({ ...wanted, filmed });
}

/**
 * A visitor who was here before: a while ago, so that no connection is left. Over the same link, since browsers remember
 * how far a server is; but without loss, or the end of a connection might go unheard.
 */
async function openVisitorAgain(
  launched: LaunchedBrowser,
  before: Omit<VisitorOptions, 'leave'>,
  witnesses: Witnesses,
): Promise<Visitor> {
  await using undo = new AsyncDisposableStack();
  const leave = async () => {
    await witnesses.endConnections();
    await settle(witnesses);
  };
  await witnesses.spareLoss(true);
  try {
    const visitor = undo.use(await openVisitor(launched, { ...before, leave }));
    await witnesses.spareLoss(false);
    await zero(witnesses);
    undo.move();
    return visitor;
  } catch (error) {
    await witnesses.spareLoss(false);
    throw error;
  }
}

async function zero({ client, server, log }: Witnesses): Promise<void> {
  await Promise.all([client.zero(), server.zero()]);
  log.skip();
}

async function readWire({ client, server }: Witnesses): Promise<WireCapture> {
  const [clientCounts, serverCounts] = await Promise.all([client.read(), server.read()]);
  return { client: clientCounts, server: serverCounts };
}

/** How often the lab is looked after while a page loads. */
const WATCH_MS = 250;

/** Slack of this machine's own. */
const SETTLE_MS = 10;
const SETTLE_MAX_MS = 30_000;
const POLL_MS = 3;

/**
 * Waits until nothing has passed either end for as long as something may be on its way in between: what a load leaves
 * behind must not meet the next one. A connection that was closed unheard may still say something now and then.
 */
export async function settle({ client, server, link }: Witnesses): Promise<Capture['broken']> {
  const silenceMs = silenceOf(link);
  const untilMs = performance.now() + SETTLE_MAX_MS;
  let frames = client.frames() + server.frames();
  let sinceMs = performance.now();
  while (performance.now() - sinceMs < silenceMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = client.frames() + server.frames();
    if (now !== frames) sinceMs = performance.now();
    frames = now;
    if (performance.now() > untilMs)
      return { part: 'link', says: `not quiet ${SETTLE_MAX_MS / 1000} s after the load` };
  }
  return undefined;
}

/** The least time after which TCP sends again what was lost. */
const RETRANSMISSION_MS = 200;

/**
 * A round trip with all its jitter, and the time of two full packets or of the longest outage; where packets are lost also
 * that until one is sent again.
 */
function silenceOf(link: Link): number {
  const gapsMs = ([link.down, link.up] as const).map(({ rate }) => {
    if (rate.kind === 'trace') return longestOutageMs(rate);
    const kbps = meanRateKbps(rate);
    return kbps === undefined ? 0 : (2 * FRAME_BYTES * 8) / kbps;
  });
  const lostMs = loses(link) ? RETRANSMISSION_MS : 0;
  return SETTLE_MS + rttMs(link) + 4 * (link.down.jitterMs + link.up.jitterMs) + Math.max(...gapsMs) + lostMs;
}

const LOG_MAX_MS = 500;

/** The server writes its line when it is done with a request, which the browser may be a little earlier. */
async function readLog(log: AccessLog, { events }: BrowserCapture): Promise<readonly ServerRecord[]> {
  const answered = readDevToolsLog(events).requests.filter(
    ({ sentMs, status }) => sentMs !== undefined && status !== undefined,
  ).length;
  const records = [...log.take()];
  const untilMs = performance.now() + LOG_MAX_MS;
  while (records.length < answered && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    records.push(...log.take());
  }
  return records;
}
