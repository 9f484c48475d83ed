import { mkdirSync } from 'node:fs';
import { type BrowserKind, type FlagOptions, renderFlags } from '../browser/flags.ts';
import { confined, launchBrowser } from '../browser/launch.ts';
import { findProgram } from '../browser/program.ts';
import { forcedAt, hostInLab, LAB_DOMAIN, LAB_HOSTS, originsAt, publishedAt, tells } from '../model/arm.ts';
import type { Calibration } from '../model/calibration.ts';
import type { Capture } from '../model/capture.ts';
import type { Host, LabState, TopologyName } from '../model/lab.ts';
import { type Link, loses, UNLIMITED, withoutLoss } from '../model/link.ts';
import { NAME_SERVER_MS } from '../model/offer.ts';
import { type RemoteSite, serverPlacesOf } from '../model/remote.ts';
import type { ServerSetup } from '../model/server.ts';
import type { GeneratedSite } from '../model/site.ts';
import { type Counters, openCounters } from '../network/counters.ts';
import { openFirewall } from '../network/firewall.ts';
import { openNameServer } from '../network/name-server.ts';
import { DEFAULT_TUNING, type Network } from '../network/network.ts';
import { openUplink } from '../network/uplink.ts';
import { makeCertificate } from '../server/certificate.ts';
import { describeRemote } from '../site/remote/remote-text.ts';
import { findConfinement } from '../system/confinement.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { readTools } from '../system/tools.ts';
import { type Browsers, type BrowserWish, nameOfBrowser, openBrowsers } from './browsers.ts';
import type { KeptEvidence } from './evidence.ts';
import { calibrateLink, openLabNetwork } from './lab-network.ts';
import { type NameServers, openNameServers } from './name-servers.ts';
import { REPLAY_PORTS, type ReplayWish } from './replay-servers.ts';
import { openService, type Service } from './service.ts';

/** A lab of one topology with all that is in it: servers on its servers' hosts, browsers on its clients'. */
export interface Testbed extends AsyncDisposable {
  readonly network: Network;
  readonly clients: readonly TestbedHost[];
  readonly servers: readonly (TestbedHost & { readonly service: Service })[];
  readonly browsers: Browsers;
  /** The link that is set. */
  readonly link: () => Link;
  setLink(link: Link): Promise<void>;
  /** Sets a link and measures it. */
  calibrate(link: Link): Promise<Calibration>;
  /** Takes the loss off the link, or puts it back. */
  spareLoss(spared: boolean): Promise<void>;
  /** The name servers of clients that look names up. */
  readonly nameServers: NameServers;
  /** TCP's congestion control of what leaves a host; absent: the lab's own. */
  setCongestion(host: Host, congestion?: string): Promise<void>;
  /** What of the lab has died, if anything has. */
  findDead(): Capture['broken'];
  /** Asks the link and all servers whether they answer; resolves with what has died. */
  ask(): Promise<Capture['broken']>;
  /**
   * The lab as it is now, with the arguments of the browsers that load recorded pages and pages at their own addresses.
   */
  describe(led: readonly BrowserWish[]): Promise<LabState>;
}

/** A host, and the counters of what passes it. */
export interface TestbedHost {
  readonly host: Host;
  readonly counters: Counters;
}

export interface TestbedOptions {
  readonly topology: TopologyName;
  readonly sites: readonly GeneratedSite[];
  readonly setups: readonly ServerSetup[];
  readonly keeps: KeptEvidence;
  readonly altSvc: boolean;
  readonly isShellSpared: boolean;
  readonly replay: ReplayWish;
  /** Pages that exist already: there is a way to them. */
  readonly remotes: readonly RemoteSite[];
  /** Counts the launches of a study's browsers. */
  readonly nextLaunch: () => number;
}

