import type { LaunchedBrowser } from '../browser/launch.ts';
import type { LoadOptions } from '../browser/load.ts';
import { openTabs } from '../browser/tabs.ts';
import { comesBack, EarlierVisitError, openVisitor, type Visitor } from '../browser/visit.ts';
import type { WaitingRoom } from '../browser/waiting-room.ts';
import { readLog as readDevToolsLog, type SeenRequest } from '../measurement/devtools-log.ts';
import { logOf } from '../measurement/timed-log.ts';
import { tells } from '../model/arm.ts';
import type { BrowserCapture, Capture, HostLoad, PartyCapture, ServerRecord, WireCapture } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { followsTrace } from '../model/link.ts';
import { awaitedUrls, originOf, type Page } from '../model/page.ts';
import type { ReplayNote } from '../model/recording.ts';
import { HELLO_PATH } from '../model/site.ts';
import type { Counters } from '../network/counters.ts';
import type { AccessLog } from '../server/access-log.ts';
import { sumOf } from '../stats/order.ts';
import { withShare } from '../system/give-way.ts';
import { settle, type Wire } from './settle.ts';

/** One page load as it is asked for. */
export interface Trial {
  readonly page: Page;
  readonly device: Device;
  readonly timeoutMs: number;
  /** Whether the browser logs each request, which the page pays for. */
  readonly watched?: boolean | undefined;
  /** Whether it keeps the cores busy, and so comes before all others that are timed. */
  readonly isQuick?: boolean | undefined;
  /** Whether pictures are taken meanwhile. */
  readonly filmed?: boolean | undefined;
  /** What the page's form sends once the page is there. */
  readonly upload?: LoadOptions['upload'] | undefined;
  /** The number of tabs that one visitor opens at once; absent: one, and what the browser does is written down. */
  readonly tabs?: number | undefined;
}

/** What makes a load: a browser on one host and a server on another, with the counters of both hosts. */
export interface Party {
  readonly launched: LaunchedBrowser;
  readonly trial: Trial;
  readonly client: Counters;
  readonly server: Counters;
  readonly log: AccessLog;
  /** Ends every connection from the server's side, in order. */
  readonly endConnections: () => Promise<void>;
  /** Tells the server that replays a recorded page that another load begins. */
  readonly beginLoad?: (() => void) | undefined;
  /** The page's requests since then that differ from what was recorded. */
  readonly takeNotes?: (() => readonly ReplayNote[]) | undefined;
  /** What its name server was asked for since this was last asked; absent where no names are looked up. */
  readonly takeQuestions?: (() => readonly string[]) | undefined;
}

/** What all parties of a trial have in common. */
export interface Surroundings extends Wire {
  readonly room: WaitingRoom;
  /** The programs that serve: they have the share of the cores that their visitors have. */
  readonly serverPids: () => readonly number[];
  /** Takes the loss off the link, or puts it back. */
  readonly spareLoss: (spared: boolean) => Promise<void>;
  /** What of the lab has died, if anything has. */
  readonly findDead: () => Capture['broken'];
  /** Asks the link whether it is what was set; where it is not, it has died from then on. */
  readonly askLink: () => Promise<unknown>;
  /** Resolves with what of the lab has died, after asking each part. */
  readonly ask: () => Promise<Capture['broken']>;
}

/** What a trial brings back, but for what only its lab knows. */
export type TrialCapture = Omit<Capture, 'launch'>;

type Parties = readonly [Party, ...Party[]];

