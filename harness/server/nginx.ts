import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Origin, Reception } from '../model/arm.ts';
import type { Host } from '../model/lab.ts';
import { type GeneratedSite, HELLO_PATH, HOLD_PATH, THINK_PATH, THOUGHT_PATH, UPLOAD_PATH } from '../model/site.ts';
import { killGroup, start } from '../system/process.ts';
import type { Certificate } from './certificate.ts';

/** A server that serves sites on every arm's origin. */
export interface Server extends AsyncDisposable {
  /**
   * Lets requests end and closes every connection as its protocol wants it, then starts anew with the same keys. Throws
   * where it did not end in time; it is killed then.
   */
  restart(): Promise<void>;
  /** What has ended of it, if anything has; it serves no more, or not as before. */
  findFault(): string | undefined;
}

export interface ServerOptions {
  readonly argv: readonly [string, ...string[]];
  readonly host: Host;
  /** Its own, for configuration and logs; made here. */
  readonly folder: string;
  readonly certificate: Certificate;
  readonly sites: readonly GeneratedSite[];
  readonly origins: readonly Origin[];
  /** Where uploads and thoughts go: an address and a port that only this server reaches. */
  readonly backend: string;
  /** While this file is there, the pages themselves wait for the backend, which reads in it for how long. */
  readonly holdFile: string;
  /** Whether h3 responses carry Alt-Svc; only the test of why they must takes it away. */
  readonly altSvc?: boolean;
  /** How long a restart may wait for connections to end. */
  readonly restartTimeoutMs?: number;
}

const TEMPLATE = new URL('../../nginx/nginx.conf', import.meta.url).pathname;
const READY_TIMEOUT_MS = 5_000;
/** A connection of QUIC's ends three probe timeouts after it was closed: nine round trips and more. */
const RESTART_TIMEOUT_MS = 30_000;

/** Where the server's log of requests is, and its configuration, below its folder. */
export const ACCESS_LOG = 'access.log';
export const CONFIGURATION = 'nginx.conf';
const ERROR_LOG = 'error.log';