/** Sets a testbed up, over a link without limits. */
export async function openTestbed(options: TestbedOptions): Promise<Testbed> {
  const { topology, sites, setups, keeps, altSvc, isShellSpared, replay, remotes, nextLaunch } = options;
  await using undo = new AsyncDisposableStack();
  const network = undo.use(await openLabNetwork(topology));
  if (remotes.length > 0) undo.use(await openUplink(network, serverPlacesOf(remotes)));
  const withCounters = async (host: Host) => ({ host, counters: undo.use(await openCounters(host)) });
  const clients = await Promise.all(network.clients.map(withCounters));
  const folder = `${SCRATCH}/${network.servers[0]!.namespace}`;
  mkdirSync(folder, { recursive: true });
  const certificate = await makeCertificate(folder, LAB_HOSTS);
  const servers = await Promise.all(
    network.servers.map(async (host) => ({
      ...(await withCounters(host)),
      service: undo.use(await openService(host, { sites, setups, certificate, altSvc, replay })),
    })),
  );
  const forcedIn = (kind: BrowserKind) =>
    setups
      .flatMap((_, slot) => [...originsAt(slot), ...publishedAt(slot)])
      .filter((origin) => origin.protocol === 'h3' && tells(origin) === (kind !== 'quic'))
      .map(forcedAt);
  const flagsFor = ({ kind, client = 0, own, route }: BrowserWish): Omit<FlagOptions, 'profile' | 'isShell'> => ({
    kind,
    address: serverFor(network.servers, client).address,
    mapped: route?.mapped,
    spki: [certificate.spki, route?.spki].filter(Boolean).join(','),
    quicOrigins: [...forcedIn(kind), ...(route?.quicOrigins ?? [])],
    more: [...(route?.more ?? []), ...(own?.flags ?? [])],
  });
  const openNameServerFor = (client: number) =>
    openNameServer({
      host: network.clients[client]!,
      folder: `${folder}/names-${client}`,
      domain: LAB_DOMAIN,
      address: serverFor(network.servers, client).address,
      elsewhere: serverPlacesOf(remotes).flatMap(({ address }) =>
        [{ address }, { address, published: true as const }].map((each) => ({ address, host: hostInLab(each) })),
      ),
      published: [
        ...serverPlacesOf(remotes).map(({ address, port }) => ({
          host: hostInLab({ address, published: true }),
          port,
        })),
        ...setups.flatMap((_, slot) => publishedAt(slot)),
        ...REPLAY_PORTS.map((port) => ({ host: hostInLab({ published: true }), port })),
      ],
      distanceMs: NAME_SERVER_MS,
    });
  const nameServers = undo.use(openNameServers(openNameServerFor)); // They close after the browsers that ask them.
  const found = readTools();
  const tools = isShellSpared ? { ...found, shell: null } : found;
  const browsers = undo.use(
    openBrowsers({
      launch: async (wish, profile) =>
        launchBrowser({
          ...flagsFor(wish),
          program: findProgram(wish.kind, tools),
          host: network.clients[wish.client ?? 0]!,
          profile,
          resolver: wish.kind === 'offered' ? (await nameServers.find(wish.client ?? 0)).resolver : undefined,
          past: wish.route?.past,
          keeps: { keyLog: keeps.pcap, netLog: keeps.netLog },
        }),
      profiles: `${folder}/profiles`,
      nextLaunch,
    }),
  );
  const firewall = openFirewall(network.servers);
  const congestions = new Map<Host, string>();
  let link: Link = UNLIMITED;
  const findDead = (): Capture['broken'] => {
    if (!network.healthy()) return { part: 'link', says: 'the kernel that is the link ended, or what plays its trace' };
    const says = nameServers.findFault();
    if (says !== undefined) return { part: 'server', says };
    return servers.map(({ service }) => service.findDead()).find((dead) => dead !== undefined);
  };
  const kept = undo.move();
  return {
    network,
    clients,
    servers,
    browsers,
    nameServers,
    link: () => link,
    async setLink(wanted) {
      if (wanted !== link) await network.setLink(wanted);
      await firewall.set(wanted.udp === 'drop');
      link = wanted;
    },
    async calibrate(wanted) {
      await firewall.set(false); // Datagrams tell of rates and losses; whether they come is no question of the link's.
      const calibration = await calibrateLink(network, wanted);
      await firewall.set(wanted.udp === 'drop');
      link = wanted;
      return calibration;
    },
    async spareLoss(spared) {
      if (loses(link)) await network.setLink(spared ? withoutLoss(link) : link);
    },
    async setCongestion(host, congestionControl = DEFAULT_TUNING.congestionControl) {
      if (congestionControl === (congestions.get(host) ?? DEFAULT_TUNING.congestionControl)) return;
      await network.tune(host, { ...DEFAULT_TUNING, congestionControl });
      congestions.set(host, congestionControl);
    },
    findDead,
    async ask() {
      await Promise.all([network.answers(), ...servers.map(({ service }) => service.ask())]);
      return findDead();
    },
    async describe(led) {
      const { driver, kernel, realtime } = network.router;
      const { asRoot, keepsRights, sandboxed } = await findConfinement(findProgram('tcp', tools).path);
      const flags = (wish: BrowserWish) =>
        confined(renderFlags({ ...flagsFor(wish), ...findProgram(wish.kind, tools), profile: 'PROFILE' }), {
          sandboxed,
        });
      return {
        topology,
        driver,
        kernel,
        realtime,
        hosts: await network.describeHosts(),
        link: await network.linkState(),
        serverConfigurations: {
          ...servers[0]!.service.configurations(),
          ...nameServers.configurations(),
          ...Object.fromEntries(remotes.map((site) => [site.asked, describeRemote(site)])),
        },
        certificateBytes: certificate.bytes,
        browsers: await browsers.versions(),
        confinement: { asRoot, keepsRights, sandboxed },
        flags: Object.fromEntries(
          [...KINDS.map((kind) => ({ kind })), ...led].map((wish) => [nameOfBrowser(wish), flags(wish)]),
        ),
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const KINDS: readonly BrowserKind[] = ['tcp', 'quic', 'discovering', 'offered'];

/** The server that a client goes to: one of its own where there are as many servers as clients. */
export function serverFor<T>(servers: readonly T[], client: number): T {
  return servers[client % servers.length]!;
}

/** Testbeds that are opened when their topology is first asked for, and stay open. */
export interface Testbeds extends AsyncDisposable {
  /** The testbed of a topology; a new one in place of one whose link has died. */
  find(topology: TopologyName): Promise<Testbed>;
  /** A new testbed in place of the one there is. */
  renew(topology: TopologyName): Promise<Testbed>;
}

/** Testbeds by topology, none of which is open yet. */
export function openTestbeds(options: Omit<TestbedOptions, 'topology'>): Testbeds {
  const testbeds = new Map<TopologyName, Testbed>();
  const renew = async (topology: TopologyName) => {
    const old = testbeds.get(topology);
    testbeds.delete(topology);
    await old?.[Symbol.asyncDispose]();
    const testbed = await openTestbed({ ...options, topology });
    testbeds.set(topology, testbed);
    return testbed;
  };
  return {
    async find(topology) {
      const known = testbeds.get(topology);
      return known?.network.healthy() ? known : renew(topology);
    },
    renew,
    async [Symbol.asyncDispose]() {
      for (const testbed of testbeds.values()) await testbed[Symbol.asyncDispose]();
    },
  };
}