/** Loads a page once, as a visitor of its own, and asks all witnesses what they saw; several parties begin together. */
export async function runTrial(
  parties: Parties,
  around: Surroundings,
  onCoresFree?: () => void,
): Promise<TrialCapture> {
  const beganMs = performance.now();
  const clock = watchClock();
  const [{ trial, launched }, ...others] = parties;
  const unseen = { server: [], host: { cores: [] }, browser: { events: [], digests: {} } };
  const seen = { page: trial.page, ...unseen };
  const wallMs = () => performance.now() - beganMs;
  try {
    const loads = await loadTogether(parties, around, clock.tick);
    if (!comesBack(trial.page.visit) && trial.tabs === undefined) around.room.prepare(launched, trial.device);
    void around.room.ready().then(onCoresFree); // What follows mostly waits.
    const settled = await settle(around);
    if (followsTrace(around.link)) await around.askLink(); // Nothing else tells that a trace is played no more.
    const [own, ...beside] = await witnessAll(
      parties,
      loads.map(({ capture }) => capture),
    );
    const { ending } = [own, ...beside].find(({ browser }) => browser.ending)?.browser ?? {};
    const broken = clock.fault() ?? around.findDead() ?? (ending ? await askWhy(ending, parties, around) : settled);
    return {
      ...own,
      host: loads[0]!.host,
      beside: others.length > 0 ? beside : undefined,
      broken,
      wallMs: wallMs(),
    };
  } catch (error) {
    const died = parties.some((party) => !party.launched.browser.connected);
    const broken = around.findDead() ?? (died ? browserDied(error as Error) : undefined);
    if (broken) return { ...seen, broken, wallMs: wallMs() };
    if (!(error instanceof EarlierVisitError)) throw error;
    const wire = await readWire(parties[0]);
    const ending = { by: error.by, says: error.message };
    const silent = await askWhy(ending, parties, around);
    if (silent) return { ...seen, broken: silent, wallMs: wallMs() };
    return { ...seen, browser: { ...seen.browser, ending }, ...saidBy(parties[0].log), wire, wallMs: wallMs() };
  }
}

/**
 * What may be at fault where a load had no answer in time: a part of the lab that has fallen silent, or the browser.
 * Nothing that a page can do keeps these from answering.
 */
async function askWhy(
  { by }: NonNullable<BrowserCapture['ending']>,
  parties: Parties,
  around: Pick<Surroundings, 'ask'>,
): Promise<Capture['broken']> {
  if (by !== 'timeout' && by !== 'network') return undefined;
  const broken = await around.ask();
  if (broken) return broken;
  const answers = await Promise.all(parties.map(({ launched }) => launched.answers()));
  return answers.every(Boolean) ? undefined : { part: 'harness', says: 'the browser did not answer and was killed' };
}

/** No clock is slewed by more than this within a load. */
const CLOCK_MS = 500;
/** No timer of this process is this late while the process runs. */
const STOOD_STILL_MS = 2_000;

/** Watches during a load whether this machine and its clocks run as usual. */
export interface ClockWatch {
  /** To be called every `WATCH_MS`. */
  tick(): void;
  /** Why the load tells nothing, if so. */
  fault(): Capture['broken'];
}

/**
 * Where the machine's two clocks disagree, one was set, or the machine slept, and the load with it. Where they agree
 * and this process's timers come late, it was stopped, most likely with all that it measures.
 */
export function watchClock(wallMs = () => Date.now(), steadyMs = () => performance.now()): ClockWatch {
  const before = wallMs() - steadyMs();
  let tickedMs: number | undefined;
  let lateMs = 0;
  return {
    tick() {
      const nowMs = steadyMs();
      if (tickedMs !== undefined) lateMs = Math.max(lateMs, nowMs - tickedMs - WATCH_MS);
      tickedMs = nowMs;
    },
    fault() {
      const apartMs = wallMs() - steadyMs() - before;
      const broken = (says: string) => ({ part: 'harness', says }) as const;
      if (Math.abs(apartMs) >= CLOCK_MS)
        return broken(`the machine's clock was set, or it slept: ${Math.round(apartMs)} ms more passed than did`);
      return lateMs < STOOD_STILL_MS ? undefined : broken(`photofinish stood still for ${Math.round(lateMs)} ms`);
    },
  };
}

function browserDied({ message }: Error): Capture['broken'] {
  return { part: 'harness', says: `the browser ended outside a page load: ${message}` };
}

interface Loaded {
  readonly capture: BrowserCapture;
  readonly host: HostLoad;
}

