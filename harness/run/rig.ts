import { type BrowserKind, renderFlags } from '../browser/flags.ts';
import { launchBrowser } from '../browser/launch.ts';
import { runLighthouse } from '../browser/lighthouse.ts';
import { openWaitingRoom } from '../browser/waiting-room.ts';
import { ORIGINS, originFor, type Protocol, type Visit } from '../model/arm.ts';
import type { Capture, LighthouseCapture } from '../model/capture.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import { type DirectionName, type Link, loses, UNLIMITED, withoutLoss } from '../model/link.ts';
import type { GeneratedSite, Manifest } from '../model/site.ts';
import { openCounters } from '../network/counters.ts';
import type { HostState, Network } from '../network/network.ts';
import { readTools } from '../system/tools.ts';
import { openBrowsers } from './browsers.ts';
import { type EvidenceFiles, type KeptEvidence, keepEvidence } from './evidence.ts';
import { type Calibration, calibrateLink, openLab } from './lab.ts';
import { openService } from './service.ts';
import { findSite } from './sites.ts';
import { runTrial, type Witnesses } from './trial.ts';

/** All that a trial needs of the world. The real one is below; tests pass a false one. */
export interface Rig extends AsyncDisposable {
  /** Makes the link what is asked, and measures it where it has not been measured yet. */
  openLink(link: Link): Promise<Calibration>;
  /** The lab as its kernels say it is, and the link as it is set now. */
  describe(): Promise<LabState>;
  /** What a site consists of. */
  manifestOf(site: string): Manifest;
  /** Loads a page over the link that is open; what the rig keeps as evidence goes to those files. */
  load(load: Load, files?: EvidenceFiles): Promise<Capture>;
  /** Has Lighthouse judge a page over the link that is open. */
  judge(load: Load): Promise<LighthouseCapture>;
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
  readonly serverConfiguration: string;
  /** Of each browser. */
  readonly flags: Readonly<Record<BrowserKind, readonly string[]>>;
}

export interface RigOptions {
  /** All that will be loaded. */
  readonly sites: readonly GeneratedSite[];
  readonly keeps?: KeptEvidence;
  /** Only the test of why it must be there takes it away. */
  readonly altSvc?: boolean;
}

/** What every browser loads first, over a link without limits, so that its processes are warm. */
const WARM_UP: Omit<Load, 'protocol'> = { site: 'few-small', visit: 'cold', device: 'desktop', timeoutMs: 20_000 };

/** A lab with a server and browsers in it. */
export async function openRig({
  sites,
  keeps = { pcap: false, netLog: false },
  altSvc = true,
}: RigOptions): Promise<Rig> {
  const { chromium } = readTools();
  await using undo = new AsyncDisposableStack();
  const network = undo.use(await openLab());
  const [client, host] = [network.clients[0]!, network.servers[0]!];
  const site = new Map([findSite(WARM_UP.site), ...sites].map((each) => [each.manifest.site, each]));
  const counters = { client: undo.use(await openCounters(client)), server: undo.use(await openCounters(host)) };
  const service = undo.use(await openService(host, { sites: [...site.values()], altSvc }));
  const flagOptions = { address: host.address, spki: service.spki, quicOrigins: FORCED_ORIGINS };
  const browsers = undo.use(
    openBrowsers((kind, profile) =>
      launchBrowser({
        ...{ ...flagOptions, chromium: chromium.path, host: client, kind, profile },
        keeps: { keyLog: keeps.pcap, netLog: keeps.netLog },
      }),
    ),
  );
  const room = openWaitingRoom();
  const calibrations = new Map<string, Calibration>();
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
  const load = async (wanted: Load, files?: EvidenceFiles): Promise<Capture> => {
    const { protocol, visit } = wanted;
    await service.revive();
    const launched = await browsers.find(browserFor(protocol, visit));
    const { manifest } = site.get(wanted.site)!;
    const trial = { ...wanted, origin: originFor(protocol, visit), device: DEVICES[wanted.device], manifest };
    const run = () => runTrial(launched, trial, witnesses());
    const capture = await (files ? keepEvidence(keeps, files, { client, launched }, run) : run());
    return { ...capture, launch: browsers.count() };
  };
  const relaunch = async () => {
    const wanted = link;
    await setLink(UNLIMITED);
    await browsers.renew();
    const captures: Capture[] = [];
    // Each browser as often as the other.
    for (const protocol of ['h1', 'h3', 'h2', 'h3'] as const) captures.push(await load({ ...WARM_UP, protocol }));
    await setLink(wanted);
    return captures;
  };
  /** What must be there before a load: browsers, and the one that only some visits need, warm. */
  const makeReady = async ({ protocol, visit }: Pick<Load, 'protocol' | 'visit'>) => {
    if (!browsers.alive()) await relaunch();
    if (browsers.has(browserFor(protocol, visit))) return;
    const wanted = link;
    await setLink(UNLIMITED);
    for (let times = 0; times < 2; times += 1) await load({ ...WARM_UP, protocol, visit });
    await setLink(wanted);
  };
  const kept = undo.move();
  return {
    async openLink(wanted) {
      const known = calibrations.get(wanted.name);
      const calibration = known ?? (await calibrateLink(network, wanted));
      calibrations.set(wanted.name, calibration);
      if (!known) link = wanted;
      await setLink(wanted);
      return calibration;
    },
    async describe() {
      const flags = (kind: BrowserKind) => renderFlags({ ...flagOptions, kind, profile: 'PROFILE' });
      return {
        ...(await describeNetwork(network)),
        serverConfiguration: service.configuration,
        flags: { tcp: flags('tcp'), quic: flags('quic'), discovering: flags('discovering') },
      };
    },
    manifestOf: (name) => site.get(name)!.manifest,
    relaunch,
    async load(wanted, files) {
      await makeReady(wanted);
      return load(wanted, files);
    },
    async judge({ protocol, visit, site: name, device, timeoutMs }) {
      await service.revive();
      await makeReady({ protocol, visit });
      const { browser } = await browsers.find(browserFor(protocol, visit));
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

/** Which browser speaks a protocol. */
function browserFor(protocol: Protocol, visit: Visit): BrowserKind {
  if (protocol !== 'h3') return 'tcp';
  return visit === 'discovered' ? 'discovering' : 'quic';
}
