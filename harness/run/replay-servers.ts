import { mkdirSync } from 'node:fs';
import { type Origin, receptionOf, receptionOffering } from '../model/arm.ts';
import type { Host } from '../model/lab.ts';
import type { RecordedManifest, RecordedSite, ReplayNote } from '../model/recording.ts';
import type { AccessLog } from '../server/access-log.ts';
import { requireServer } from '../server/adapters.ts';
import { makeCertificate } from '../server/certificate.ts';
import { replayNginx } from '../server/replay-nginx.ts';
import { openServer, type Server } from '../server/server.ts';
import { readRecording } from '../site/record/store.ts';
import { certificateNames } from '../site/replay/addresses.ts';
import { openReplay, type RunningReplay } from '../site/replay/open-replay.ts';
import { findServable } from '../site/replay/servable.ts';
import { type ServingWish, servedOrigins } from '../site/replay/served-recording.ts';
import type { Asked } from '../system/silence.ts';
import { PROJECT } from '../system/tools.ts';

/** A recorded site as one protocol and one kind of visit have it, served by nginx with the replay behind it. */
export interface ReplayServer {
  /** No other server's. */
  readonly name: string;
  readonly manifest: RecordedManifest;
  /** The page's own first. */
  readonly origins: readonly [Origin, ...Origin[]];
  /** Of the certificate that all origins have. */
  readonly spki: string;
  readonly log: AccessLog;
  /** Ends every connection in order. */
  restart(): Promise<void>;
  /** Another load begins: what came before is forgotten. */
  beginLoad(): void;
  /** What was asked for otherwise than it was recorded, since then. */
  takeNotes(): readonly ReplayNote[];
}

/** How one arm has a recorded site served. */
export type ServedWay = Pick<ServingWish, 'protocol' | 'visit' | 'offer'>;

/** The replayServers on a host: each is opened by the first load that wants it. */
export interface ReplayServers extends AsyncDisposable {
  /** All that can be asked whether it answers. */
  parts(): readonly Asked[];
  find(site: RecordedSite, way: ServedWay): Promise<ReplayServer>;
  /** Of each server, as it was started. */
  configurations(): Readonly<Record<string, string>>;
  /** Starts again what has ended. */
  revive(): Promise<void>;
  /** What has ended, if anything has. */
  findFault(): string | undefined;
}

/** How a study wants recorded sites served. */
export interface ReplayWish {
  /** Whether the arm's protocol is that of all origins, and not of the page's own server alone. */
  readonly allOrigins: boolean;
  /** Whether answers take as long as they took when they were recorded. */
  readonly thinks: boolean;
}

export interface ReplayServersOptions extends ReplayWish {
  /** Nobody else's. */
  readonly folder: string;
}

/** Ports of replayServers, and of the replays behind them: as many as are needed from there on. */
const FIRST_PORT = 12_000;
/** So many that a name server tells of them beforehand, in whatever order they are opened. */
const FORESEEN_PORTS = 200;

/** Ports at which a recorded site's servers may come to be. */
export const REPLAY_PORTS: readonly number[] = Array.from({ length: FORESEEN_PORTS }, (_, index) => FIRST_PORT + index);
const FIRST_REPLAY_PORT = 3_000;

/** Where recordings are that were made over, so that TLS can be spoken with all of their origins. */
const SECURED = `${PROJECT}.lab/sites/secured`;

/** A recording that is served, for all replayServers of it that have TLS, or all that have none. */
interface Replayed {
  /** As it is served. */
  readonly manifest: RecordedManifest;
  readonly replay: RunningReplay;
}

/** No replayServers yet. */
export function openReplayServers(host: Host, { folder, allOrigins, thinks }: ReplayServersOptions): ReplayServers {
  const undo = new AsyncDisposableStack();
  const replayServers = new Map<string, ReplayServer & { readonly server: Server }>();
  const replays = new Map<string, Replayed>();
  let firstPort = FIRST_PORT;

  /** One replay for all replayServers of a site over TLS, and one for those without. */
  const findReplay = async ({ root, manifest }: RecordedSite, secure: boolean) => {
    const name = `${manifest.site}-${secure ? 'tls' : 'clear'}`;
    const found = replays.get(name);
    if (found) return found;
    const { site } = secure ? findServable(root, SECURED) : readRecording(root);
    mkdirSync(`${folder}/${name}`, { recursive: true });
    const place = { root: site.root, thinks, port: FIRST_REPLAY_PORT + replays.size, notes: `${folder}/${name}/notes` };
    const replay = undo.use(await openReplay(host, place));
    const opened = { manifest: site.manifest, replay };
    replays.set(name, opened);
    return opened;
  };
  const openReplayServer = async (site: RecordedSite, wish: ServedWay, name: string) => {
    const { manifest, replay } = await findReplay(site, wish.protocol !== 'h1c');
    const origins = servedOrigins(manifest, { ...wish, allOrigins, firstPort });
    firstPort += new Set(origins.map(({ port }) => port)).size;
    const own = `${folder}/${name}`;
    mkdirSync(own, { recursive: true });
    const certificate = await makeCertificate(own, certificateNames(manifest));
    const server = undo.use(
      await openServer(replayNginx, {
        ...{ host, folder: own, certificate, origins, backend: replay.address, sites: [], behind: '', holdFile: '' },
        argv: requireServer('nginx').argv,
      }),
    );
    return {
      ...{ name, manifest, origins, spki: certificate.spki, log: server.log, server },
      restart: () => server.restart(),
      beginLoad: () => replay.beginLoad(),
      takeNotes: () => replay.takeNotes(),
    };
  };
  return {
    parts: () => [
      ...[...replayServers.values()].map(({ server }) => server),
      ...[...replays.values()].map(({ replay }) => replay),
    ],
    async find(site, way) {
      const { protocol, visit, offer } = way;
      const isOffered = offer !== undefined && (protocol === 'h2' || protocol === 'h3');
      const reception = isOffered ? receptionOffering(protocol, visit) : receptionOf(protocol, visit);
      const name = `${site.manifest.site}-${protocol}-${reception}`;
      const server = replayServers.get(name) ?? (await openReplayServer(site, way, name));
      replayServers.set(name, server);
      return server;
    },
    configurations: () =>
      Object.fromEntries([...replayServers].map(([name, { server }]) => [name, server.configuration])),
    async revive() {
      for (const { replay } of replays.values()) await replay.revive();
      for (const { server } of replayServers.values()) await server.revive();
    },
    findFault() {
      const servers = [...replayServers.values()].map(({ server }) => server.findFault());
      const ends = [...replays.values()].map(({ replay }) => replay.ended());
      const end = ends.find((each) => each !== undefined);
      return servers.find(Boolean) ?? (end === undefined ? undefined : `the replay ended (${end})`);
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