/** Has all visitors ready, and then has them begin at once. */
async function loadTogether(parties: Parties, around: Surroundings, tick: () => void): Promise<readonly Loaded[]> {
  const death = new AbortController();
  tick();
  const watch = setInterval(() => {
    tick();
    if (around.findDead()) death.abort();
  }, WATCH_MS);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => clearInterval(watch));
  const orders = parties.map(({ trial }) => orderFor(trial, death.signal, around));
  // A context that has not been anywhere sends nothing while it is opened.
  const areNew = parties.every(({ trial }) => !comesBack(trial.page.visit));
  const [visitors] = await Promise.all([
    Promise.all(parties.map(async (party, index) => undo.use(await openPartyVisitor(party, orders[index]!, around)))),
    areNew ? zero(parties, around) : undefined,
  ]);
  const share = parties[0].trial.isQuick ? 'first' : 'timed';
  const loaded = await withShare(around.serverPids(), share, () =>
    Promise.all(
      visitors.map((visitor, index) => parties[index]!.launched.inFront(() => visitor.load(orders[index]!), share)),
    ),
  );
  // A handshake that began with the last requests may come to its end: a context that closes breaks it off.
  if (parties.some(({ trial }) => trial.page.origins.some(tells))) await settle(around, LINGER_MAX_MS);
  return loaded;
}

/** A page that goes on asking, as some recorded ones do, is not waited for. */
const LINGER_MAX_MS = 2_000;

function orderFor(trial: Trial, signal: AbortSignal, { counters }: Surroundings): LoadOptions {
  const { page, timeoutMs, watched, filmed, upload } = trial;
  const framesPassed = () => sumOf(counters.map((each) => each.frames()));
  return { url: page.url, timeoutMs, awaited: awaitedUrls(page), watched, framesPassed, signal, filmed, upload };
}

async function openPartyVisitor(party: Party, order: LoadOptions, around: Surroundings): Promise<Visitor> {
  const { launched, trial } = party;
  if (trial.tabs !== undefined) return openTabs(launched, trial.device, trial.tabs);
  return comesBack(trial.page.visit)
    ? openVisitorAgain(party, order, around)
    : around.room.take(launched, trial.device);
}

/**
 * Opens a visitor that was here before, a while ago, so that no connection is left. It came over the same link, since
 * browsers remember how far a server is; but without loss, or the end of a connection might go unheard.
 */
async function openVisitorAgain(party: Party, order: LoadOptions, around: Surroundings): Promise<Visitor> {
  const { launched, trial, endConnections, log } = party;
  const { device, page } = trial;
  log.skip(); // If the earlier visit fails, only what the server says of it is kept.
  await using undo = new AsyncDisposableStack();
  const leave = async () => {
    // A handshake that lost the race may still bring a ticket.
    if (page.offer !== undefined) await settle(around, LINGER_MAX_MS);
    await endConnections();
    await settle(around);
  };
  await around.spareLoss(true);
  try {
    const visitor = undo.use(
      await openVisitor(launched, {
        ...order,
        upload: undefined,
        device,
        visit: page.visit,
        hello: helloOf(page),
        isTold: page.offer !== undefined && page.origins.some((origin) => tells(origin) && !origin.published),
        origins: page.origins.map((origin) => origin.url),
        leave,
      }),
    );
    await around.spareLoss(false);
    await zero([party], around);
    undo.move();
    return visitor;
  } catch (error) {
    await around.spareLoss(false);
    throw error;
  }
}

/**
 * The address of an earlier visit that leaves no cache: an empty page that the lab's servers have. For recorded pages
 * it is used only where offers are made, since all other visitors find everything as it was recorded. A server that
 * exists already has no such page: there it is the page's smallest own object, under an address that the page lacks.
 */
function helloOf({
  url,
  objects,
  origins: [own],
  recorded,
  unlogged,
  offer,
}: Page): ((visit: number) => string) | undefined {
  if (recorded && offer === undefined) return undefined;
  if (!unlogged) return () => new URL(HELLO_PATH, url).href;
  const [smallest] = objects
    .filter((each) => each.url !== url && each.url.startsWith(`${own.url}/`))
    .toSorted((a, b) => (a.bytes ?? Number.POSITIVE_INFINITY) - (b.bytes ?? Number.POSITIVE_INFINITY));
  const address = smallest?.url ?? new URL('/robots.txt', url).href;
  return (visit) => `${address}${address.includes('?') ? '&' : '?'}visit=${visit + 1}`;
}

