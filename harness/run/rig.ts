import { developFilm } from '../browser/film.ts';
import { type BrowserKind, renderFlags } from '../browser/flags.ts';
import { launchBrowser } from '../browser/launch.ts';
import { runLighthouse } from '../browser/lighthouse.ts';
import { openWaitingRoom } from '../browser/waiting-room.ts';
import { ORIGINS, originFor, type Protocol, type Visit } from '../model/arm.ts';
import type { Calibration } from '../model/calibration.ts';
import type { Capture, LighthouseCapture } from '../model/capture.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import type { Film } from '../model/film.ts';
import type { LabState } from '../model/lab.ts';
import { type Link, loses, UNLIMITED, withoutLoss } from '../model/link.ts';
import { type GeneratedSite, type Manifest, SMALL_SITE } from '../model/site.ts';
import { openCounters } from '../network/counters.ts';
import { DEFAULT_TUNING, type Network } from '../network/network.ts';
import { readTools } from '../system/tools.ts';
import { type BrowserWish, type OwnBrowser, openBrowsers } from './browsers.ts';
import { type EvidenceFiles, type KeptEvidence, keepEvidence } from './evidence.ts';
import { calibrateLink, openLab } from './lab.ts';
import { openService } from './service.ts';
import { findSite } from './sites.ts';
import { runTrial, settle, type Trial, type Witnesses } from './trial.ts';
import { warmUp } from './warm-up.ts';

