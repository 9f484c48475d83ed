import type { BrowserKind } from '../browser/flags.ts';
import type { LoadOptions } from '../browser/load.ts';
import { forcedAt, hostInLab, type Origin, type Protocol, portOf, tells, type Visit } from '../model/arm.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import type { Link } from '../model/link.ts';
import type { Offer } from '../model/offer.ts';
import { generatedPage, type Page } from '../model/page.ts';
import type { RecordedSite } from '../model/recording.ts';
import { remoteBrowser, remotePage, serverPlacesOf } from '../model/remote.ts';
import type { ServerSetup } from '../model/server.ts';
import type { GeneratedSite } from '../model/site.ts';
import type { Way } from '../model/study.ts';
import { cutConnections } from '../network/cut-connections.ts';
import { probeRoundTrips } from '../network/round-trips.ts';
import type { AccessLog } from '../server/access-log.ts';
import { servedObjects } from '../site/replay/served-recording.ts';
import type { BrowserRoute, BrowserWish, OwnBrowser } from './browsers.ts';
import type { DryRuns } from './dry-runs.ts';
import type { ReplayServer } from './replay-servers.ts';
import { isRecorded, isRemote, type Site } from './sites.ts';
import { serverFor, type Testbed } from './testbed.ts';
import type { Party, Trial } from './trial.ts';

/** One page load as a plan wants it. */
export interface Load extends LoadWay {
  readonly site: string;
  readonly visit: Visit;
  readonly device: DeviceName;
  readonly timeoutMs: number;
  /** Absent: the browser that all loads share. */
  readonly browser?: OwnBrowser | undefined;
  /** By how much the page itself comes later. */
  readonly holdMs?: number | undefined;
  /** What goes over the same link at the same time, each from a client of its own. */
  readonly beside?: readonly LoadWay[] | undefined;
  /** The number of tabs that each client opens at once. */
  readonly tabs?: number | undefined;
  /** Whether the browser logs each request, which the page pays for. */
  readonly watched?: boolean | undefined;
}

/** How a page comes; from the first server where none is named. */
export interface LoadWay {
  readonly protocol: Protocol;
  readonly offer?: Way['offer'] | undefined;
  readonly server?: Way['server'] | undefined;
  readonly congestion?: Way['congestion'] | undefined;
}

/** What a load is made with. */
export interface LoadContext {
  readonly testbed: Testbed;
  readonly sites: ReadonlyMap<string, Site>;
  /** What a load of a recorded site must bring. */
  readonly dryRuns: Pick<DryRuns, 'find'>;
  /** The servers, the default first. */
  readonly setups: readonly [ServerSetup, ...ServerSetup[]];
}

/** A load, or what is done with it besides. */
export type Wanted = Load & Pick<Trial, 'filmed' | 'isQuick'>;

/**
 * Makes the testbed what a load wants, and returns the parties that make it: each on a client of its own, the load's
 * own first.
 */
export async function prepareParties(context: LoadContext, wanted: Wanted): Promise<readonly [Party, ...Party[]]> {
  const { testbed } = context;
  const ways = waysOf(wanted);
  await reviveServers(testbed, wanted.holdMs);
  for (const [client, way] of ways.entries()) await setCongestion(context, { ...wanted, ...way }, client);
  const parties: Party[] = [];
  for (const [client, way] of ways.entries()) parties.push(await prepareParty(context, { ...wanted, ...way }, client));
  return parties as [Party, ...Party[]];
}

/** TCP's congestion control is the arm's on the host that the bytes come from: of an upload the client's. */
async function setCongestion(
  { testbed, sites }: LoadContext,
  { site: name, protocol, congestion }: Wanted,
  client: number,
) {
  const site = sites.get(name)!;
  const uploads = !isRecorded(site) && !isRemote(site) && site.manifest.upload !== undefined;
  const ofTcp = protocol === 'h3' ? undefined : congestion;
  await testbed.setCongestion(testbed.clients[client]!.host, uploads ? ofTcp : undefined);
  await testbed.setCongestion(serverFor(testbed.servers, client).host, uploads ? undefined : ofTcp);
}

