import type { BrowserKind } from '../browser/flags.ts';
import type { LoadOptions } from '../browser/load.ts';
import type { Protocol, Visit } from '../model/arm.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import { generatedPage } from '../model/page.ts';
import type { ServerSetup } from '../model/server.ts';
import type { GeneratedSite } from '../model/site.ts';
import type { Way } from '../model/study.ts';
import { probeRoundTrips } from '../network/round-trips.ts';
import type { BrowserWish, OwnBrowser } from './browsers.ts';
import { type Stage, serverFor } from './stage.ts';
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
  /** So many tabs are opened by each client at once. */
  readonly tabs?: number | undefined;
}

/** How a page comes; from the first server where none is named. */
export interface LoadWay {
  readonly protocol: Protocol;
  readonly server?: Way['server'] | undefined;
  readonly congestion?: Way['congestion'] | undefined;
}

/** What a load is made with. */
export interface Cast {
  readonly stage: Stage;
  readonly sites: ReadonlyMap<string, GeneratedSite>;
  /** The default first. */
  readonly setups: readonly [ServerSetup, ...ServerSetup[]];
}

/** A load, or what is done with it besides. */
export type Wanted = Load & Pick<Trial, 'filmed'>;

/** Makes the stage what a load wants, and says who makes it: each from a client of his own, the load's own first. */
export async function seatParties(cast: Cast, wanted: Wanted): Promise<readonly [Party, ...Party[]]> {
  const { stage } = cast;
  const ways = waysOf(wanted);
  await reviveServers(stage, wanted.holdMs);
  for (const [client, { protocol, congestion }] of ways.entries())
    await stage.setCongestion(client % stage.servers.length, protocol === 'h3' ? undefined : congestion);
  const parties: Party[] = [];
  for (const [client, way] of ways.entries()) parties.push(await seatParty(cast, { ...wanted, ...way }, client));
  return parties as [Party, ...Party[]];
}

/** Starts what has ended, and has pages come that much later; absent: as soon as they can. */
export async function reviveServers({ servers }: Stage, holdMs?: number): Promise<void> {
  for (const { service } of servers) {
    await service.revive();
    service.hold(holdMs);
  }
}

/** The browser, the server and the witnesses of one who loads from a client. */
export async function seatParty({ stage, sites, setups }: Cast, wanted: Wanted, client: number): Promise<Party> {
  const { protocol, visit, site, device, timeoutMs, filmed, tabs, congestion, server = setups[0].name } = wanted;
  const { manifest, root } = sites.get(site)!;
  const { host, counters } = stage.clients[client]!;
  const goesTo = serverFor(stage.servers, client);
  const running = goesTo.service.find({ name: server, congestion: protocol === 'h3' ? congestion : undefined });
  const upload: LoadOptions['upload'] =
    manifest.upload && !filmed
      ? { file: `${root}${manifest.upload.path}`, probe: () => probeRoundTrips(host, goesTo.host) }
      : undefined;
  return {
    launched: await stage.browsers.find(browserFor(wanted, client)),
    trial: {
      ...{ page: generatedPage(manifest, running.originFor(protocol, visit), visit), device: DEVICES[device] },
      ...{ timeoutMs, tabs, upload },
      ...(filmed && { filmed }),
    },
    ...{ client: counters, server: goesTo.counters, log: running.log, endConnections: () => running.restart() },
  };
}

/** Browsers that a load needs and the stage has not got, each as a load that would warm it up, by its client. */
export function missingBrowsers({ browsers }: Stage, wanted: Load): readonly (Load & { readonly client: number })[] {
  return waysOf(wanted)
    .map((way, client) => ({ ...wanted, ...way, client, browser: client === 0 ? wanted.browser : undefined }))
    .filter((each) => !browsers.has(browserFor(each, each.client)));
}

/** A load's own way first, then what goes beside it. */
function waysOf({ beside = [], ...own }: Load): readonly Required<LoadWay>[] {
  return [own, ...beside].map(({ protocol, server, congestion }) => ({ protocol, server, congestion }));
}

/** Which browser a load is for; what goes beside it has none of its own. */
function browserFor(
  { protocol, visit, browser }: Pick<Load, 'protocol' | 'visit' | 'browser'>,
  client: number,
): BrowserWish {
  return { kind: kindFor(protocol, visit), client, ...(browser && client === 0 && { own: browser }) };
}

/** Which browser speaks a protocol. */
function kindFor(protocol: Protocol, visit: Visit): BrowserKind {
  if (protocol !== 'h3') return 'tcp';
  return visit === 'discovered' ? 'discovering' : 'quic';
}
