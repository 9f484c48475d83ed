import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Origin, PROTOCOLS, type Reception, tells, VISITS } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import { type GeneratedSite, HELLO_PATH, HOLD_PATH, THINK_PATH, THOUGHT_PATH, UPLOAD_PATH } from '../model/site.ts';
import { readTools } from '../system/tools.ts';
import { type LogLine, parseJsonLines, protocolNamed } from './access-log.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';
import { fillTemplate } from './template.ts';

const TEMPLATE = fileURLToPath(new URL('../../nginx/nginx.conf', import.meta.url));
const CONFIGURATION = 'nginx.conf';
const ACCESS_LOG = 'access.log';
const ERROR_LOG = 'error.log';

const TICKET_KEY = 'tickets.key';
const TOKEN_KEY = 'tokens.key';
const KEY_BYTES = { [TICKET_KEY]: 80, [TOKEN_KEY]: 32 };

/** The server that every study has unless it names others. */
export const nginx: Adapter = {
  name: 'nginx',
  describes: 'nginx with HTTP/3 by OpenSSL',
  protocols: PROTOCOLS,
  visits: VISITS,
  congestions: [],
  hasServerBehind: false,
  find() {
    const { argv, version, openssl } = readTools().nginx;
    return { argv, version: `${version}, OpenSSL ${openssl}` };
  },
  prepare(folder) {
    for (const [key, bytes] of Object.entries(KEY_BYTES))
      writeFileSync(`${folder}/${key}`, randomBytes(bytes), { mode: 0o600 });
  },
  render: (settings) => ({ [CONFIGURATION]: renderNginx(settings, renderOrigins(settings)) }),
  command: (program, folder) => [
    ...program,
    ...['-p', folder, '-e', `${folder}/${ERROR_LOG}`, '-c', `${folder}/${CONFIGURATION}`],
  ],
  workers: 1,
  endSignal: 'SIGQUIT',
  accessLog: ACCESS_LOG,
  errorLog: ERROR_LOG,
  routine: /\[notice\]|client [0-9.]+ closed keepalive connection|client closed connection while waiting for request/,
  parseLog: parseNginxLog,
};

interface Line extends LogLine {
  readonly earlyData: string;
  readonly bodyBytes: number;
  readonly seconds: number;
}

/** The lines that `nginx/nginx.conf` has its server write. */
export function parseNginxLog(text: string): ServerRecord[] {
  return parseJsonLines<Line>(text, (line) => ({
    ...line,
    timeMs: line.timeMs * 1000,
    protocol: protocolNamed(line.protocol),
    resumed: line.resumed === 'r',
    earlyData: line.earlyData === '1',
  }));
}

/** The whole configuration as text, with what each origin serves. */
export function renderNginx({ folder, backend, sites, ...settings }: ServerSettings, origins: string): string {
  const { certificate, key } = settings.certificate;
  const thinking = sites.flatMap(({ manifest }) =>
    manifest.objects.flatMap(({ path, thinkMs }) => (thinkMs === undefined ? [] : [`    ${path} ${thinkMs};`])),
  );
  const words: Readonly<Record<string, string>> = {
    folder,
    certificate,
    key,
    backend,
    accessLog: ACCESS_LOG,
    ticketKey: `${folder}/${TICKET_KEY}`,
    tokenKey: `${folder}/${TOKEN_KEY}`,
    thinking: thinking.join('\n'),
    origins,
  };
  return fillTemplate(readFileSync(TEMPLATE, 'utf8'), words);
}

function renderOrigins(settings: ServerSettings): string {
  return settings.origins.map((origin) => renderOrigin(origin, settings)).join('\n');
}

function renderOrigin(origin: Origin, { host, sites, holdFile, altSvc }: ServerSettings): string {
  const { protocol, reception } = origin;
  const { name, value } = alternativeOf(origin, altSvc);
  return `  server {
    ${[...listenOf(origin, host.address), ...TLS[reception]].join('\n    ')}
    server_name ${protocol}-${reception};
    add_header ${name} '${value}' always;
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

/** How nginx listens as an origin. Origins that share a socket set its options once; it has room for a burst. */
export function listenOf(origin: Origin, address: string, options = true): readonly string[] {
  const { protocol, reception, port } = origin;
  const socket = `${address}:${port}`;
  const quic = `listen ${socket} quic${options ? ' reuseport rcvbuf=7500k sndbuf=7500k' : ''};`;
  const tls = `listen ${socket} ssl;`;
  if (protocol === 'h1') return [tls];
  if (protocol === 'h2') return [tls, 'http2 on;'];
  if (protocol === 'h1c') return [`listen ${socket};`];
  return [
    // Only over QUIC, but where H3 is to be discovered: a browser that falls back to TCP finds no server there.
    ...[quic, 'http3 on;'],
    // nginx gives out tokens only where clients without one must prove their address, which only the earlier visit pays for.
    ...(reception === 'returning' || reception === 'remembering' ? ['quic_retry on;'] : []),
    ...(tells(origin) ? [tls, 'http2 on;'] : []),
  ];
}

/**
 * A first visitor is given nothing to come back with (without the count, OpenSSL sends tickets that only a session cache
 * would understand); a returning one may send data before the handshake is done.
 */
export const TLS: Readonly<Record<Reception, readonly string[]>> = {
  first: ['ssl_session_tickets off;', 'ssl_conf_command NumTickets 0;', 'ssl_early_data off;'],
  returning: ['ssl_session_tickets on;', 'ssl_early_data on;'],
  discovering: ['ssl_session_tickets off;', 'ssl_conf_command NumTickets 0;', 'ssl_early_data off;'],
  remembering: ['ssl_session_tickets on;', 'ssl_early_data on;'],
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
      root "${root}";
      if (-f ${holdFile}) {
        rewrite ^ ${HOLD_PATH}$uri last;
      }${think}
    }
    location /${site}/ {
      root "${root}";${think}
    }
    location ${THOUGHT_PATH}/${site}/ {
      internal;
      alias "${root}/${site}/";
    }`;
}
