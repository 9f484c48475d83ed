import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Origin, Reception } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import { HELLO_PATH, UPLOAD_PATH } from '../model/site.ts';
import type { Argv } from '../system/process.ts';
import { type LogLine, parseJsonLines, protocolNamed } from './access-log.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';
import { findPrivate } from './private-server.ts';
import { fillTemplate } from './template.ts';

const TEMPLATE = fileURLToPath(new URL('../../nginx/apache.conf', import.meta.url));
const CONFIGURATION = 'apache.conf';
const ACCESS_LOG = 'access.log';
const ERROR_LOG = 'error.log';
const TICKET_KEY = 'tickets.key';
const THINKING = 'thinking.map';
const HELLO = 'hello.html';

const MODULES = [
  ...['mpm_event', 'authz_core', 'mime', 'alias', 'headers', 'rewrite', 'http2', 'socache_shmcb', 'ssl'],
  ...['proxy', 'proxy_http'],
];

/** Apache's httpd with its event MPM; it has no HTTP/3. */
export const apache: Adapter = {
  name: 'apache',
  describes: 'Apache httpd with mod_http2 and mod_ssl',
  protocols: ['h1', 'h2', 'h1c'],
  visits: ['cold', 'resumed', 'repeat'],
  congestions: [],
  hasServerBehind: true,
  find: () => findPrivate('apache'),
  prepare(folder) {
    writeFileSync(`${folder}/${TICKET_KEY}`, randomBytes(48), { mode: 0o600 });
  },
  render: (settings) => ({
    [CONFIGURATION]: renderApache(readFileSync(TEMPLATE, 'utf8'), settings),
    [THINKING]: renderThinking(settings),
    [HELLO]: '<!doctype html><link rel="icon" href="data:,">hello',
  }),
  command: (program, folder) => [
    ...withoutRoot(program),
    ...MODULES.flatMap((name) => ['-C', `LoadModule ${name}_module ${modulesFolder(program)}/mod_${name}.so`]),
    ...['-D', 'FOREGROUND', '-f', `${folder}/${CONFIGURATION}`],
  ],
  workers: 1,
  endSignal: 'SIGWINCH',
  accessLog: ACCESS_LOG,
  errorLog: ERROR_LOG,
  parseLog: parseApacheLog,
};

/** Where Debian has the modules of a program. */
function modulesFolder(program: Argv): string {
  return join(program.at(-1)!, '../../lib/apache2/modules');
}

/**
 * Runs Apache without root. Apache would switch to another user, which may not read the sites of all users; here it is
 * `nobody` from the beginning, with the right to read them. An ordinary user's lab has no other user and no root.
 */
function withoutRoot(program: Argv): Argv {
  if (process.geteuid?.() !== 0) return program;
  const [user, right] = ['65534', '+dac_override'];
  return [
    ...(['setpriv', '--reuid', user, '--regid', user, '--clear-groups'] as const),
    ...['--inh-caps', right, '--ambient-caps', right],
    ...program,
  ];
}

interface Line extends LogLine {
  readonly bodyBytes: number;
  readonly microseconds: number;
}

/** The lines that `nginx/apache.conf` has its server write. */
export function parseApacheLog(text: string): ServerRecord[] {
  return parseJsonLines<Line>(text, ({ microseconds, ...line }) => ({
    ...line,
    protocol: protocolNamed(line.protocol),
    tls: line.tls === '-' ? '' : line.tls,
    resumed: line.resumed === 'Resumed',
    earlyData: false,
    seconds: microseconds / 1e6,
  }));
}

/** The whole configuration as text. */
export function renderApache(template: string, settings: ServerSettings): string {
  const { folder, backend, behind } = settings;
  const { certificate, key } = settings.certificate;
  const words: Readonly<Record<string, string>> = {
    folder,
    certificate,
    key,
    backend,
    behind,
    accessLog: ACCESS_LOG,
    errorLog: ERROR_LOG,
    origins: settings.origins.map((origin) => renderOrigin(origin, settings)).join('\n'),
  };
  return fillTemplate(template, words);
}

/** The files that the server is to think about, each in a line, as the rewriting looks them up. */
function renderThinking({ sites }: ServerSettings): string {
  return sites
    .flatMap(({ manifest }) => manifest.objects.filter(({ thinkMs }) => thinkMs !== undefined))
    .map(({ path }) => `${path} thinks\n`)
    .join('');
}

function renderOrigin({ protocol, reception, port }: Origin, settings: ServerSettings): string {
  const { host, folder, sites, holdFile, backend, behind } = settings;
  const { name, value } = alternativeOf({ protocol, port });
  const tls = {
    h1: ['SSLEngine on', 'Protocols http/1.1', ...renderTickets(reception, folder)],
    h2: ['SSLEngine on', 'Protocols h2', ...renderTickets(reception, folder)],
    h1c: ['Protocols http/1.1'],
    h3: [],
  }[protocol];
  const documents = sites.map(({ manifest }) => `  RewriteRule "^${manifest.document}$" - [E=page:1]`);
  const folders = sites.map(({ root, manifest: { site } }) => `  Alias "/${site}/" "${root}/${site}/"`);
  return `Listen ${host.address}:${port}
<VirtualHost ${host.address}:${port}>
  ${tls.join('\n  ')}
  # As long as nginx's of h3, which says where that is.
  Header set ${name} "${value.replaceAll('"', '\\"')}"
  Header set Cache-Control "max-age=86400"
  Header set Cache-Control "no-cache" "expr=%{REQUEST_URI} =~ m#\\.html$#"
  RewriteEngine on
  RewriteMap thinking "txt:${folder}/${THINKING}"
${documents.join('\n')}
  RewriteCond "%{ENV:page}" "=1"
  RewriteCond "${holdFile}" -f
  RewriteRule "^(.*)$" "http://${behind}$1" [P]
  RewriteCond "\${thinking:%{REQUEST_URI}}" "=thinks"
  RewriteRule "^(.*)$" "http://${behind}$1" [P]
  ProxyPass "${UPLOAD_PATH}" "http://${backend}${UPLOAD_PATH}"
  Alias "${HELLO_PATH}" "${folder}/${HELLO}"
${folders.join('\n')}
  <Location "${HELLO_PATH}">
    ForceType text/html
  </Location>
</VirtualHost>
`;
}

/** A first visitor is given nothing to come back with. */
function renderTickets(reception: Reception, folder: string): readonly string[] {
  return reception === 'returning'
    ? ['SSLSessionTickets on', `SSLSessionTicketKeyFile "${folder}/${TICKET_KEY}"`]
    : ['SSLSessionTickets off', 'SSLOpenSSLConfCmd NumTickets 0'];
}
