/**
 * What a server can offer, which is what whoever runs it chooses; the browser makes of it what it will:
 *
 *     h2         HTTP/2 over TCP, and nothing else
 *     h3-altsvc  HTTP/3 beside it, told by the header `Alt-Svc` of every answer
 *     h3-record  that, and an HTTPS record in DNS which tells of HTTP/3 beforehand
 */
export const OFFERS = ['h2', 'h3-altsvc', 'h3-record'] as const;

export type Offer = (typeof OFFERS)[number];

/**
 * The visits that offers are met by:
 *
 *     first      nothing is known of the server: its name is looked up
 *     returning  what the browser remembers, but no cache: TLS tickets, QUIC tokens, Alt-Svc, the name
 *     repeat     the cache as well
 */
export const OFFER_VISITS = ['first', 'returning', 'repeat'] as const;

export type OfferVisit = (typeof OFFER_VISITS)[number];

/** What an offer has a server speak beyond HTTP/2. */
export function protocolOffered(offer: Offer): 'h2' | 'h3' {
  return offer === 'h2' ? 'h2' : 'h3';
}

/** What people call an offer. */
export const OFFER_TITLES: Readonly<Record<Offer, string>> = {
  h2: 'HTTP/2 alone',
  'h3-altsvc': 'HTTP/3 by Alt-Svc',
  'h3-record': 'HTTP/3 by HTTPS record',
};

/** How far the name server of a lab is, there and back; `list mixes` says from where that is known. */
export const NAME_SERVER_MS = 15;

/** How a study of offers weighs visits: shares of 1. */
export interface OfferShares {
  readonly firstVisits: number;
  readonly withoutUdp: number;
}

/** The part of a link's traffic that each of some visits has; absent where a study makes no offers: all alike. */
export function partOfVisit(visit: string, offered: OfferShares | undefined): number {
  if (offered === undefined) return 1;
  return visit === 'first' ? offered.firstVisits : 1 - offered.firstVisits;
}