/** Starts what has ended, and has pages come later by `holdMs`; absent: as soon as they can. */
export async function reviveServers({ servers, nameServers }: Testbed, holdMs?: number): Promise<void> {
  await nameServers.revive();
  for (const { service } of servers) {
    await service.revive();
    service.hold(holdMs);
  }
}

/** The browser, the server and the witnesses of one client that loads. */
export async function prepareParty(context: LoadContext, wanted: Wanted, client: number): Promise<Party> {
  const { testbed } = context;
  const { device, timeoutMs, filmed, tabs } = wanted;
  // The logs of servers that exist already are out of reach: only a watched load tells which server answered.
  const watched = wanted.watched || isRemote(context.sites.get(wanted.site)!);
  const { host, counters } = testbed.clients[client]!;
  const goesTo = serverFor(testbed.servers, client);
  const served = await serve(context, wanted, client);
  const launched = await testbed.browsers.find(await browserFor(context, wanted, client));
  const names = wanted.offer === undefined ? undefined : await testbed.nameServers.find(client);
  const upload: LoadOptions['upload'] =
    served.uploads !== undefined && !filmed
      ? { file: launched.lend(served.uploads), probe: () => probeRoundTrips(host, goesTo.host) }
      : undefined;
  return {
    launched,
    trial: {
      page: { ...served.page, ...offering(wanted, testbed.link()) },
      device: DEVICES[device],
      timeoutMs,
      watched,
      isQuick: wanted.isQuick,
      tabs,
      upload,
      filmed: filmed || undefined,
    },
    client: counters,
    server: goesTo.counters,
    log: served.log,
    endConnections: served.endConnections,
    beginLoad: served.beginLoad,
    takeNotes: served.takeNotes,
    takeQuestions: names && (() => names.takeQuestions()),
  };
}

/** What a page's proofs must know of how it is offered, and over what. */
function offering({ offer }: Wanted, { udp }: Link): Pick<Page, 'offer' | 'withoutUdp'> {
  return { offer, withoutUdp: udp === 'drop' ? true : undefined };
}

/** What is known of the requests to servers that exist already. */
const NO_LOG: AccessLog = { skip() {}, take: () => [], takeWords: () => [] };

/** A page as one server serves it to one client. */
interface Served extends Pick<Party, 'log' | 'endConnections' | 'beginLoad' | 'takeNotes'> {
  readonly page: Page;
  /** The file that its form sends. */
  readonly uploads?: string | undefined;
}

async function serve(context: LoadContext, wanted: Wanted, client: number): Promise<Served> {
  const site = context.sites.get(wanted.site)!;
  if (isRecorded(site)) return await serveRecording(context, { ...wanted, site }, client);
  if (!isRemote(site)) return serveSite(context, { ...wanted, site }, client);
  const page = remotePage(site.manifest, wanted.protocol, wanted.visit, wanted.offer);
  const { host } = context.testbed.clients[client]!;
  return { page, log: NO_LOG, endConnections: () => cutConnections(host, serverPlacesOf([site.manifest])) };
}

function serveSite(
  { testbed, setups }: LoadContext,
  wanted: Pick<Wanted, 'protocol' | 'offer' | 'visit' | 'server' | 'congestion'> & { readonly site: GeneratedSite },
  client: number,
): Served {
  const { protocol, visit, congestion, server = setups[0].name } = wanted;
  const { manifest, root } = wanted.site;
  const { service } = serverFor(testbed.servers, client);
  const running = service.find({ name: server, congestion: protocol === 'h3' ? congestion : undefined });
  return {
    page: generatedPage(manifest, running.originFor(wanted, visit), visit),
    log: running.log,
    endConnections: () => running.restart(),
    uploads: manifest.upload && `${root}${manifest.upload.path}`,
  };
}

async function serveRecording(
  { testbed, dryRuns }: LoadContext,
  wanted: Pick<Wanted, 'protocol' | 'offer' | 'visit' | 'device'> & { readonly site: RecordedSite },
  client: number,
): Promise<Served> {
  const { site, protocol, visit, device } = wanted;
  const { server } = await replayServerFor(testbed, site, wanted, client);
  const { manifest } = server;
  const [first, ...others] = server.origins.map((origin) => asOffered(origin, wanted.offer));
  const origins = [first!, ...others] as const;
  const required = dryRuns.find({ site: site.manifest.site, protocol, visit, device });
  return {
    page: { url: manifest.url, visit, origins, objects: servedObjects(manifest, required), recorded: true },
    log: server.log,
    endConnections: () => server.restart(),
    beginLoad: () => server.beginLoad(),
    takeNotes: () => server.takeNotes(),
  };
}

