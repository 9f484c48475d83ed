import { type Origin, type Protocol, tells } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import { HELLO_PATH, UPLOAD_PATH } from '../model/site.ts';
import { readTools } from '../system/tools.ts';
import { parseJsonLines, protocolNamed } from './access-log.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';

const CONFIGURATION = 'caddy.json';
const ACCESS_LOG = 'access.log';
const ERROR_LOG = 'error.log';

/**
 * Caddy, with Go's TLS and HTTP/2 and quic-go. What cannot be configured stays as it is: QUIC begins with 32 packets,
 * paced, and has 100 requests at a time; an upload's window is 1 MB over HTTP/2 and grows from 512 KB over HTTP/3. Tickets
 * are given to all visitors or to none, so that none comes back.
 */
export const caddy: Adapter = {
  name: 'caddy',
  describes: 'Caddy with HTTP/3 by quic-go',
  protocols: ['h1', 'h2', 'h3', 'h1c'],
  visits: ['cold', 'discovered'],
  congestions: [],
  hasServerBehind: true,
  find: () => readTools().servers.caddy,
  render: (settings) => ({ [CONFIGURATION]: renderCaddy(settings) }),
  command: (program, folder) => [...program, 'run', '--config', `${folder}/${CONFIGURATION}`],
  workers: 0,
  endSignal: 'SIGTERM',
  accessLog: ACCESS_LOG,
  errorLog: ERROR_LOG,
  parseLog: parseCaddyLog,
};

interface Line {
  readonly ts: number;
  readonly duration: number;
  readonly size: number;
  readonly status: number;
  readonly port: string;
  readonly request: {
    readonly remote_port: string;
    readonly proto: string;
    readonly method: string;
    readonly uri: string;
    readonly tls?: { readonly resumed: boolean; readonly version: number };
  };
}

/** TLS 1.3 as the protocol writes it. */
const TLS_1_3 = 0x0304;

/** Caddy's own lines, with the port that `renderCaddy` has it append. */
export function parseCaddyLog(text: string): ServerRecord[] {
  return parseJsonLines<Line>(text, ({ ts, duration, size, status, port, request }) => ({
    timeMs: ts * 1000,
    port: Number(port),
    clientPort: Number(request.remote_port),
    protocol: protocolNamed(request.proto),
    tls: request.tls === undefined ? '' : request.tls.version === TLS_1_3 ? 'TLSv1.3' : `${request.tls.version}`,
    resumed: request.tls?.resumed ?? false,
    earlyData: false,
    method: request.method,
    request: request.uri,
    status,
    bodyBytes: size,
    seconds: duration,
  }));
}

/** The whole configuration as text. */
export function renderCaddy(settings: ServerSettings): string {
  const { folder, origins, certificate } = settings;
  const file = (name: string) => ({ output: 'file', filename: `${folder}/${name}`, roll: false });
  const configuration = {
    admin: { disabled: true, config: { persist: false } },
    storage: { module: 'file_system', root: `${folder}/storage` },
    logging: {
      logs: {
        default: { writer: file(ERROR_LOG), level: 'WARN', exclude: ['http.log.access'] },
        // What the server saw, as proof.
        proof: {
          writer: file(ACCESS_LOG),
          include: ['http.log.access'],
          encoder: {
            format: 'filter',
            wrap: { format: 'json' },
            fields: { 'request>headers': { filter: 'delete' }, resp_headers: { filter: 'delete' } },
          },
        },
      },
    },
    apps: {
      http: {
        // What has no request to end is closed at once, but for connections that never had any.
        grace_period: '1s',
        servers: Object.fromEntries(
          origins.map((origin) => [`${origin.protocol}-${origin.reception}`, describeServer(origin, settings)]),
        ),
      },
      tls: {
        certificates: { load_files: [{ certificate: certificate.certificate, key: certificate.key }] },
        session_tickets: { disabled: true },
      },
    },
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

/** HTTP/2 comes with HTTP/1.1, which no browser chooses then. */
const SPOKEN: Readonly<Record<Protocol, readonly string[]>> = {
  h1: ['h1'],
  h2: ['h1', 'h2'],
  // Only over QUIC: a browser that falls back to TCP finds no server there.
  h3: ['h3'],
  h1c: ['h1'],
};

function describeServer(origin: Origin, settings: ServerSettings) {
  const { protocol, port } = origin;
  const { host, altSvc } = settings;
  const alternative = alternativeOf({ protocol, port }, altSvc);
  return {
    listen: [`${host.address}:${port}`],
    protocols: tells(origin) ? ['h1', 'h2', 'h3'] : SPOKEN[protocol],
    automatic_https: { disable: true },
    tls_connection_policies: protocol !== 'h1c' ? [{ protocol_min: 'tls1.3', curves: ['x25519'] }] : undefined,
    // A connection lives as long as the page may need it.
    idle_timeout: '900s',
    read_timeout: '900s',
    read_header_timeout: '900s',
    write_timeout: '900s',
    logs: {},
    routes: [
      {
        handle: [
          { handler: 'log_append', key: 'port', value: `${port}` },
          setHeader(alternative.name, alternative.value),
        ],
      },
      { handle: [setHeader('Cache-Control', 'max-age=86400')] },
      { match: [{ path: ['*.html'] }], handle: [setHeader('Cache-Control', 'no-cache')] },
      ...describeRoutes(settings),
    ],
  };
}

/** Sets a header in place of whatever the server, or the one behind it, says by itself. */
function setHeader(name: string, value: string) {
  return { handler: 'headers', response: { deferred: true, delete: ['Not-Svc'], set: { [name]: [value] } } };
}

function describeRoutes({ sites, backend, behind, holdFile }: ServerSettings) {
  const documents = sites.map(({ manifest }) => manifest.document);
  const thinking = sites.flatMap(({ manifest }) =>
    manifest.objects.flatMap(({ path, thinkMs }) => (thinkMs === undefined ? [] : [path])),
  );
  const passTo = (address: string) => [
    { handler: 'reverse_proxy', upstreams: [{ dial: address }], transport: { protocol: 'http', compression: false } },
  ];
  return [
    {
      match: [{ path: [HELLO_PATH] }],
      handle: [
        {
          handler: 'static_response',
          headers: { 'Content-Type': ['text/html; charset=utf-8'] },
          body: '<!doctype html><link rel="icon" href="data:,">hello',
        },
      ],
      terminal: true,
    },
    { match: [{ path: [UPLOAD_PATH] }], handle: passTo(backend), terminal: true },
    // Caddy has no means to let time pass.
    {
      match: [{ path: documents, file: { root: '/', try_files: [holdFile] } }],
      handle: passTo(behind),
      terminal: true,
    },
    ...(thinking.length > 0 ? [{ match: [{ path: thinking }], handle: passTo(behind), terminal: true }] : []),
    ...sites.map(({ root, manifest: { site } }) => ({
      match: [{ path: [`/${site}/*`] }],
      handle: [{ handler: 'file_server', root, canonical_uris: false }],
      terminal: true,
    })),
  ];
}
