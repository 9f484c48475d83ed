import { developFilm } from '../browser/film.ts';
import { runLighthouse } from '../browser/lighthouse.ts';
import { comesBack } from '../browser/visit.ts';
import type { Protocol } from '../model/arm.ts';
import type { Capture, LighthouseCapture } from '../model/capture.ts';
import { LabError } from '../model/errors.ts';
import type { Film } from '../model/film.ts';
import type { LabState, TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import type { RecordedSite } from '../model/recording.ts';
import { SMALL_SITE } from '../model/site.ts';
import { findAdapter } from '../server/adapters.ts';
import type { BrowserWish } from './browsers.ts';
import { type InTurn, type OpenedLink, openCalibrations } from './calibrations.ts';
import { openDryRuns } from './dry-runs.ts';
import type { EvidenceFiles, KeptEvidence } from './evidence.ts';
import { openLabLoads, WARM_UP, type WarmUpLoad } from './lab-loads.ts';
import {
  browserFor,
  type Load,
  type LoadContext,
  missingBrowsers,
  prepareParties,
  type Wanted,
} from './load-request.ts';
import { type RecordedAgain, recordAgain } from './record-again.ts';
import type { ReplayWish } from './replay-servers.ts';
import { findSite, isGenerated, isRecorded, isRemote, type Site } from './sites.ts';
import { openTestbeds, type Testbed } from './testbed.ts';
import type { Party } from './trial.ts';

/** All that a load needs of the world. The real one is below; tests pass a false one. */
export interface Lab extends AsyncDisposable {
  /** Starts a topology's network and servers where they are not there yet: what needs them does so itself. */
  open(topology?: TopologyName): Promise<void>;
  /** Makes the link of a lab what is asked, and measures it, in its turn, where that has not been done yet, or is long ago. */
  openLink(link: Link, topology?: TopologyName, inTurn?: InTurn): Promise<OpenedLink>;
  /** Makes the link of a lab what is asked, and believes it: for what is not about the link's figures. */
  setLink(link: Link, topology?: TopologyName): Promise<void>;
  /** Puts a new lab of a topology in place of the one there is, with new servers and browsers. */
  renewLab(topology?: TopologyName): Promise<void>;
  /** The lab as its kernels say it is, and the link as it is set now; with how the pages of some loads are served. */
  describe(loads?: readonly Load[]): Promise<LabState>;
  /**
   * Loads a page over the link that is open; what the lab keeps as evidence goes to those files. Says when it needs the
   * machine's cores no more, which is before it is done.
   */
  load(load: Load, files?: EvidenceFiles, onCoresFree?: () => void): Promise<Capture>;
  /** Loads a page over a link without limits, once watched and a number of times unwatched; none of them counts. */
  loadReference(load: Load, unwatched: number): Promise<readonly [watched: Capture, ...unwatched: Capture[]]>;
  /** Takes pictures of a page while it is loaded, which counts for nothing; undefined where it does not come to its end. */
  film(load: Load): Promise<Film | undefined>;
  /** Records a recorded page again from its replay, so that the two can be compared; the link has no limits then. */
  recordAgain(site: string, how: Parameters<typeof recordAgain>[2]): Promise<RecordedAgain>;
  /**
   * Makes everything ready for a load over the link that is open, and returns the party that would make it: for uses
   * other than a load.
   */
  prepare(load: Load): Promise<Party>;
  /** Has Lighthouse judge a page over the link that is open. */
  judge(load: Load): Promise<LighthouseCapture>;
  /**
   * Puts new browsers in place of those there are, and has them load what warms them up; a first load does so itself. Only
   * the benchmark of warm-ups leaves them cold.
   */
  relaunch(how?: { readonly warm: boolean }): Promise<void>;
  /** The loads that warmed browsers up since this was last asked: they count for nothing. */
  takeWarmUps(): readonly Capture[];
}

export interface LabOptions {
  /** All that will be loaded. */
  readonly sites: readonly Site[];
  readonly replay?: ReplayWish;
  /** The servers that will serve it, the default first. */
  readonly setups?: LoadContext['setups'];
  readonly keeps?: KeptEvidence;
  /** Whether h3 responses carry Alt-Svc; only the test of why they must takes it away. */
  readonly altSvc?: boolean;
  /** Whether Chromium itself takes the place of its headless shell: only the benchmark that compares the two asks for it. */
  readonly isShellSpared?: boolean;
  /** Numbers the launches of browsers, of all labs together. */
  readonly nextLaunch?: () => number;
}

/** Testbeds with servers and browsers in them, one of each topology that is asked for; the first is a direct one. */
export async function openLab(options: LabOptions): Promise<Lab> {
  const {
    setups = [{ name: 'nginx' }],
    keeps = { pcap: false, netLog: false },
    altSvc = true,
    isShellSpared = false,
  } = options;
  const { replay = { allOrigins: false, thinks: true }, nextLaunch = countLaunches() } = options;
  const sites = new Map<string, Site>(
    [findSite(SMALL_SITE), ...options.sites].map((each) => [each.manifest.site, each]),
  );
  const generated = [...sites.values()].filter(isGenerated);
  const remotes = [...sites.values()].filter(isRemote).map(({ manifest }) => manifest);
  await using undo = new AsyncDisposableStack();
  const testbeds = undo.use(
    openTestbeds({ sites: generated, setups, keeps, altSvc, isShellSpared, replay, remotes, nextLaunch }),
  );
  const calibrations = openCalibrations();
  const { load, loadUnlimited, warm } = openLabLoads(keeps);
  let opened: Testbed | undefined;
  let warmUps: Capture[] = [];

  const findTestbed = async (topology: TopologyName = 'direct') => {
    opened = await testbeds.find(topology);
    return opened;
  };
  const contextNow = async (): Promise<LoadContext> => ({
    testbed: opened ?? (await findTestbed()),
    sites,
    setups,
    dryRuns,
  });
  const warmCounted = async (context: LoadContext, wishes: readonly (readonly WarmUpLoad[])[]) => {
    const captures = await warm(context, wishes);
    warmUps.push(...captures);
    return captures;
  };
  const dryRuns = openDryRuns(async (loads) => {
    const context = await contextNow();
    let captures: readonly Capture[];
    if (comesBack(loads[0]!.visit)) {
      captures = await loadUnlimited(context, loads);
      warmUps.push(...captures);
    } else captures = await warmCounted(context, [loads.map((each) => ({ ...each, client: 0 }))]);
    await context.testbed.browsers.closeOwn(loads[0]!.browser!.name);
    return captures;
  });
  const relaunch = async (context: LoadContext, { warm: isWarm } = { warm: true }) => {
    await context.testbed.browsers.renew();
    if (!isWarm) return;
    const { protocols } = findAdapter(setups[0].name);
    const loads = (wanted: readonly Protocol[]): WarmUpLoad[] =>
      wanted
        .filter((protocol) => protocols.includes(protocol))
        .map((protocol) => ({ ...WARM_UP, protocol, visit: 'cold', client: 0 }));
    await warmCounted(
      context,
      [loads(['h2']), loads(['h3'])].filter((each) => each.length > 0),
    );
  };
  /** What must be there before a load: browsers, and those that only some loads need, warm. */
  const makeReady = async (wanted: Load): Promise<LoadContext> => {
    const context = await contextNow();
    if (!context.testbed.browsers.alive()) await relaunch(context);
    if (isRecorded(sites.get(wanted.site)!)) await dryRuns.make(wanted);
    const missing = await missingBrowsers(context, wanted);
    if (missing.length > 0)
      await warmCounted(
        context,
        // One load warms a browser up, by `bench launches`; pages that it has not measured are loaded twice.
        missing.map((each) => (isGenerated(sites.get(each.site)!) ? [each] : [each, each])),
      );
    return context;
  };
  const prepare = async (wanted: Load) => (await prepareParties(await makeReady(wanted), wanted))[0];
  /** Throws a `LabError` for what fails where a part of the lab, or a browser, has died: that is why it fails. */
  const orDead = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const dead = opened && findDeath(opened);
      if (!dead || cause instanceof LabError) throw cause;
      throw new LabError(`${dead.says}: ${(cause as Error).message}`, { cause });
    }
  };
  const kept = undo.move();
  return {
    open: (topology) => orDead(async () => void (await findTestbed(topology))),
    openLink: (wanted, topology, inTurn) =>
      orDead(async () => calibrations.open(await findTestbed(topology), wanted, inTurn)),
    setLink: (wanted, topology) => orDead(async () => (await findTestbed(topology)).setLink(wanted)),
    async renewLab(topology = 'direct') {
      opened = await testbeds.renew(topology);
    },
    async describe(loads = []) {
      const context = await contextNow();
      const led: BrowserWish[] = [];
      for (const wanted of loads) led.push(await browserFor(context, wanted, 0));
      return context.testbed.describe(led.filter(({ route }) => route !== undefined));
    },
    relaunch: (how) => orDead(async () => relaunch(await contextNow(), how)),
    takeWarmUps() {
      const taken = warmUps;
      warmUps = [];
      return taken;
    },
    load: (wanted, files, onCoresFree) =>
      orDead(async () => load(await makeReady(wanted), wanted, { files, onCoresFree })),
    loadReference: (wanted, unwatched) =>
      orDead(async () => {
        const context = await makeReady(wanted);
        const wishes = [{ ...wanted, watched: true }, ...Array<Wanted>(unwatched).fill(wanted)];
        return (await loadUnlimited(context, wishes)) as [Capture, ...Capture[]];
      }),
    film: (wanted) =>
      orDead(async () => {
        const context = await makeReady(wanted);
        const { browser } = await load(context, { ...wanted, filmed: true });
        return developFilm(browser);
      }),
    recordAgain: async (name, how) => recordAgain((await contextNow()).testbed, sites.get(name) as RecordedSite, how),
    prepare,
    judge: (wanted) =>
      orDead(async () => {
        const { launched, trial } = await prepare(wanted);
        return launched.inFront(() => runLighthouse(launched, trial));
      }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** What of a testbed has died, if anything has. Before the first launch there is no browser that could have ended. */
export function findDeath({
  findDead,
  browsers,
}: Pick<Testbed, 'findDead' | 'browsers'>): { says: string } | undefined {
  return findDead() ?? (browsers.count() > 0 && !browsers.alive() ? { says: 'a browser ended' } : undefined);
}

/** Numbers launches from one on, or after those that there were. */
export function countLaunches(before = 0): () => number {
  let launches = before;
  return () => {
    launches += 1;
    return launches;
  };
}