/** Opens nginx on a host of the lab; resolves once it listens. */
export async function openNginx(options: ServerOptions): Promise<Server> {
  const { folder, restartTimeoutMs = RESTART_TIMEOUT_MS } = options;
  mkdirSync(folder, { recursive: true });
  for (const [key, bytes] of Object.entries(KEY_BYTES))
    writeFileSync(`${folder}/${key}`, randomBytes(bytes), { mode: 0o600 });
  let running = await startNginx(options);
  return {
    async restart() {
      running.server.child.kill('SIGQUIT');
      const timer = setTimeout(() => killGroup(running.server.pid), restartTimeoutMs);
      await running.server.ended;
      clearTimeout(timer);
      if (running.server.child.signalCode !== null)
        throw new Error(`nginx did not end in order within ${restartTimeoutMs / 1000} s`);
      rmSync(`${folder}/${ERROR_LOG}`, { force: true }); // A study has it start thousands of times.
      running = await startNginx(options);
    },
    findFault: () => running.findFault(),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const TICKET_KEY = 'tickets.key';
const TOKEN_KEY = 'tokens.key';
const KEY_BYTES = { [TICKET_KEY]: 80, [TOKEN_KEY]: 32 };

async function startNginx(options: ServerOptions) {
  const { argv, host, folder } = options;
  const configuration = `${folder}/${CONFIGURATION}`;
  writeFileSync(configuration, renderNginx(readFileSync(TEMPLATE, 'utf8'), options));
  const program = [...argv, '-p', folder, '-e', `${folder}/${ERROR_LOG}`, '-c', configuration] as const;
  // Its number is the last thing that it writes before it serves; an earlier server's must not be taken for it.
  rmSync(`${folder}/nginx.pid`, { force: true });
  await using undo = new AsyncDisposableStack();
  const server = start(program, { namespace: host.namespace });
  undo.defer(() => killGroup(server.pid)); // Its worker does not end with it, and must not serve on.
  undo.use(server);
  const until = Date.now() + READY_TIMEOUT_MS;
  const isUp = () => existsSync(`${folder}/nginx.pid`) && readFileSync(`${folder}/nginx.pid`, 'utf8') !== '';
  while (!isUp() || readChild(server.pid) === undefined) {
    const ended = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    if (ended === undefined && Date.now() < until) continue;
    const log = `${folder}/${ERROR_LOG}`;
    throw new Error(`nginx did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ended}`);
  }
  const worker = readChild(server.pid);
  const kept = undo.move();
  return {
    server,
    findFault() {
      const { exitCode, signalCode } = server.child;
      if (exitCode !== null || signalCode !== null) return `nginx ended (${signalCode ?? exitCode})`;
      return worker !== undefined && existsSync(`/proc/${worker}`) ? undefined : "nginx's worker ended";
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The first child of a process that is there. */
function readChild(pid: number): string | undefined {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ')[0] || undefined : undefined;
}

/** What the configuration depends on. */
export type NginxConfiguration = Omit<ServerOptions, 'argv'>;

/** The whole configuration as text. */
export function renderNginx(template: string, configuration: NginxConfiguration): string {
  const { folder, backend, sites, origins } = configuration;
  const { certificate, key } = configuration.certificate;
  const thinking = sites.flatMap(({ manifest }) =>
    manifest.objects.flatMap(({ path, thinkMs }) => (thinkMs === undefined ? [] : [`    ${path} ${thinkMs};`])),
  );
  const words: Readonly<Record<string, string>> = {
    ...{ folder, certificate, key, backend, accessLog: ACCESS_LOG, ticketKey: `${folder}/${TICKET_KEY}` },
    tokenKey: `${folder}/${TOKEN_KEY}`,
    thinking: thinking.join('\n'),
    origins: origins.map((origin) => renderOrigin(origin, configuration)).join('\n'),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!);
}

function renderOrigin(
  { protocol, reception, port }: Origin,
  { host, sites, holdFile, altSvc }: NginxConfiguration,
): string {
  const listen = {
    h1: [`listen ${host.address}:${port} ssl;`],
    h2: [`listen ${host.address}:${port} ssl;`, 'http2 on;'],
    // Only over QUIC: a browser that falls back to TCP finds nobody there.
    h3: [renderQuicListen(host, port), 'http3 on;'],
    h1c: [`listen ${host.address}:${port};`],
  }[protocol];
  // nginx gives out tokens only where it has whoever brings none prove his address: an earlier visit, which nobody measures.
  if (protocol === 'h3' && reception === 'returning') listen.push('quic_retry on;');
  if (reception === 'discovering') listen.push(`listen ${host.address}:${port} ssl;`, 'http2 on;');
  // Without it Chromium treats a forced h3 origin as one without priorities and holds low-priority requests to six at a
  // time. The other arms send a header of the same length that says nothing.
  const value = `h3=":${port}"; ma=86400`;
  const header = protocol === 'h3' && altSvc !== false ? 'Alt-Svc' : 'Not-Svc';
  return `  server {
    ${[...listen, ...TLS[reception]].join('\n    ')}
    server_name ${protocol}-${reception};
    add_header ${header} '${value}' always;
    add_header Cache-Control $caching always;
    location ${UPLOAD_PATH} {
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_request_buffering off;
      client_max_body_size 0;
      proxy_read_timeout 900s;
      client_body_timeout 900s;
    }
${[THINK_PATH, HOLD_PATH].map(renderThinking).join('\n')}
    location = ${HELLO_PATH} {
      default_type text/html;
      return 200 '<!doctype html><link rel="icon" href="data:,">hello';
    }
${sites.map((site) => renderSite(site, holdFile)).join('\n')}
  }
`;
}

/** One socket takes every connection's datagrams: room for a burst of them. */
function renderQuicListen(host: Host, port: number): string {
  return `listen ${host.address}:${port} quic reuseport rcvbuf=7500k sndbuf=7500k;`;
}

/**
 * A first visitor is given nothing to come back with (without the count, OpenSSL sends tickets that only a session cache
 * would understand); a returning one may send data before the handshake is done.
 */
const TLS: Readonly<Record<Reception, readonly string[]>> = {
  first: ['ssl_session_tickets off;', 'ssl_conf_command NumTickets 0;', 'ssl_early_data off;'],
  returning: ['ssl_session_tickets on;', 'ssl_early_data on;'],
  discovering: ['ssl_session_tickets off;', 'ssl_conf_command NumTickets 0;', 'ssl_early_data off;'],
};

function renderThinking(path: string): string {
  return `    location ${path}/ {
      internal;
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header X-Think-Ms $think_ms;
    }`;
}

/** Only the page itself is asked whether it is held back. */
function renderSite({ manifest: { site, document, objects }, root }: GeneratedSite, holdFile: string): string {
  const think = objects.some(({ thinkMs }) => thinkMs !== undefined)
    ? `\n      if ($think_ms) {\n        rewrite ^ ${THINK_PATH}$uri last;\n      }`
    : '';
  return `    location = ${document} {
      root ${root};
      if (-f ${holdFile}) {
        rewrite ^ ${HOLD_PATH}$uri last;
      }${think}
    }
    location /${site}/ {
      root ${root};${think}
    }
    location ${THOUGHT_PATH}/${site}/ {
      internal;
      alias ${root}/${site}/;
    }`;
}