/** All that a trial needs of the world. The real one is below; tests pass a false one. */
export interface Rig extends AsyncDisposable {
  /** Makes the link what is asked, and measures it where that has not been done yet, or is long ago. */
  openLink(link: Link): Promise<OpenedLink>;
  /** The lab as its kernels say it is, and the link as it is set now. */
  describe(): Promise<LabState>;
  /** What a site consists of. */
  manifestOf(site: string): Manifest;
  /** Loads a page over the link that is open; what the rig keeps as evidence goes to those files. */
  load(load: Load, files?: EvidenceFiles): Promise<Capture>;
  /** Takes pictures of a page while it is loaded, which counts for nothing; undefined where it does not come to its end. */
  film(load: Load): Promise<Film | undefined>;
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

/** One page load as a plan wants it. */
export interface Load {
  readonly protocol: Protocol;
  readonly site: string;
  readonly visit: Visit;
  readonly device: DeviceName;
  readonly timeoutMs: number;
  /** TCP's congestion control on the server's host; absent: the lab's own. */
  readonly congestion?: string | undefined;
  /** Absent: the browser that all loads share. */
  readonly browser?: OwnBrowser | undefined;
  /** By how much the page itself comes later. */
  readonly holdMs?: number | undefined;
}

export interface RigOptions {
  /** All that will be loaded. */
  readonly sites: readonly GeneratedSite[];
  readonly keeps?: KeptEvidence;
  /** Only the test of why it must be there takes it away. */
  readonly altSvc?: boolean;
  /** How often browsers were launched for this study before. */
  readonly launches?: number;
}

/** What every browser loads first, over a link without limits, so that its processes are warm. */
const WARM_UP = { site: SMALL_SITE, device: 'desktop', timeoutMs: 20_000 } as const;

/** So long a calibration holds. */
const CALIBRATION_MS = 30 * 60_000;

/** A lab with a server and browsers in it. */
export async function openRig({
  sites,
  keeps = { pcap: false, netLog: false },
  altSvc = true,
  launches = 0,
}: RigOptions): Promise<Rig> {
  const { chromium } = readTools();
  await using undo = new AsyncDisposableStack();
  const network = undo.use(await openLab());
  const [client, host] = [network.clients[0]!, network.servers[0]!];
  const site = new Map([findSite(SMALL_SITE), ...sites].map((each) => [each.manifest.site, each]));
  const counters = { client: undo.use(await openCounters(client)), server: undo.use(await openCounters(host)) };
  const service = undo.use(await openService(host, { sites: [...site.values()], altSvc }));
  const flagOptions = { address: host.address, spki: service.spki, quicOrigins: FORCED_ORIGINS };
  const browsers = undo.use(
    openBrowsers(
      ({ kind, own }, profile) =>
        launchBrowser({
          ...{ ...flagOptions, chromium: chromium.path, host: client, kind, profile },
          ...(own && { more: own.flags }),
          keeps: { keyLog: keeps.pcap, netLog: keeps.netLog },
        }),
      launches,
    ),
  );
  const room = openWaitingRoom();
  const calibrations = new Map<string, { readonly calibration: Calibration; readonly atMs: number }>();
  let warmUps: Capture[] = [];
  let link: Link = UNLIMITED;
  const setLink = async (wanted: Link) => {
    if (wanted !== link) await network.setLink(wanted);
    link = wanted;
  };
  const findDead = (): Capture['broken'] =>
    network.healthy() ? service.findDead() : { part: 'link', says: 'the kernel that is the link ended' };
  const witnesses = (): Witnesses => ({
    ...{ ...counters, log: service.log, room, link, findDead },
    spareLoss: async (spared) => {
      if (loses(link)) await network.setLink(spared ? withoutLoss(link) : link);
    },
    endConnections: service.restart,
  });
  let congestion = DEFAULT_TUNING.congestionControl;
  const setCongestion = async (wanted: string) => {
    if (wanted !== congestion) await network.tune(host, { ...DEFAULT_TUNING, congestionControl: wanted });
    congestion = wanted;
  };
  const trialOf = ({ protocol, visit, ...wanted }: Load): Trial => {
    const { manifest } = site.get(wanted.site)!;
    return { ...wanted, visit, origin: originFor(protocol, visit), device: DEVICES[wanted.device], manifest };
  };
  /** The browser for a load, and everything else as the load wants it. */
  const prepare = async (wanted: Load) => {
    await service.revive();
    service.hold(wanted.holdMs);
    await setCongestion(wanted.congestion ?? DEFAULT_TUNING.congestionControl);
    return browsers.find(browserFor(wanted));
  };
  const load = async (wanted: Load & { readonly filmed?: true }, files?: EvidenceFiles): Promise<Capture> => {
    const launched = await prepare(wanted);
    const trial = { ...trialOf(wanted), ...(wanted.filmed && { filmed: true }) };
    const run = () => runTrial(launched, trial, witnesses());
    const capture = await (files ? keepEvidence(keeps, files, { client, launched }, run) : run());
    return { ...capture, launch: browsers.count() };
  };
  /** Over a link without limits; browsers all at once, each its loads one after the other. */
  const warm = async (wishes: readonly (readonly Pick<Load, 'protocol' | 'visit' | 'browser'>[])[]) => {
    const wanted = link;
    await setLink(UNLIMITED);
    await service.revive();
    service.hold();
    const captures = await Promise.all(
      wishes.map(async (loads) => {
        const trials = loads.map(({ protocol, visit }) => trialOf({ ...WARM_UP, protocol, visit }));
        return warmUp(await browsers.find(browserFor(loads[0]!)), trials);
      }),
    );
    warmUps.push(...captures.flat().map((capture) => ({ ...capture, launch: browsers.count() })));
    await settle(witnesses());
    await setLink(wanted);
  };
  const relaunch = async () => {
    await browsers.renew();
    const cold = (protocol: Protocol) => ({ protocol, visit: 'cold' }) as const;
    await warm([
      [cold('h1'), cold('h2')],
      [cold('h3'), cold('h3')],
    ]);
  };
  /** What must be there before a load: browsers, and the one that only some loads need, warm. */
  const makeReady = async (wanted: Load) => {
    if (!browsers.alive()) await relaunch();
    if (!browsers.has(browserFor(wanted))) await warm([[wanted, wanted]]);
  };
  const kept = undo.move();
  return {
    async openLink(wanted) {
      const known = calibrations.get(wanted.name);
      if (known && performance.now() - known.atMs < CALIBRATION_MS) {
        await setLink(wanted);
        return { calibration: known.calibration, fresh: false };
      }
      const calibration = await calibrateLink(network, wanted);
      link = wanted;
      calibrations.set(wanted.name, { calibration, atMs: performance.now() });
      return { calibration, fresh: true };
    },
    async describe() {
      const flags = (kind: BrowserKind) => renderFlags({ ...flagOptions, kind, profile: 'PROFILE' });
      return {
        ...(await describeNetwork(network)),
        serverConfiguration: service.configuration,
        browsers: await browsers.versions(),
        flags: { tcp: flags('tcp'), quic: flags('quic'), discovering: flags('discovering') },
      };
    },
    manifestOf: (name) => site.get(name)!.manifest,
    relaunch,
    takeWarmUps() {
      const taken = warmUps;
      warmUps = [];
      return taken;
    },
    async load(wanted, files) {
      await makeReady(wanted);
      return load(wanted, files);
    },
    async film(wanted) {
      await makeReady(wanted);
      const { browser } = await load({ ...wanted, filmed: true });
      return developFilm(browser);
    },
    async judge(wanted) {
      const { protocol, visit, site: name, device, timeoutMs } = wanted;
      await makeReady(wanted);
      const { browser } = await prepare(wanted);
      const url = `${originFor(protocol, visit).url}${site.get(name)!.manifest.document}`;
      return runLighthouse(browser, { url, device: DEVICES[device], timeoutMs });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function describeNetwork(network: Network) {
  const { driver, kernel, realtime } = network.router;
  return { driver, kernel, realtime, hosts: await network.describeHosts(), link: await network.linkState() };
}

const FORCED_ORIGINS = ORIGINS.filter(({ protocol, reception }) => protocol === 'h3' && reception !== 'discovering');

/** Which browser a load is for. */
function browserFor({ protocol, visit, browser }: Pick<Load, 'protocol' | 'visit' | 'browser'>): BrowserWish {
  return { kind: kindFor(protocol, visit), ...(browser && { own: browser }) };
}

/** Which browser speaks a protocol. */
function kindFor(protocol: Protocol, visit: Visit): BrowserKind {
  if (protocol !== 'h3') return 'tcp';
  return visit === 'discovered' ? 'discovering' : 'quic';
}