/** Browsers that a load needs and the testbed has not got, each as a load that would warm it up, by its client. */
export async function missingBrowsers(
  context: LoadContext,
  wanted: Load,
): Promise<readonly (Load & { readonly client: number })[]> {
  const missing: (Load & { readonly client: number })[] = [];
  for (const [client, way] of waysOf(wanted).entries()) {
    const each = { ...wanted, ...way, client, browser: client === 0 ? wanted.browser : undefined };
    if (!context.testbed.browsers.has(await browserFor(context, each, client))) missing.push(each);
  }
  return missing;
}

/** A load's own way first, then what goes beside it. */
function waysOf({ beside = [], ...own }: Load): readonly Required<LoadWay>[] {
  return [own, ...beside].map(({ protocol, offer, server, congestion }) => ({ protocol, offer, server, congestion }));
}

/** Which browser a load is for; what goes beside it has none of its own. */
export async function browserFor(context: LoadContext, wanted: Load, client: number): Promise<BrowserWish> {
  const { protocol, visit, browser, site: name } = wanted;
  const own = browser && client === 0 && { own: browser };
  const site = context.sites.get(name)!;
  if (isRemote(site)) {
    const { kind, ...led } = remoteBrowser(site.manifest, protocol, visit, wanted.offer);
    const name = `remote${[...context.sites.keys()].indexOf(wanted.site)}-${wanted.offer ?? protocol}`;
    return { kind, client, ...own, route: { name, ...led } };
  }
  if (!isRecorded(site)) return { kind: kindFor(wanted), client, ...own };
  const { server, route } = await replayServerFor(context.testbed, site, wanted, client);
  if (wanted.offer !== undefined) return { kind: 'offered', client, ...own, route };
  const anyQuic = server.origins.some((origin) => origin.protocol === 'h3');
  return { kind: anyQuic ? 'quic' : 'tcp', client, ...own, route };
}

/** The server of a recorded site that a client is led to, and what leads its browser there. */
export async function replayServerFor(
  { servers }: Pick<Testbed, 'servers'>,
  site: RecordedSite,
  way: Pick<Load, 'protocol' | 'offer' | 'visit'>,
  client: number,
): Promise<{ readonly server: ReplayServer; readonly route: BrowserRoute }> {
  const { host, service } = serverFor(servers, client);
  const server = await service.replayServers.find(site, way);
  return { server, route: routeTo(server, host.address, way.offer) };
}

/** An origin as an offer has it: DNS tells of its H3 as well. */
function asOffered(origin: Origin, offer: Offer | undefined): Origin {
  return offer === 'h3-record' && tells(origin) ? { ...origin, published: true } : origin;
}

/** What leads a browser to the servers of a recorded site: one that is made offers looks their names up. */
function routeTo(server: ReplayServer, address: string, offer: Offer | undefined): BrowserRoute {
  const { manifest, spki } = server;
  const origins = server.origins.map((origin) => asOffered(origin, offer));
  const name = offer === undefined ? server.name : `${server.name}-${offer}`;
  const placeOf = (origin: Origin) => (offer === undefined ? address : hostInLab(origin));
  const asNamed = ({ host, url }: Origin) => ({ host, port: portOf(url) });
  const overQuic = origins.filter(({ protocol }) => protocol === 'h3');
  return {
    name,
    spki,
    quicOrigins: overQuic.map((each) => forcedAt({ ...each, ...asNamed(each) })),
    past: { seed: manifest.seed, atMs: manifest.recordedAtMs },
    mapped: origins.map((origin) => ({ ...asNamed(origin), address: `${placeOf(origin)}:${origin.port}` })),
  };
}

/** Which browser speaks a protocol; all offers are made to the same one. */
function kindFor({ protocol, offer, visit }: Wanted): BrowserKind {
  if (offer !== undefined) return 'offered';
  if (protocol !== 'h3') return 'tcp';
  return visit === 'discovered' ? 'discovering' : 'quic';
}
