/**
 * What a server can offer, which its operator chooses; the browser decides whether to take it up:
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

/** The part of a link's traffic that a kind of visit has; where a study makes no offers, all have the same. */
export function partOfVisit(visit: string, offered: OfferShares | undefined): number {
  if (offered === undefined) return 1;
  return visit === 'first' ? offered.firstVisits : 1 - offered.firstVisits;
}

/** Kinds of visits that meet an offer: by browsers that know nothing of it, by those that were there before, and by those
 * on networks without UDP. */
export const MET_BY = ['first', 'returning', 'withoutUdp'] as const;

export type MetBy = (typeof MET_BY)[number];

/** Says how an offer is met on a kind of visit, over a link that drops datagrams or does not. */
export function metBy(visit: string, { udp }: { readonly udp?: 'drop' }): MetBy {
  if (udp === 'drop') return 'withoutUdp';
  return visit === 'first' ? 'first' : 'returning';
}
