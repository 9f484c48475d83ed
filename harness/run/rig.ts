import { developFilm } from '../browser/film.ts';
import { runLighthouse } from '../browser/lighthouse.ts';
import { comesBack } from '../browser/visit.ts';
import { openWaitingRoom } from '../browser/waiting-room.ts';
import { readLog } from '../measurement/devtools-log.ts';
import type { Protocol } from '../model/arm.ts';
import type { Calibration } from '../model/calibration.ts';
import type { Capture, LighthouseCapture } from '../model/capture.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { Film } from '../model/film.ts';
import type { LabState, TopologyName } from '../model/lab.ts';
import { type Link, UNLIMITED } from '../model/link.ts';
import { CALIBRATION_HOLDS_MS } from '../model/pace.ts';
import type { RecordedSite } from '../model/recording.ts';
import { SMALL_SITE } from '../model/site.ts';
import { findAdapter } from '../server/adapters.ts';
import type { Rehearsed } from '../site/replay/scene.ts';
import type { BrowserWish } from './browsers.ts';
import { type EvidenceFiles, type KeptEvidence, keepEvidence } from './evidence.ts';
import { type RecordedAgain, recordAgain } from './record-again.ts';
import type { ReplayWish } from './scenes.ts';
import {
  browserFor,
  type Cast,
  type Load,
  missingBrowsers,
  type Rehearsals,
  rehearsalOf,
  reviveServers,
  seatParties,
  seatParty,
  type Wanted,
} from './seats.ts';
import { findSite, isGenerated, isRecorded, isRemote, type Site } from './sites.ts';
import { openStages, type Stage } from './stage.ts';
import { runTrial, type Surroundings, settle } from './trial.ts';
import { warmUp } from './warm-up.ts';

/** All that a trial needs of the world. The real one is below; tests pass a false one. */
export interface Rig extends AsyncDisposable {
  /** Makes the link of a lab what is asked, and measures it where that has not been done yet, or is long ago. */
  openLink(link: Link, topology?: TopologyName): Promise<OpenedLink>;
  /** Makes the link of a lab what is asked, and believes it: for what is not about the link's figures. */
  setLink(link: Link, topology?: TopologyName): Promise<void>;
  /** Puts a new lab of a topology in place of the one there is, with servers and browsers anew. */
  renewLab(topology?: TopologyName): Promise<void>;
  /** The lab as its kernels say it is, and the link as it is set now; with how the pages of some loads are served. */
  describe(loads?: readonly Load[]): Promise<LabState>;
  /**
   * Loads a page over the link that is open; what the rig keeps as evidence goes to those files. Says when it needs the
   * machine's cores no more, which is before it is done.
   */
  load(load: Load, files?: EvidenceFiles, onCoresFree?: () => void): Promise<Capture>;
  /** Loads a page over a link without limits: once watched, and so many times unwatched; none of them counts. */
  loadReference(load: Load, unwatched: number): Promise<readonly [watched: Capture, ...unwatched: Capture[]]>;
  /** Takes pictures of a page while it is loaded, which counts for nothing; undefined where it does not come to its end. */
  film(load: Load): Promise<Film | undefined>;
  /** Records a recorded page anew from its replay, so that the two can be compared; the link has no limits then. */
  recordAgain(site: string, how: Parameters<typeof recordAgain>[2]): Promise<RecordedAgain>;
  /** Has Lighthouse judge a page over the link that is open. */
  judge(load: Load): Promise<LighthouseCapture>;
  /** Puts new browsers in place of those there are, and has them load what warms them up; a first load does so itself. */
  relaunch(): Promise<void>;
  /** The loads that warmed browsers up since this was last asked: they count for nothing. */
  takeWarmUps(): readonly Capture[];
}

/** A link that is set, as it was last measured. */
export interface OpenedLink {
  readonly calibration: Calibration;
  /** Whether it was measured just now. */
  readonly fresh: boolean;
}

export interface RigOptions {
  /** All that will be loaded. */
  readonly sites: readonly Site[];
  readonly replay?: ReplayWish;
  /** All that will serve it, the default first. */
  readonly setups?: Cast['setups'];
  readonly keeps?: KeptEvidence;
  /** Only the test of why it must be there takes it away. */
  readonly altSvc?: boolean;
  /** Numbers the launches of browsers, of all labs together. */
  readonly nextLaunch?: () => number;
}

/** What every browser loads first, over a link without limits, so that its processes are warm. */
const WARM_UP = { site: SMALL_SITE, device: 'desktop', timeoutMs: 20_000 } as const;

