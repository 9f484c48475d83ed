import { mkdirSync, rmSync } from 'node:fs';
import type { BrowserKind } from '../browser/flags.ts';
import { type LaunchedBrowser, launchBrowser } from '../browser/launch.ts';
import { ORIGINS, originFor, type Protocol, type Visit } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import { type DirectionName, type Link, loses, UNLIMITED, withoutLoss } from '../model/link.ts';
import type { GeneratedSite, Manifest } from '../model/site.ts';
import { openCounters } from '../network/counters.ts';
import type { HostState, Network } from '../network/network.ts';
import { followAccessLog } from '../server/access-log.ts';
import { makeCertificate } from '../server/certificate.ts';
import { ACCESS_LOG, openNginx, type Server, type ServerOptions } from '../server/nginx.ts';
import { openBackend } from '../site/open-backend.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { readTools } from '../system/tools.ts';
import { type Calibration, calibrateLink, openLab } from './lab.ts';
import { findSite } from './sites.ts';
import { runTrial, type TrialCapture, type Witnesses } from './trial.ts';

/** All that a trial needs of the world. The real one is below; tests pass a false one. */
export interface Rig extends AsyncDisposable {
  /** Makes the link what is asked, and measures it where it has not been measured yet. */
  openLink(link: Link): Promise<Calibration>;
  /** The lab as its kernels say it is, and the link as it is set now. */
  describe(): Promise<LabState>;
  /** What a site consists of. */
  manifestOf(site: string): Manifest;
  /** Loads a page over the link that is open. */
  load(load: Load): Promise<Capture>;
  /** Puts new browsers in place of those there are, and has them load what warms them up; a first load does so itself. */
  relaunch(): Promise<readonly Capture[]>;
}

/** One page load as a plan wants it. */
export interface Load {
  readonly protocol: Protocol;
  readonly site: string;
  readonly visit: Visit;
  readonly device: DeviceName;
  readonly timeoutMs: number;
}

/** What a lab was like while it was measured in. */
export interface LabState {
  readonly driver: string;
  readonly kernel: string;
  readonly realtime: boolean;
  readonly hosts: readonly HostState[];
  readonly link: Readonly<Record<DirectionName, string>>;
}

export interface RigOptions {
  /** All that will be loaded. */
  readonly sites: readonly GeneratedSite[];
  /** Only the test of why it must be there takes it away. */
  readonly altSvc?: boolean;
}

/** What every browser loads first, over a link without limits, so that its processes are warm. */
const WARM_UP_SITE = 'few-small';
const WARM_UP_TIMEOUT_MS = 20_000;

