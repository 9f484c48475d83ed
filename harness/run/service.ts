import { mkdirSync, rmSync } from 'node:fs';
import { type Origin, originFor, originOffering, originsAt, type Protocol, type Visit } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import type { Host } from '../model/lab.ts';
import type { Offer } from '../model/offer.ts';
import { nameOfSetup, type ServerSetup } from '../model/server.ts';
import type { GeneratedSite } from '../model/site.ts';
import type { AccessLog } from '../server/access-log.ts';
import type { Adapter, ServerSettings } from '../server/adapter.ts';
import { findAdapter, requireServer } from '../server/adapters.ts';
import type { Certificate } from '../server/certificate.ts';
import { nginx } from '../server/nginx.ts';
import { openServer, type Server } from '../server/server.ts';
import { openBackend } from '../site/open-backend.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { condemnSilent } from '../system/silence.ts';
import { writeWhole } from '../system/write-whole.ts';
import { openReplayServers, type ReplayServers, type ReplayWish } from './replay-servers.ts';

/** Sites that are served on every origin of a host, by each of some servers, whatever happens to them. */
export interface Service extends AsyncDisposable {
  /** Recorded sites, each by a server of its own. */
  readonly replayServers: ReplayServers;
  /** Finds one of the servers that were asked for. */
  find(setup: ServerSetup): RunningServer;
  /** The configuration that each server was started with. */
  configurations(): Readonly<Record<string, string>>;
  /** Has every page come later by `ms`; absent or 0: as soon as it can. */
  hold(ms?: number): void;
  /** Starts again what has ended. */
  revive(): Promise<void>;
  /** What has ended, if anything has. */
  findDead(): Capture['broken'];
  /** Asks all servers from their own host whether they answer; those that do not have ended from now on. */
  ask(): Promise<void>;
}

/** A server that stays what it is when it is started again. */
export interface RunningServer {
  readonly log: AccessLog;
  originFor(way: { readonly protocol: Protocol; readonly offer?: Offer | undefined }, visit: Visit): Origin;
  /** Ends every connection in order. */
  restart(): Promise<void>;
}

export interface ServiceOptions {
  readonly sites: readonly GeneratedSite[];
  /** The place in this list says which ports a server has. */
  readonly setups: readonly ServerSetup[];
  readonly certificate: Certificate;
  readonly altSvc: boolean;
  readonly replay: ReplayWish;
}

/** Where the plain server behind others is, if any of them has one. */
const BEHIND: Origin = {
  protocol: 'h1c',
  reception: 'first',
  host: '127.0.0.1',
  port: 4401,
  url: 'http://127.0.0.1:4401',
};

/** Serves sites on a host of the lab. */
export async function openService(host: Host, options: ServiceOptions): Promise<Service> {
  const { sites, setups, certificate, altSvc, replay } = options;
  await using undo = new AsyncDisposableStack();
  const folder = `${SCRATCH}/${host.namespace}`;
  mkdirSync(folder, { recursive: true });
  const holdFile = `${folder}/hold`;
  const startBackend = () => openBackend(host, { uploads: `${folder}/uploads`, holdFile });
  let backend = await startBackend();
  undo.defer(() => backend[Symbol.asyncDispose]());
  const common = { sites, certificate, holdFile, backend: backend.address, behind: `${BEHIND.host}:${BEHIND.port}` };
  const servers: Server[] = [];
  const place = async (adapter: Adapter, settings: Omit<ServerSettings, keyof typeof common>) =>
    undo.use(await openServer(adapter, { ...common, ...settings, argv: requireServer(adapter.name).argv }));
  if (setups.some(({ name }) => findAdapter(name).hasServerBehind))
    servers.push(
      await place(nginx, { host: { ...host, address: BEHIND.host }, folder: `${folder}/behind`, origins: [BEHIND] }),
    );
  const named = new Map<string, RunningServer & { readonly configuration: string }>();
  for (const [slot, setup] of setups.entries()) {
    const adapter = findAdapter(setup.name);
    const origins = originsAt(slot).filter(({ protocol }) => adapter.protocols.includes(protocol));
    const name = nameOfSetup(setup);
    const { congestion } = setup;
    const server = await place(adapter, { host, folder: `${folder}/${name}`, origins, congestion, altSvc });
    servers.push(server);
    named.set(name, {
      log: server.log,
      configuration: server.configuration,
      originFor: ({ protocol, offer }, visit) =>
        offer === undefined ? originFor(protocol, visit, slot) : originOffering(offer, visit, slot),
      restart: () => server.restart(),
    });
  }
  const replayServers = undo.use(openReplayServers(host, { ...replay, folder: `${folder}/replayServers` }));
  const kept = undo.move();
  return {
    replayServers,
    find: (setup) => named.get(nameOfSetup(setup))!,
    configurations: () => ({
      ...Object.fromEntries([...named].map(([name, { configuration }]) => [name, configuration])),
      ...replayServers.configurations(),
    }),
    hold(ms = 0) {
      if (ms === 0) rmSync(holdFile, { force: true });
      else writeWhole(holdFile, `${ms}`);
    },
    async revive() {
      if (backend.ended() !== undefined) {
        await backend[Symbol.asyncDispose]();
        backend = await startBackend();
      }
      for (const server of servers) await server.revive();
      await replayServers.revive();
    },
    ask: () => condemnSilent(host.namespace, [...servers, backend, ...replayServers.parts()]),
    findDead() {
      const end = backend.ended();
      const says =
        servers.map((server) => server.findFault()).find((fault) => fault !== undefined) ??
        replayServers.findFault() ??
        (end === undefined ? undefined : `the backend ended (${end})`);
      return says === undefined ? undefined : { part: 'server', says };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
