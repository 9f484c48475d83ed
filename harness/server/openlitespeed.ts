import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Origin, originFor, type Protocol, tells } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import { HELLO_PATH, UPLOAD_PATH } from '../model/site.ts';
import type { Argv } from '../system/process.ts';
import { readTools } from '../system/tools.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';
import { fillTemplate } from './template.ts';

const TEMPLATE = fileURLToPath(new URL('../../nginx/openlitespeed.conf', import.meta.url));
const CONFIGURATION = 'conf/httpd_config.conf';
const ACCESS_LOG = 'access.log';
const ERROR_LOG = 'error.log';

/** Words between blanks, the request at the end, as it may have some. */
const LOG_FORMAT = '%{%s}t %p %{remote}p %s %B %D %{SSL_PROTOCOL}x %r';

/** The numbers of congestion controls in its configuration. */
const CONGESTIONS: Readonly<Record<string, number>> = { cubic: 1, bbr: 2 };

/**
 * OpenLiteSpeed, with LSQUIC. Its log does not say whether a session was resumed: it offers none to resume. Over
 * TCP the log is a weak witness of the protocol (see `protocolOf`), and an origin of h3 listens for TCP too: there the
 * browser and the wire are what proves an arm.
 *
 * Tried with a 1.9.1 that was built from its sources, not with a packaged one: h1, h2 and h1c hold all proofs. Its LSQUIC
 * keeps ten CRYPTO frames that came out of order (`IMICO_MAX_STASHED_FRAMES`), and Chromium 156 cuts its ClientHello into
 * more, in any order: 11 of 60 handshakes ended with INTERNAL_ERROR, none of 60 where it was built with room for a hundred.
 * Such a load has failed, as it would for any visitor.
 */
export const openlitespeed: Adapter = {
  name: 'openlitespeed',
  describes: 'OpenLiteSpeed with HTTP/3 by LSQUIC',
  protocols: ['h1', 'h2', 'h3', 'h1c'],
  visits: ['cold', 'discovered'],
  congestions: Object.keys(CONGESTIONS),
  hasServerBehind: true,
  find: () => readTools().servers.openlitespeed,
  prepare(folder) {
    for (const name of ['bin', 'logs', 'swap', 'quic', 'html']) mkdirSync(`${folder}/${name}`, { recursive: true });
    const found = readTools().servers.openlitespeed;
    if ('missing' in found) return;
    // What it calls its root is the folder above that of the program as it was called.
    rmSync(programIn(folder), { force: true });
    symlinkSync(found.argv[0], programIn(folder));
  },
  render: (settings) => ({
    [CONFIGURATION]: renderOpenLiteSpeed(readFileSync(TEMPLATE, 'utf8'), settings),
    'conf/mime.properties': MIME,
    'html/hello.html': '<!doctype html><link rel="icon" href="data:,">hello',
    ...Object.fromEntries(
      settings.origins.map((origin) => [`conf/${nameOf(origin)}.conf`, renderVirtualHost(origin, settings)]),
    ),
  }),
  command: (_, folder) => asNobody(['env', `OLS_PID_FILE=${folder}/pid`, programIn(folder), '-n']),
  workers: 1,
  endSignal: 'SIGTERM',
  accessLog: ACCESS_LOG,
  errorLog: ERROR_LOG,
  parseLog: parseOpenLiteSpeedLog,
};

/**
 * It refuses to serve as root, and asks with what right it is there to write its logs. So root goes by another name, in a
 * user namespace of its own; an ordinary user's lab has no root.
 */
function asNobody(program: Argv): Argv {
  if (process.geteuid?.() !== 0) return program;
  return ['unshare', '--user', '--map-user', '65534', '--map-group', '65534', ...program];
}

function programIn(folder: string): string {
  return `${folder}/bin/openlitespeed`;
}

function nameOf({ protocol, reception }: Origin): string {
  return `${protocol}-${reception}`;
}

const MIME = [
  ...['html = text/html', 'css = text/css', 'js = text/javascript', 'json = application/json', 'png = image/png'],
  ...['jpg = image/jpeg', 'svg = image/svg+xml', 'woff2 = font/woff2', 'mp4 = video/mp4', 'txt = text/plain'],
  'default = application/octet-stream',
]
  .map((line) => `${line}\n`)
  .join('');

/** The lines that each virtual host writes. */
export function parseOpenLiteSpeedLog(text: string): ServerRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [seconds, port, clientPort, status, bodyBytes, microseconds, tls, method, ...rest] = line.split(' ');
      const named = rest.pop()!;
      return {
        timeMs: Number(seconds) * 1000,
        port: Number(port),
        clientPort: Number(clientPort),
        protocol: tls === 'QUIC' ? 'h3' : protocolOf(named, Number(port)),
        tls: tls === '-' ? '' : tls!,
        resumed: false,
        earlyData: false,
        method: method!,
        request: rest.join(' '),
        status: Number(status),
        bodyBytes: Number(bodyBytes),
        seconds: Number(microseconds) / 1e6,
      };
    });
}

