import type { Protocol } from '../model/arm.ts';
import { MOST_HEADER_BYTES, type ReplayOrigin } from '../model/recording.ts';
import { alternativeOf } from './alternative.ts';

/*
 * A recorded site has thousands of objects, whose addresses and headers anybody may have written. None of it is here:
 * nginx knows the origins' names, and passes every request on to the replay, which finds the answer. A configuration of
 * 10,000 locations serves a request in 0.1 to 0.3 ms less, takes 0.3 s to be read at each start, cannot tell `/A` from `/a`
 * (its maps compare without case), and lets no answer wait.
 */

/** Where nginx has an origin listen, and what it speaks there. */
export interface ReplayListener {
  readonly address: string;
  readonly origin: ReplayOrigin;
  /** The arm's, for what the arms change; what it spoke when it was recorded, for the rest. */
  readonly protocol: Protocol;
}

export interface ReplayConfiguration {
  readonly listeners: readonly ReplayListener[];
  /** The replay's address and port. */
  readonly backend: string;
  /** What the kind of visit asks of TLS, as directives. */
  readonly tls: readonly string[];
}

/** What stands in place of the origins of a lab's own sites in nginx's configuration. */
export function renderReplayServers({ listeners, backend, tls }: ReplayConfiguration): string {
  const bound = new Set<string>();
  const servers = listeners.map((listener) => {
    assertPlain(listener);
    const socket = `${listener.address}:${listener.origin.port}`;
    const first = listener.protocol === 'h3' && !bound.has(socket);
    if (first) bound.add(socket);
    return renderServer(listener, tls, first);
  });
  return `  upstream replay {
    server ${backend};
    keepalive 256;
  }
${servers.join('\n')}`;
}

/** Only names and addresses are written into the configuration; whatever is neither is a bug by now. */
function assertPlain({ address, origin: { host, port } }: ReplayListener): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(host) || !/^[0-9a-f.:[\]]+$/i.test(address) || !Number.isInteger(port))
    throw new Error(`'${host}' at '${address}' is nothing that nginx can be told of`);
}

function renderServer({ address, origin, protocol }: ReplayListener, tls: readonly string[], first: boolean): string {
  const socket = `${address}:${origin.port}`;
  const listen = {
    h1: [`listen ${socket} ssl;`],
    h2: [`listen ${socket} ssl;`, 'http2 on;'],
    // The socket's options can be said once; room for a burst of datagrams.
    h3: [`listen ${socket} quic${first ? ' reuseport rcvbuf=7500k sndbuf=7500k' : ''};`, 'http3 on;'],
    h1c: [`listen ${socket};`],
  }[protocol];
  const { name, value } = alternativeOf({ protocol, port: origin.port });
  return `  server {
    ${[...listen, ...(protocol === 'h1c' ? [] : tls)].join('\n    ')}
    server_name ${origin.host};
    charset off;
    large_client_header_buffers 8 64k;
    client_max_body_size 0;
    add_header ${name} '${value}' always;
    location / {
      proxy_pass http://replay;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header X-Photofinish-Origin $scheme://$host:$server_port;
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