async function zero(parties: readonly Party[], { counters }: Surroundings): Promise<void> {
  await Promise.all(counters.map((each) => each.zero()));
  for (const { log, beginLoad, takeQuestions } of parties) {
    log.skip();
    beginLoad?.();
    takeQuestions?.();
  }
}

/**
 * What was seen of all parties, from within and from outside. A server that several parties share is asked once, and
 * its log goes to the first of them.
 */
async function witnessAll(
  parties: Parties,
  captures: readonly BrowserCapture[],
): Promise<readonly [PartyCapture, ...PartyCapture[]]> {
  const counters = [...new Set(parties.flatMap(({ client, server }) => [client, server]))];
  const logs = [...new Set(parties.map(({ log }) => log))];
  const [counts, records] = await Promise.all([
    Promise.all(counters.map((each) => each.read())),
    Promise.all(
      logs.map((log) => {
        const own = captures.flatMap((browser, index) => {
          const { log: its, trial } = parties[index]!;
          return its === log && !trial.page.unlogged ? countAnswered(trial.page, browser) : [];
        });
        return readLog(log, sumOf(own));
      }),
    ),
  ]);
  const said = logs.map(saidBy);
  const countsOf = (each: Counters) => counts[counters.indexOf(each)]!;
  const seen = parties.map(({ trial, client, server, log, takeNotes, takeQuestions }, index): PartyCapture => {
    const isFirst = parties.findIndex((party) => party.log === log) === index;
    return {
      page: trial.page,
      browser: captures[index]!,
      wire: { client: countsOf(client), server: countsOf(server) },
      server: isFirst ? records[logs.indexOf(log)]! : [],
      ...said[logs.indexOf(log)],
      lookedUp: takeQuestions?.(),
      unrecorded: takeNotes && [...takeNotes(), ...elsewhere(trial.page, captures[index]!)],
    };
  });
  return seen as [PartyCapture, ...PartyCapture[]];
}

function saidBy(log: AccessLog): Pick<PartyCapture, 'serverSaid'> {
  const serverSaid = log.takeWords();
  return serverSaid.length > 0 ? { serverSaid } : {};
}

/** What a recorded page asked of origins that it did not know when it was recorded: names that lead nowhere. */
function elsewhere(page: Page, browser: BrowserCapture): readonly ReplayNote[] {
  return requestsOf(page, browser)
    .filter(({ url }) => originOf(page, url) === undefined)
    .map(({ method, url }) => ({ method, url, answer: 'none' }));
}

async function readWire({ client, server }: Party): Promise<WireCapture> {
  const [clientCounts, serverCounts] = await Promise.all([client.read(), server.read()]);
  return { client: clientCounts, server: serverCounts };
}

/** How often the lab is looked after while a page loads. */
const WATCH_MS = 250;

/** How often it is looked whether the server has written its lines. */
const POLL_MS = 3;
const LOG_MAX_MS = 2_500;

/** A server writes its line when it is done with a request, perhaps after the browser; one waits a second with it. */
async function readLog(log: AccessLog, answered: number): Promise<readonly ServerRecord[]> {
  const records = [...log.take()];
  const untilMs = performance.now() + LOG_MAX_MS;
  while (records.length < answered && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    records.push(...log.take());
  }
  return records;
}

/** Requests that the server must have a line of. */
function countAnswered(page: Page, browser: BrowserCapture): number {
  const { tabs } = browser;
  if (tabs) return sumOf(tabs.map(({ objects }) => objects.filter(([, , transferred]) => transferred > 0).length));
  return requestsOf(page, browser).filter(({ sentMs, status }) => sentMs !== undefined && status !== undefined).length;
}

/** The requests of a load as the browser saw them, before the server is asked. */
function requestsOf(page: Page, browser: BrowserCapture): readonly SeenRequest[] {
  return readDevToolsLog(logOf({ page, browser, server: [] })).requests;
}