/** A lab with a server and browsers in it. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const tools = readTools();
  await using undo = new AsyncDisposableStack();
  const network = undo.use(await openLab());
  const [client, host] = [network.clients[0]!, network.servers[0]!];
  const sites = new Map([findSite(WARM_UP_SITE), ...options.sites].map((site) => [site.manifest.site, site]));
  const folder = `${SCRATCH}/${host.namespace}`;
  mkdirSync(folder, { recursive: true });
  const certificate = await makeCertificate(folder, [...new Set(ORIGINS.map((origin) => origin.host))]);
  const backend = undo.use(await openBackend(host, `${folder}/uploads`));
  const counters = { client: undo.use(await openCounters(client)), server: undo.use(await openCounters(host)) };
  const serverOptions: ServerOptions = {
    ...{ argv: tools.nginx.argv, host, folder, certificate, sites: [...sites.values()], origins: ORIGINS },
    ...{ backend: backend.address, altSvc: options.altSvc ?? true },
  };
  const browsers = undo.use(
    openBrowsers((kind, profile) =>
      launchBrowser({
        ...{ chromium: tools.chromium.path, host: client, kind, profile },
        ...{ address: host.address, spki: certificate.spki },
        quicOrigins: ORIGINS.filter(({ protocol, reception }) => protocol === 'h3' && reception !== 'discovering'),
      }),
    ),
  );
  const log = followAccessLog(`${folder}/${ACCESS_LOG}`);
  let server: Server | undefined;
  undo.defer(async () => server?.[Symbol.asyncDispose]());
  const calibrations = new Map<string, Calibration>();
  let link: Link = UNLIMITED;

  const findDead = (): Capture['broken'] => {
    const end = server?.ended();
    return end === undefined ? undefined : { part: 'server', says: `nginx ended (${end})` };
  };
  // One that has ended, which the trial before told, is replaced.
  const serve = async () => {
    if (server === undefined || server.ended() !== undefined) server = await openNginx(serverOptions);
    return server;
  };
  const load = async ({ protocol, site, visit, device, timeoutMs }: Load): Promise<TrialCapture> => {
    const running = await serve();
    const browser = await browsers.find(browserFor(protocol, visit));
    const trial = { origin: originFor(protocol, visit), visit, device: DEVICES[device], timeoutMs };
    const witnesses: Witnesses = {
      ...{ ...counters, log, link, findDead },
      spareLoss: async (spared) => {
        if (loses(link)) await network.setLink(spared ? withoutLoss(link) : link);
      },
      endConnections: () => running.restart(),
    };
    return runTrial(browser, { ...trial, manifest: sites.get(site)!.manifest }, witnesses);
  };
  const setLink = async (wanted: Link) => {
    if (wanted !== link) await network.setLink(wanted);
    link = wanted;
  };
  const relaunch = async () => {
    const wanted = link;
    await setLink(UNLIMITED);
    await browsers.renew();
    const warmUp = { site: WARM_UP_SITE, visit: 'cold', device: 'desktop', timeoutMs: WARM_UP_TIMEOUT_MS } as const;
    const captures: Capture[] = [];
    for (const protocol of ['h1', 'h2', 'h3'] as const)
      captures.push({ ...(await load({ ...warmUp, protocol })), launch: browsers.launch() });
    await setLink(wanted);
    return captures;
  };

  const kept = undo.move();
  return {
    async openLink(wanted) {
      let calibration = calibrations.get(wanted.name);
      if (!calibration) {
        calibration = await calibrateLink(network, wanted);
        calibrations.set(wanted.name, calibration);
        link = wanted;
      }
      await setLink(wanted);
      return calibration;
    },
    describe: () => describeLab(network),
    manifestOf: (site) => sites.get(site)!.manifest,
    relaunch,
    async load(wanted) {
      if (browsers.launch() === 0 || !browsers.alive()) await relaunch();
      return { ...(await load(wanted)), launch: browsers.launch() };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function describeLab(network: Network): Promise<LabState> {
  const { driver, kernel, realtime } = network.router;
  return { driver, kernel, realtime, hosts: await network.describeHosts(), link: await network.linkState() };
}

/** Which browser speaks a protocol. */
function browserFor(protocol: Protocol, visit: Visit): BrowserKind {
  if (protocol !== 'h3') return 'tcp';
  return visit === 'discovered' ? 'discovering' : 'quic';
}

type Launch = (kind: BrowserKind, profile: string) => Promise<LaunchedBrowser>;

/** The browsers of one launch after the other, all of them new at once. */
function openBrowsers(launch: Launch) {
  let launched = new Map<BrowserKind, LaunchedBrowser>();
  let count = 0;
  const closeAll = async () => {
    const old = launched;
    launched = new Map();
    await Promise.all([...old.values()].map((each) => each[Symbol.asyncDispose]()));
  };
  const profileOf = (kind: BrowserKind) => `${SCRATCH}/profiles/${count}-${kind}`;
  const launchOne = async (kind: BrowserKind) => {
    const one = await launch(kind, profileOf(kind));
    launched.set(kind, one);
    return one;
  };
  return {
    /** Which launch it is; 0 before the first. */
    launch: () => count,
    alive: () => [...launched.values()].every(({ browser }) => browser.connected),
    async renew() {
      await closeAll();
      rmSync(`${SCRATCH}/profiles`, { recursive: true, force: true });
      count += 1;
      await Promise.all([launchOne('tcp'), launchOne('quic')]);
    },
    /** The one that only some visits need is launched by the first of them. */
    find: async (kind: BrowserKind) => (launched.get(kind) ?? (await launchOne(kind))).browser,
    [Symbol.asyncDispose]: closeAll,
  };
}
