import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Origin, PROTOCOLS, type Reception, tells, VISITS } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import { type LogLine, parseJsonLines, protocolNamed } from './access-log.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';
import { findPrivate } from './private-server.ts';
import { fillTemplate } from './template.ts';

const TEMPLATE = fileURLToPath(new URL('../../nginx/haproxy.cfg', import.meta.url));
const CONFIGURATION = 'haproxy.cfg';
const TICKET_KEYS = 'tickets.key';

/** HAProxy, which has the QUIC congestion controls to choose from; files come from the plain nginx behind it. */
export const haproxy: Adapter = {
  name: 'haproxy',
  describes: 'HAProxy with HTTP/3 by OpenSSL, in front of nginx',
  protocols: PROTOCOLS,
  visits: VISITS,
  congestions: ['cubic', 'newreno', 'bbr'],
  hasServerBehind: true,
  find: () => findPrivate('haproxy'),
  prepare(folder) {
    // It wants three keys: the last but one encrypts.
    const keys = [1, 2, 3].map(() => `${randomBytes(80).toString('base64')}\n`);
    writeFileSync(`${folder}/${TICKET_KEYS}`, keys.join(''), { mode: 0o600 });
  },
  render: (settings) => ({ [CONFIGURATION]: renderHaproxy(readFileSync(TEMPLATE, 'utf8'), settings) }),
  command: (program, folder) => [...program, '-db', '-f', `${folder}/${CONFIGURATION}`],
  workers: 0,
  endSignal: 'SIGUSR1',
  accessLog: 'access.log',
  parseLog: parseHaproxyLog,
};

interface Line extends LogLine {
  readonly earlyData: string;
  readonly bodyBytes: string;
  readonly passedBytes: number;
  readonly milliseconds: number;
}

/** The lines that `nginx/haproxy.cfg` has its server write; it says other things in between. */
export function parseHaproxyLog(text: string): ServerRecord[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return parseJsonLines<Line>(lines.join('\n'), ({ passedBytes, milliseconds, ...line }) => ({
    ...line,
    protocol: protocolNamed(line.protocol),
    tls: line.tls === '-' ? '' : line.tls,
    resumed: line.resumed === '1',
    earlyData: line.earlyData === '1',
    // What passed counts headers too, but tells where an answer was broken off. One without a body announces none.
    bodyBytes: line.bodyBytes === '-' ? 0 : Math.min(Number(line.bodyBytes), passedBytes),
    seconds: milliseconds / 1000,
  }));
}

/** The whole configuration as text. */
export function renderHaproxy(template: string, settings: ServerSettings): string {
  const { certificate, key } = settings.certificate;
  const words: Readonly<Record<string, string>> = {
    certificate,
    key,
    behind: settings.behind,
    origins: settings.origins.map((origin) => renderOrigin(origin, settings)).join('\n'),
  };
  return fillTemplate(template, words);
}

function renderOrigin(origin: Origin, settings: ServerSettings): string {
  const { protocol, reception, port } = origin;
  const { host, folder, congestion = 'cubic', altSvc } = settings;
  const at = `${host.address}:${port}`;
  const tls = `ssl crt @lab/lab ${renderTickets(reception, folder)}`;
  const overQuic = `bind quic4@${at} ${tls} alpn h3 quic-cc-algo ${congestion}`;
  const binds = {
    h1: [`bind ${at} ${tls} alpn http/1.1`],
    h2: [`bind ${at} ${tls} alpn h2`],
    // Only over QUIC: a browser that falls back to TCP finds no server there.
    h3: [overQuic],
    h1c: [`bind ${at}`],
  }[protocol];
  if (tells(origin)) binds.push(`bind ${at} ${tls} alpn h2`);
  const { name, value } = alternativeOf({ protocol, port }, altSvc);
  return `frontend ${protocol}-${reception}
  ${binds.join('\n  ')}
  http-request set-var(txn.early) ssl_fc_has_early
  http-response set-var(txn.bytes) res.hdr(content-length)
  http-response del-header Not-Svc
  http-response set-header ${name} '${value}'
  default_backend plain
`;
}

/**
 * A first visitor is given no ticket of use to come back with (HAProxy cannot be told to send none: two small ones that
 * only a session cache would understand); a returning one may send data before the handshake is done.
 */
function renderTickets(reception: Reception, folder: string): string {
  const comesBack = reception === 'returning' || reception === 'remembering';
  return comesBack ? `tls-ticket-keys ${folder}/${TICKET_KEYS} allow-0rtt` : 'no-tls-tickets';
}
