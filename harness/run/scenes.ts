import { mkdirSync } from 'node:fs';
import type { Origin, Protocol, Visit } from '../model/arm.ts';
import { receptionOf } from '../model/arm.ts';
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
import { sceneOrigins } from '../site/replay/scene.ts';
import { findServable } from '../site/replay/servable.ts';
import { PROJECT } from '../system/tools.ts';

/** A recorded site as one protocol and one kind of visit have it, served by nginx with the replay behind it. */
export interface Scene {
  /** No other scene's. */
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

/** The scenes on a host: each is opened by the first load that wants it. */
export interface Scenes extends AsyncDisposable {
  find(site: RecordedSite, protocol: Protocol, visit: Visit): Promise<Scene>;
  /** Of each scene's server, as it was started. */
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

export interface ScenesOptions extends ReplayWish {
  /** Nobody else's. */
  readonly folder: string;
}

/** Ports of scenes, and of the replays behind them: as many as are needed from there on. */
const FIRST_PORT = 12_000;
const FIRST_REPLAY_PORT = 3_000;

/** Where recordings are that were made over, so that TLS can be spoken with all of their origins. */
const SECURED = `${PROJECT}.lab/sites/secured`;

/** No scenes yet. */
export function openScenes(host: Host, { folder, allOrigins, thinks }: ScenesOptions): Scenes {
  const undo = new AsyncDisposableStack();
  const scenes = new Map<string, Scene & { readonly server: Server }>();
  const replays = new Map<string, RevivableReplay>();
  let firstPort = FIRST_PORT;

  /** One replay for all scenes of a site over TLS, and one for those without. */
  const findReplay = async (root: string, name: string) => {
    const found = replays.get(name);
    if (found) return found;
    const place = { root, thinks, port: FIRST_REPLAY_PORT + replays.size, notes: `${folder}/${name}/notes` };
    mkdirSync(`${folder}/${name}`, { recursive: true });
    const opened = undo.use(await openRevivable(host, place));
    replays.set(name, opened);
    return opened;
  };
  const openScene = async (site: RecordedSite, wish: { protocol: Protocol; visit: Visit }, name: string) => {
    const secure = wish.protocol !== 'h1c';
    const { manifest, root } = (secure ? findServable(site.root, SECURED) : readRecording(site.root)).site;
    const origins = sceneOrigins(manifest, { ...wish, allOrigins, firstPort });
    firstPort += new Set(origins.map(({ port }) => port)).size;
    const replay = await findReplay(root, `${site.manifest.site}-${secure ? 'tls' : 'clear'}`);
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
    async find(site, protocol, visit) {
      const name = `${site.manifest.site}-${protocol}-${receptionOf(protocol, visit)}`;
      const scene = scenes.get(name) ?? (await openScene(site, { protocol, visit }, name));
      scenes.set(name, scene);
      return scene;
    },
    configurations: () => Object.fromEntries([...scenes].map(([name, { server }]) => [name, server.configuration])),
    async revive() {
      for (const replay of replays.values()) await replay.revive();
      for (const { server } of scenes.values()) await server.revive();
    },
    findFault() {
      const servers = [...scenes.values()].map(({ server }) => server.findFault());
      return [...servers, ...[...replays.values()].map((replay) => replay.findFault())].find(Boolean);
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

interface RevivableReplay extends Pick<RunningReplay, 'address' | 'beginLoad' | 'takeNotes'>, AsyncDisposable {
  revive(): Promise<void>;
  findFault(): string | undefined;
}

async function openRevivable(host: Host, place: Parameters<typeof openReplay>[1]): Promise<RevivableReplay> {
  let starts = 0;
  const open = () => {
    starts += 1;
    return openReplay(host, { ...place, notes: `${place.notes}-${starts}` });
  };
  let replay = await open();
  return {
    address: replay.address,
    beginLoad: () => replay.beginLoad(),
    takeNotes: () => replay.takeNotes(),
    async revive() {
      if (replay.ended() !== undefined) replay = await open();
    },
    findFault: () => (replay.ended() === undefined ? undefined : `the replay ended (${replay.ended()})`),
    [Symbol.asyncDispose]: () => replay[Symbol.asyncDispose](),
  };
}
