import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Origin } from '../model/arm.ts';
import type { Host } from '../model/lab.ts';
import { start } from '../system/process.ts';
import { type Certificate, makeCertificate } from './certificate.ts';

/** A server that serves one folder on every arm's origin. */
export interface Server extends AsyncDisposable {
  readonly spki: string;
}

export interface ServerOptions {
  readonly argv: readonly [string, ...string[]];
  readonly host: Host;
  /** Its own, for configuration, certificate and logs; made here. */
  readonly folder: string;
  /** The files to serve. */
  readonly root: string;
  readonly origins: readonly Origin[];
}

const TEMPLATE = new URL('../../nginx/nginx.conf', import.meta.url).pathname;
const READY_TIMEOUT_MS = 5_000;

/** Starts nginx on a host of the lab; resolves once it listens. */
export async function openNginx(options: ServerOptions): Promise<Server> {
  const { argv, host, folder } = options;
  mkdirSync(folder, { recursive: true });
  const certificate = await makeCertificate(folder, [...new Set(options.origins.map((origin) => origin.host))]);
  const configuration = `${folder}/nginx.conf`;
  writeFileSync(configuration, renderNginx(readFileSync(TEMPLATE, 'utf8'), options, certificate));
  const program = [...argv, '-p', folder, '-e', `${folder}/error.log`, '-c', configuration] as const;
  // Its number is the last thing that it writes before it serves; an earlier server's must not be taken for it.
  rmSync(`${folder}/nginx.pid`, { force: true });
  await using undo = new AsyncDisposableStack();
  const server = undo.use(start(program, { namespace: host.namespace }));
  const until = Date.now() + READY_TIMEOUT_MS;
  while (!existsSync(`${folder}/nginx.pid`) || readFileSync(`${folder}/nginx.pid`, 'utf8') === '') {
    const ended = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    if (ended !== undefined || Date.now() > until)
      throw new Error(`nginx did not start: ${readFileSync(`${folder}/error.log`, 'utf8')}`);
  }
  const kept = undo.move();
  return { spki: certificate.spki, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The whole configuration as text. */
export function renderNginx(
  template: string,
  { folder, host, root, origins }: Pick<ServerOptions, 'folder' | 'host' | 'root' | 'origins'>,
  { certificate, key }: Pick<Certificate, 'certificate' | 'key'>,
): string {
  const blocks = origins.map((origin) => renderOrigin(origin, host.address, root, folder)).join('\n');
  const words: Readonly<Record<string, string>> = { folder, certificate, key, origins: blocks };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!);
}

function renderOrigin({ protocol, port }: Origin, address: string, root: string, folder: string): string {
  const listen = {
    h1: `listen ${address}:${port} ssl; http2 off; http3 off;`,
    h2: `listen ${address}:${port} ssl; http2 on; http3 off;`,
    // Only over QUIC: a browser that falls back to TCP finds nobody there.
    // One socket takes every connection's datagrams: room for a burst of them.
    h3: `listen ${address}:${port} quic reuseport rcvbuf=7500k sndbuf=7500k; http3 on;`,
    h1c: `listen ${address}:${port}; http2 off; http3 off;`,
  }[protocol];
  // Without it Chromium treats a forced h3 origin as one without priorities and holds low-priority requests to six at a
  // time. The other arms send a header of the same length that says nothing.
  const altSvc = `h3=":${port}"; ma=86400`;
  const header = protocol === 'h3' ? `Alt-Svc '${altSvc}'` : `Not-Svc '${altSvc}'`;
  return `  server {
    ${listen}
    server_name ${protocol};
    root ${root};
    add_header ${header} always;
    add_header Cache-Control 'max-age=86400' always;
    access_log ${folder}/access-${protocol}.log proof;
  }
`;
}