/** Labs with servers and browsers in them, one of each topology that is asked for; the first is a direct one. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { setups = [{ name: 'nginx' }], keeps = { pcap: false, netLog: false }, altSvc = true } = options;
  const { nextLaunch = countLaunches() } = options;
  const { replay = { allOrigins: false, thinks: true } } = options;
  const sites = new Map<string, Site>(
    [findSite(SMALL_SITE), ...options.sites].map((each) => [each.manifest.site, each]),
  );
  const generated = [...sites.values()].filter(isGenerated);
  const remotes = [...sites.values()].filter(isRemote).map(({ manifest }) => manifest);
  const stages = openStages({ sites: generated, setups, keeps, altSvc, replay, remotes, nextLaunch });
  const rehearsals: Rehearsals = new Map();
  await using undo = new AsyncDisposableStack();
  undo.use(stages);
  let opened: Stage | undefined;
  const findStage = async (topology: TopologyName = 'direct') => {
    opened = await stages.find(topology);
    return opened;
  };
  const castNow = async (): Promise<Cast> => ({
    stage: opened ?? (await findStage()),
    ...{ sites, setups, rehearsals },
  });
  const room = openWaitingRoom();
  const around = (stage: Stage): Surroundings => ({
    ...{ room, link: stage.link(), spareLoss: stage.spareLoss, findDead: stage.findDead },
    beyondMs: Math.max(0, ...remotes.flatMap(({ origins }) => origins.map(({ rttMs = 0 }) => rttMs))),
    counters: [...stage.clients, ...stage.servers].map(({ counters }) => counters),
  });
  const calibrations = openCalibrations();
  let warmUps: Capture[] = [];

  const load = async (
    cast: Cast,
    wanted: Wanted,
    {
      files,
      onCoresFree,
    }: { readonly files?: EvidenceFiles | undefined; readonly onCoresFree?: (() => void) | undefined } = {},
  ): Promise<Capture> => {
    const { stage } = cast;
    const parties = await seatParties(cast, wanted);
    const run = () => runTrial(parties, around(stage), onCoresFree);
    const { launched } = parties[0];
    const client = stage.clients[0]!.host;
    const capture = await (files ? keepEvidence(keeps, files, { client, launched }, run) : run());
    return { ...capture, launch: stage.browsers.count() };
  };
  /** Over a link without limits; browsers all at once, each its loads one after the other. */
  const warm = async (cast: Cast, wishes: readonly (readonly WarmUpLoad[])[]) => {
    const { stage } = cast;
    const wanted = stage.link();
    await stage.setLink(UNLIMITED);
    await reviveServers(stage);
    const captures = await Promise.all(
      wishes.map(async ([first, ...more]) => {
        const seatFor = ({ client, ...each }: WarmUpLoad) => {
          // Who is led to a site with servers of its own knows no other.
          const page = isGenerated(sites.get(each.site)!) ? WARM_UP : {};
          return seatParty(cast, { ...each, ...page, tabs: undefined }, client);
        };
        const party = await seatFor(first!);
        const others = await Promise.all(more.map(seatFor));
        return warmUp(
          party.launched,
          [party, ...others].map(({ trial }) => trial),
        );
      }),
    );
    const counted = captures.flat().map((capture) => ({ ...capture, launch: stage.browsers.count() }));
    warmUps.push(...counted);
    await settle(around(stage));
    await stage.setLink(wanted);
    return counted;
  };
  /** Loads one after the other over a link without limits. */
  const loadUnlimited = async (cast: Cast, wishes: readonly Wanted[]) => {
    const { stage } = cast;
    const wanted = stage.link();
    await stage.setLink(UNLIMITED);
    const captures: Capture[] = [];
    for (const wish of wishes) captures.push(await load(cast, wish));
    await stage.setLink(wanted);
    return captures;
  };
  /** Loads by visitors who were there before. */
  const comeBack = async (cast: Cast, wishes: readonly Wanted[]) => {
    const captures = await loadUnlimited(cast, wishes);
    warmUps.push(...captures);
    return captures;
  };
  /** Finds out what a recorded page loads each time, before it is measured: what its scripts ask for may differ. */
  const rehearse = async (cast: Cast, wanted: Load) => {
    const name = rehearsalOf(wanted);
    if (rehearsals.has(name) || !isRecorded(sites.get(wanted.site)!)) return;
    // As most sites are served; in a browser that is no arm's, so that none is warmer than the others.
    const protocol = wanted.protocol === 'h1c' ? 'h1c' : 'h2';
    const { site, device, timeoutMs } = wanted;
    const browser = { name: 'rehearsal', flags: [] };
    const visit = comesBack(wanted.visit) ? wanted.visit : 'cold';
    const one: WarmUpLoad = { site, device, timeoutMs, protocol, browser, visit, client: 0, watched: true };
    const all = Array<WarmUpLoad>(REHEARSALS).fill(one);
    for (let attempt = 1; ; attempt += 1) {
      const captures = await (comesBack(visit) ? comeBack(cast, all) : warm(cast, [all]));
      await cast.stage.browsers.closeOwn(browser.name);
      const died = captures.length < REHEARSALS || captures.some((each) => each.browser.ending?.by === 'browser-crash');
      if (died && attempt < REHEARSALS) continue;
      rehearsals.set(name, broughtByAll(captures));
      return;
    }
  };
  const relaunch = async (cast: Cast) => {
    await cast.stage.browsers.renew();
    const { protocols } = findAdapter(setups[0].name);
    const loads = (wanted: readonly Protocol[]): WarmUpLoad[] =>
      wanted
        .filter((protocol) => protocols.includes(protocol))
        .map((protocol) => ({ ...WARM_UP, protocol, visit: 'cold', client: 0 }));
    await warm(
      cast,
      [loads(['h1', 'h2']), loads(['h3'])].filter((each) => each.length > 0),
    );
  };
  /** What must be there before a load: browsers, and those that only some loads need, warm. */
  const makeReady = async (wanted: Load): Promise<Cast> => {
    const cast = await castNow();
    if (!cast.stage.browsers.alive()) await relaunch(cast);
    await rehearse(cast, wanted);
    const missing = await missingBrowsers(cast, wanted);
    if (missing.length > 0)
      await warm(
        cast,
        missing.map((each) => [each, each]),
      );
    return cast;
  };
  const kept = undo.move();
  return {
    async openLink(wanted, topology) {
      const stage = await findStage(topology);
      return calibrations.open(stage, wanted);
    },
    setLink: async (wanted, topology) => (await findStage(topology)).setLink(wanted),
    async renewLab(topology = 'direct') {
      opened = await stages.renew(topology);
    },
    async describe(loads = []) {
      const cast = await castNow();
      const led: BrowserWish[] = [];
      for (const wanted of loads) led.push(await browserFor(cast, wanted, 0));
      return cast.stage.describe(led.filter(({ scene }) => scene !== undefined));
    },
    relaunch: async () => relaunch(await castNow()),
    takeWarmUps() {
      const taken = warmUps;
      warmUps = [];
      return taken;
    },
    load: async (wanted, files, onCoresFree) => load(await makeReady(wanted), wanted, { files, onCoresFree }),
    async loadReference(wanted, unwatched) {
      const cast = await makeReady(wanted);
      const wishes = [{ ...wanted, watched: true }, ...Array<Wanted>(unwatched).fill(wanted)];
      return (await loadUnlimited(cast, wishes)) as [Capture, ...Capture[]];
    },
    async film(wanted) {
      const cast = await makeReady(wanted);
      const { browser } = await load(cast, { ...wanted, filmed: true });
      return developFilm(browser);
    },
    recordAgain: async (name, how) => recordAgain((await castNow()).stage, sites.get(name) as RecordedSite, how),
    async judge(wanted) {
      const cast = await makeReady(wanted);
      const [{ launched, trial }] = await seatParties(cast, wanted);
      return runLighthouse(launched.browser, trial);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Numbers launches from one on, or after those that there were. */
export function countLaunches(before = 0): () => number {
  let launches = before;
  return () => {
    launches += 1;
    return launches;
  };
}

const REHEARSALS = 3;

/** What came whole before the load event each time; throws where the page does not come to its end. */
function broughtByAll(captures: readonly Capture[]): Rehearsed {
  const [first, ...others] = captures.map(({ page, browser }) => {
    const { requests, loadEventMs } = readLog(browser.events);
    if (browser.ending || loadEventMs === undefined)
      throw new EnvironmentError(
        `${page.url} does not come to its end as it was recorded: ${browser.ending?.says ?? 'no load event'}`,
      );
    const whole = requests.filter(
      ({ finishedMs, status, error }) => finishedMs! <= loadEventMs && status === 200 && error === undefined,
    );
    // A counted load has nothing but the page's own record, which leaves some out: what a redirection led to, or a worker
    // asked for that has ended.
    const recorded = new Set(browser.record?.requests.map(({ url }) => url));
    return new Map(
      whole.filter(({ url }) => recorded.has(url)).map(({ url, id }) => [url, browser.digests[id] !== undefined]),
    );
  });
  if (!first) throw new EnvironmentError('the browser ended each time that a recorded page was rehearsed');
  const each = [...first].filter(([url]) => others.every((other) => other.has(url)));
  return new Map(each.map(([url, kept]) => [url, kept && others.every((other) => other.get(url) === true)]));
}

/** A load that warms a browser up, and the client that the browser is on. */
type WarmUpLoad = Wanted & { readonly client: number };

/** What is known of links, each in its lab. */
function openCalibrations() {
  const known = new WeakMap<Stage, Map<string, { readonly calibration: Calibration; readonly atMs: number }>>();
  return {
    /** Sets a link; measures it where that was not done lately. */
    async open(stage: Stage, link: Link): Promise<OpenedLink> {
      const own = known.get(stage) ?? new Map();
      const found = own.get(link.name);
      if (found && performance.now() - found.atMs < CALIBRATION_HOLDS_MS) {
        await stage.setLink(link);
        return { calibration: found.calibration, fresh: false };
      }
      const calibration = await stage.calibrate(link);
      known.set(stage, own.set(link.name, { calibration, atMs: performance.now() }));
      return { calibration, fresh: true };
    },
  };
}
