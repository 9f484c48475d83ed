import { mkdirSync } from 'node:fs';
import { type Origin, receptionOf, receptionOffering } from '../model/arm.ts';
import type { Host } from '../model/lab.ts';
import type { RecordedManifest, RecordedSite, ReplayNote } from '../model/recording.ts';
import type { AccessLog } from '../server/access-log.ts';
import { requireServer } from '../server/adapters.ts';
import { makeCertificate } from '../server/certificate.ts';
import { replayNginx } from '../server/replay-nginx.ts';
import { openServer, type Server } from '../server/server.ts';
import { certificateNames } from '../site/replay/addresses.ts';
import { openReplay, type RunningReplay } from '../site/replay/open-replay.ts';
import { findServable } from '../site/replay/servable.ts';
import { type ServingWish, servedOrigins } from '../site/replay/served-recording.ts';
import type { Asked } from '../system/silence.ts';
import { PROJECT } from '../system/tools.ts';
import { readAgain } from './sites.ts';

/** A recorded site as one protocol and one kind of visit have it, served by nginx with the replay behind it. */
export interface ReplayServer {
  /** A name that no other server has. */
  readonly name: string;
  readonly manifest: RecordedManifest;
  /** Its origins, the page's own first. */
  readonly origins: readonly [Origin, ...Origin[]];
  /** The digest of the key of the certificate that all origins share. */
  readonly spki: string;
  readonly log: AccessLog;
  /** Ends every connection in order. */
  restart(): Promise<void>;
  /** Tells it that another load begins: what came before is forgotten. */
  beginLoad(): void;
  /** Requests since then that differ from what was recorded. */
  takeNotes(): readonly ReplayNote[];
}

/** How one arm has a recorded site served. */
export type ServedWay = Pick<ServingWish, 'protocol' | 'visit' | 'offer'>;

/** The replay servers on a host: each is opened by the first load that wants it. */
export interface ReplayServers extends AsyncDisposable {
  /** All that can be asked whether it answers. */
  parts(): readonly Asked[];
  find(site: RecordedSite, way: ServedWay): Promise<ReplayServer>;
  /** The configuration that each server was started with. */
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
  /** A folder that nothing else uses. */
  readonly folder: string;
}

/** The first port of replay servers: they take as many from there on as they need. */
const FIRST_PORT = 12_000;
/** How many of these ports a name server announces beforehand, in whatever order they are opened. */
const FORESEEN_PORTS = 200;

/** Ports at which a recorded site's servers may listen. */
export const REPLAY_PORTS: readonly number[] = Array.from({ length: FORESEEN_PORTS }, (_, index) => FIRST_PORT + index);
const FIRST_REPLAY_PORT = 3_000;

/** Where recordings are that were converted so that TLS can be spoken with all of their origins. */
const SECURED = `${PROJECT}.lab/sites/secured`;

/** A recording that is served, for all replay servers of it that have TLS, or all that have none. */
interface Replayed {
  /** The manifest with the addresses at which the recording is served. */
  readonly manifest: RecordedManifest;
  readonly replay: RunningReplay;
}

/** The replay servers on a host, none of which is open yet. */
export function openReplayServers(host: Host, { folder, allOrigins, thinks }: ReplayServersOptions): ReplayServers {
  const undo = new AsyncDisposableStack();
  const replayServers = new Map<string, ReplayServer & { readonly server: Server }>();
  const replays = new Map<string, Replayed>();
  let firstPort = FIRST_PORT;

  /** One replay for all replay servers of a site over TLS, and one for those without. */
  const findReplay = async (recorded: RecordedSite, secure: boolean) => {
    const name = `${recorded.manifest.site}-${secure ? 'tls' : 'clear'}`;
    const found = replays.get(name);
    if (found) return found;
    const read = readAgain(recorded);
    const { site } = secure ? findServable(read, SECURED) : read;
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
        host,
        folder: own,
        certificate,
        origins,
        backend: replay.address,
        sites: [],
        behind: '',
        holdFile: '',
        argv: requireServer('nginx').argv,
      }),
    );
    return {
      name,
      manifest,
      origins,
      spki: certificate.spki,
      log: server.log,
      server,
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
