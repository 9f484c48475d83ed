import { type Origin, portOf } from '../model/arm.ts';
import { MOST_HEADER_BYTES } from '../model/recording.ts';
import { HELLO_PATH } from '../model/site.ts';
import type { Adapter, ServerSettings } from './adapter.ts';
import { alternativeOf } from './alternative.ts';
import { listenOf, nginx, renderNginx, TLS } from './nginx.ts';

/*
 * A recorded site has thousands of objects, whose addresses and headers anybody may have written. None of it is here:
 * nginx knows the origins' names, and passes every request on to the replay, which finds the answer. A configuration of
 * 10,000 locations serves a request in 0.1 to 0.3 ms less, takes 0.3 s to be read at each start, cannot tell `/A` from `/a`
 * (its maps compare without case), and lets no answer wait.
 */

/** nginx in front of a recording: its origins are those of the recorded site, its backend is the replay. */
export const replayNginx: Adapter = {
  ...nginx,
  name: 'replay',
  describes: 'nginx in front of a recorded site',
  render: (settings) => ({
    'nginx.conf': renderNginx({ ...settings, sites: [] }, renderReplayServers(settings)),
    [HELLO]: renderHello(settings),
  }),
};

const HELLO = 'hello.html';

/**
 * What a visitor loads that must be recognized later: a page that asks every origin for nothing, with credentials and
 * without. A browser keeps tickets and tokens for each kind of connection by itself, and a recorded page needs both kinds.
 */
export function renderHello({ origins }: Pick<ServerSettings, 'origins'>): string {
  const [own, ...others] = origins;
  // A page that came over TLS asks no origin in the clear.
  const asked = others.filter(({ protocol }) => protocol !== 'h1c' || own?.protocol === 'h1c');
  const images = asked.flatMap(({ url }) => [
    `<img src="${url}${HELLO_PATH}?with" alt="">`,
    `<img src="${url}${HELLO_PATH}?without" alt="" crossorigin="anonymous">`,
  ]);
  return ['<!doctype html><link rel="icon" href="data:,">hello', ...images].join('\n');
}

/** What stands in place of the origins of a lab's own sites in nginx's configuration. */
export function renderReplayServers(settings: Pick<ServerSettings, 'host' | 'folder' | 'origins' | 'backend'>): string {
  const bound = new Set<number>();
  const servers = settings.origins.map((origin) => {
    assertPlain(origin, settings.host.address);
    const first = origin.protocol === 'h3' && !bound.has(origin.port);
    if (first) bound.add(origin.port);
    return renderServer(origin, settings, first);
  });
  return `  upstream replay {
    server ${settings.backend};
    keepalive 256;
  }
${servers.join('\n')}`;
}

/** Only names and addresses are written into the configuration; whatever is neither is a bug by now. */
function assertPlain({ host, port, url }: Origin, address: string): void {
  const isName = /^[a-z0-9][a-z0-9._-]*$/.test(host);
  if (!isName || !/^[0-9.]+$/.test(address) || !Number.isInteger(port) || !/^https?:\/\/[a-z0-9._-]+(:\d+)?$/.test(url))
    throw new Error(`'${host}' (${url}) at '${address}' is nothing that nginx can be told of`);
}

function renderServer(
  origin: Origin,
  { host, folder }: Pick<ServerSettings, 'host' | 'folder'>,
  first: boolean,
): string {
  const { protocol, reception, url } = origin;
  const tls = protocol === 'h1c' ? [] : TLS[reception];
  // A browser knows of no other port than its address names.
  const { name, value } = alternativeOf({ protocol, port: portOf(url) });
  return `  server {
    ${[...listenOf(origin, host.address, first), ...tls].join('\n    ')}
    server_name ${origin.host};
    charset off;
    large_client_header_buffers 8 64k;
    client_max_body_size 0;
    if ($http_upgrade) {
      return 404;
    }
    add_header ${name} '${value}' always;
    location = ${HELLO_PATH} {
      default_type text/html;
      # From a cache it would be no visit.
      expires epoch;
      alias ${folder}/${HELLO};
    }
    location / {
      proxy_pass http://replay;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header X-Photofinish-Origin ${url};
      proxy_redirect off;
      proxy_pass_header Server;
      # No recorded header is an order to nginx.
      proxy_ignore_headers X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;
      proxy_buffer_size ${2 * Math.ceil(MOST_HEADER_BYTES / 1024)}k;
      # A body is taken as fast as it comes, in memory: the link alone is slow.
      proxy_buffers 256 ${2 * Math.ceil(MOST_HEADER_BYTES / 1024)}k;
      proxy_busy_buffers_size ${4 * Math.ceil(MOST_HEADER_BYTES / 1024)}k;
      proxy_max_temp_file_size 0;
      proxy_read_timeout 900s;
    }
  }`;
}