/**
 * Version 1.9.1 calls HTTP/1.1 whatever it answers at once, over HTTP/2 too: it notes the protocol afterwards
 * (`HttpSession::onInitConnected`). So that name counts for nothing on the port of an h2 origin.
 */
function protocolOf(named: string, port: number): ServerRecord['protocol'] {
  if (named === 'HTTP/2') return 'h2';
  if (named !== 'HTTP/1.1') return 'unknown';
  return port % 10 === H2_DIGIT ? 'h2' : 'h1';
}

/** What the ports of all h2 origins end with. */
const H2_DIGIT = originFor('h2', 'cold').port % 10;

/** The server's configuration as text; each origin has a file of its own besides. */
export function renderOpenLiteSpeed(template: string, settings: ServerSettings): string {
  const { folder, backend, behind, congestion = 'cubic' } = settings;
  const words: Readonly<Record<string, string>> = {
    folder,
    backend,
    behind,
    accessLog: ACCESS_LOG,
    errorLog: ERROR_LOG,
    congestion: `${CONGESTIONS[congestion]}`,
    origins: settings.origins.map((origin) => renderListener(origin, settings)).join('\n'),
  };
  return fillTemplate(template, words);
}

/** What may be spoken besides HTTP/1.1: 1 is HTTP/2, 2 is HTTP/3. */
const SPOKEN: Readonly<Record<Exclude<Protocol, 'h1c'>, number>> = { h1: 0, h2: 1, h3: 2 };

function renderListener(origin: Origin, { host, folder, certificate }: ServerSettings): string {
  const { protocol, port } = origin;
  const tls = (spoken: number) => `secure 1
  keyFile ${certificate.key}
  certFile ${certificate.certificate}
  certChain 1
  sslProtocol 16
  sslSessionCache 0
  sslSessionTickets 0
  enableSpdy ${spoken}
  enableQuic ${spoken & 2 ? 1 : 0}`;
  const name = nameOf(origin);
  return `virtualHost ${name} {
  vhRoot ${folder}/html/
  configFile conf/${name}.conf
  allowSymbolLink 1
  enableScript 0
  restrained 0
}

listener ${name} {
  address ${host.address}:${port}
  ${protocol === 'h1c' ? 'secure 0' : tls(tells(origin) ? 3 : SPOKEN[protocol])}
  map ${name} *
}
`;
}

/** A virtual host: the files of all sites, and the backends that answer for some of them. */
export function renderVirtualHost(origin: Origin, settings: ServerSettings): string {
  const { folder, sites, holdFile, altSvc } = settings;
  const { name, value } = alternativeOf(origin, altSvc);
  const headers = `extraHeaders <<<END_headers
Header unset Not-Svc
Header set ${name} '${value}'
END_headers`;
  const caching = (value: string) =>
    headers.replace('END_headers\n', `END_headers\nHeader set Cache-Control ${value}\n`);
  const files = sites.map(
    ({ root, manifest: { site } }) => `context /${site}/ {
  location ${root}/${site}/
  allowBrowse 1
  ${caching('max-age=86400')}
}

context exp:^/${site}/(.*\\.html)$ {
  location ${root}/${site}/$1
  allowBrowse 1
  ${caching('no-cache')}
}
`,
  );
  const passed = (path: string) => `RewriteRule ^/?${path.slice(1)}$ http://behind${path} [P,L]`;
  const held = sites.map(({ manifest }) => `RewriteCond ${holdFile} -f\n${passed(manifest.document)}`);
  const thinking = sites.flatMap(({ manifest }) =>
    manifest.objects.flatMap(({ path, thinkMs }) => (thinkMs === undefined ? [] : [passed(path)])),
  );
  return `docRoot $VH_ROOT/
accessLog ${folder}/${ACCESS_LOG} {
  useServer 0
  rollingSize 0
  logFormat ${LOG_FORMAT}
}
enableGzip 0
enableBr 0

${files.join('\n')}
context ${UPLOAD_PATH} {
  type proxy
  handler backend
  addDefaultCharset off
  ${caching('max-age=86400')}
}

context ${HELLO_PATH} {
  location $VH_ROOT/hello.html
  allowBrowse 1
  ${caching('max-age=86400')}
}

rewrite {
  enable 1
  rules <<<END_rules
${[...held, ...thinking].join('\n')}
END_rules
}
`;
}
