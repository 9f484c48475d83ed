import type { Offer } from '../model/offer.ts';

/** What makes a server offer something: lines of its configuration, or of a zone. */
export interface Snippet {
  /** The server or the zone that the lines are for. */
  readonly of: string;
  readonly text: string;
}

const ALT_SVC: readonly Snippet[] = [
  {
    of: 'nginx',
    text: `server {
  listen 443 ssl;                                    # as before
  http2 on;                                          # as before, there or in the listen line
  listen 443 quic reuseport;                         # new; reuseport once for each port
  http3 on;                                          # new
  add_header Alt-Svc 'h3=":443"; ma=86400' always;   # new; also wherever a location has an add_header of its own
}`,
  },
  {
    of: 'HAProxy',
    text: `frontend web
  bind :443 ssl crt /etc/haproxy/site.pem alpn h2,http/1.1
  bind quic4@:443 ssl crt /etc/haproxy/site.pem alpn h3
  http-response set-header Alt-Svc 'h3=":443"; ma=86400'`,
  },
  {
    of: 'Caddy',
    text: `# HTTP/3 and its Alt-Svc are on unless a server's protocols leave them out.
{
  servers {
    protocols h1 h2 h3
  }
}`,
  },
  {
    of: 'Apache',
    text: `# Apache speaks no HTTP/3: one of the others stands before it, and this tells of it.
Protocols h2 http/1.1
Header always set Alt-Svc 'h3=":443"; ma=86400'`,
  },
  { of: 'firewall', text: 'UDP to port 443 must be let in beside TCP.' },
];

const RECORD: Snippet = {
  of: 'zone file',
  text: `; The name itself, HTTP/3 first. Of another port than 443: _8443._https.www
www  3600  IN  HTTPS  1 . alpn="h3,h2"`,
};

/** The lines that make servers offer something, by server. */
export function offerSnippets(offer: Offer): readonly Snippet[] {
  if (offer === 'h2') return [];
  return offer === 'h3-record' ? [RECORD] : ALT_SVC;
}
