import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ORIGINS } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import type { Host } from '../model/lab.ts';
import type { GeneratedSite } from '../model/site.ts';
import { type AccessLog, followAccessLog } from '../server/access-log.ts';
import { makeCertificate } from '../server/certificate.ts';
import { ACCESS_LOG, CONFIGURATION, openNginx, type ServerOptions } from '../server/nginx.ts';
import { openBackend } from '../site/open-backend.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { readTools } from '../system/tools.ts';
import { writeWhole } from '../system/write-whole.ts';

/** Sites that are served on every origin of a host, whatever happens to the server. */
export interface Service extends AsyncDisposable {
  /** Of the certificate's key. */
  readonly spki: string;
  readonly log: AccessLog;
  /** The server's, as it was started. */
  readonly configuration: string;
  /** Ends every connection in order. */
  restart(): Promise<void>;
  /** Has every page come that much later; absent or 0: as soon as it can. */
  hold(ms?: number): void;
  /** Starts the server again where it has ended. */
  revive(): Promise<void>;
  /** What has ended, if anything has. */
  findDead(): Capture['broken'];
}

/** Serves sites on a host of the lab. */
export async function openService(
  host: Host,
  served: { readonly sites: readonly GeneratedSite[]; readonly altSvc: boolean },
): Promise<Service> {
  await using undo = new AsyncDisposableStack();
  const folder = `${SCRATCH}/${host.namespace}`;
  mkdirSync(folder, { recursive: true });
  const certificate = await makeCertificate(folder, [...new Set(ORIGINS.map((origin) => origin.host))]);
  const holdFile = `${folder}/hold`;
  const startBackend = () => openBackend(host, { uploads: `${folder}/uploads`, holdFile });
  let backend = await startBackend();
  undo.defer(() => backend[Symbol.asyncDispose]());
  const options: ServerOptions = {
    ...{
      argv: readTools().nginx.argv,
      host,
      folder,
      certificate,
      origins: ORIGINS,
      backend: backend.address,
      holdFile,
    },
    ...served,
  };
  let server = await openNginx(options);
  undo.defer(() => server[Symbol.asyncDispose]());
  const kept = undo.move();
  return {
    spki: certificate.spki,
    configuration: readFileSync(`${folder}/${CONFIGURATION}`, 'utf8'),
    log: followAccessLog(`${folder}/${ACCESS_LOG}`),
    restart: () => server.restart(),
    hold(ms = 0) {
      if (ms === 0) rmSync(holdFile, { force: true });
      else writeWhole(holdFile, `${ms}`);
    },
    async revive() {
      if (backend.ended() !== undefined) backend = await startBackend();
      if (server.findFault() === undefined) return;
      await server[Symbol.asyncDispose]();
      server = await openNginx(options);
    },
    findDead() {
      const end = backend.ended();
      const says = server.findFault() ?? (end === undefined ? undefined : `the backend ended (${end})`);
      return says === undefined ? undefined : { part: 'server', says };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
