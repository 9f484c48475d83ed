import type { Mix } from '../model/advice.ts';
import { UsageError } from '../model/errors.ts';
import { type Link, rttMs } from '../model/link.ts';
import { type OfferShares, protocolOffered } from '../model/offer.ts';
import type { Arm } from '../model/study.ts';
import { renderLink } from './link-text.ts';
import type { MixSource } from './named-mixes.ts';
import type { PlacedWish, StudyWish } from './wish.ts';

/** A share that a study of offers is weighed by unless the user gives another, and where it comes from. */
export interface DefaultShare {
  /** The share of visits, as a fraction of 1. */
  readonly share: number;
  readonly describes: string;
  readonly derived: string;
  readonly sources: readonly MixSource[];
}

/** How visits are weighed. */
export const OFFER_SHARES: Readonly<Record<keyof OfferShares, DefaultShare>> = {
  firstVisits: {
    share: 0.5,
    describes: 'visits by browsers that know nothing of the server',
    derived:
      'the middle of 40 to 60 % of users, one without the page in the cache being taken for one without anything; of all page views it would be 20 %',
    sources: [
      {
        says: '40 to 60 % of the users of a day have nothing of the page in their cache',
        title: 'Cache them if you can',
        publisher: 'Steve Souders, on figures of Yahoo! and Facebook',
        date: '2012-03-22',
        address: 'https://www.stevesouders.com/blog/2012/03/22/cache-them-if-you-can/',
      },
      {
        says: '40 to 60 % of users have a page view with an empty cache, and some 20 % of all page views have one',
        title: 'Browser Cache Usage: Only 40-60%?',
        publisher: 'Ajaxian, quoting Tenni Theurer of Yahoo!',
        date: '2007-01-05',
        address: 'http://ajaxian.com/archives/browser-cache-usage-only-40-60',
      },
      {
        says: '44.6 % of users get an empty cache',
        title: 'Web performance: Cache efficiency exercise',
        publisher: 'CSS-Tricks, on figures of Facebook',
        date: '2015',
        address: 'https://css-tricks.com/web-performance-cache-efficiency-exercise/',
      },
    ],
  },
  withoutUdp: {
    share: 0.044,
    describes: 'visitors whose network lets no datagrams through',
    derived:
      'as the paper has it in section 7.2, all taken for networks that drop UDP; read in three quotations that agree, not in the paper; the RFC bears the size out',
    sources: [
      {
        says: 'QUIC is used by 95.3 % of the video clients that try it; 4.4 % are unable to use it, since QUIC or UDP is blocked or the MTU of the path is too small; 0.3 % are on networks that seem to limit its rate',
        title: 'The QUIC Transport Protocol: Design and Internet-Scale Deployment',
        publisher: 'Langley et al., Google, SIGCOMM 2017',
        date: '2017-08',
        address: 'https://dl.acm.org/doi/10.1145/3098822.3098842',
      },
      {
        says: 'measurement studies have shown that between 3 and 5 % of networks block all UDP traffic',
        title: 'RFC 9308: Applicability of the QUIC Transport Protocol, section 2',
        publisher: 'IETF',
        date: '2022-09',
        address: 'https://www.rfc-editor.org/rfc/rfc9308',
      },
    ],
  },
};

/** How far the name server of a lab is, and why. */
export const NAME_SERVER_SOURCE: MixSource = {
  says: 'averages over the world of two resolvers that many use: 11 to 13 ms, and 18 to 22 ms',
  title: 'Resolver Benchmarks',
  publisher: 'dnslab.dev, on DNSPerf and ThousandEyes',
  date: 'data of 2025',
  address: 'https://www.dnslab.dev/learn/docs/performance/resolver-benchmarks',
};

/** The visits that a study of offers makes. */
const VISITS_MADE = ['first', 'returning'] as const;

/**
 * A wish with what offers ask for: each is an arm, for first and returning visits, and over one of the links also for
 * visitors without UDP: the one whose round trip is in the middle, where the study names no link without UDP itself.
 */
export function withOffers({ wish, place }: PlacedWish): PlacedWish {
  const { offers, firstVisits, withoutUdp, ...rest } = wish;
  // A study that was begun has its offers among its arms.
  const { offered: begun } = wish;
  if (!offers && !begun) {
    refuseKeys(['firstVisits', 'withoutUdp'], { wish, place }, 'can only be used with offers; the study has none');
    return { wish, place };
  }
  refuseKeys(['visits'], { wish, place }, 'cannot be combined with offers. Expected: one of them');
  const offered: OfferShares = {
    firstVisits: exactly(firstVisits ?? begun?.firstVisits ?? OFFER_SHARES.firstVisits.share),
    withoutUdp: exactly(withoutUdp ?? begun?.withoutUdp ?? OFFER_SHARES.withoutUdp.share),
  };
  if (!offers) return { wish: { ...rest, offered }, place };
  const arms = offers.map((offer): Arm => ({ name: offer, protocol: protocolOffered(offer), offer }));
  const asked: StudyWish = { ...rest, arms, offered };
  if (asked.grids) {
    const grids = asked.grids.map((grid) => ({ ...grid, visits: VISITS_MADE, links: withUdpDropped(grid.links) }));
    return { wish: { ...asked, grids }, place };
  }
  return { wish: { ...asked, visits: VISITS_MADE, links: asked.links && withUdpDropped(asked.links) }, place };
}

function refuseKeys(keys: readonly (keyof StudyWish)[], { wish, place }: PlacedWish, says: string): void {
  const key = keys.find((each) => wish[each] !== undefined);
  if (key !== undefined) throw new UsageError(`${place([key])}: ${says}`);
}

/** A hundredth of 4.4 is not 0.044 to a computer. */
function exactly(share: number): number {
  return Number(share.toPrecision(12));
}

function withUdpDropped(links: readonly Link[]): readonly Link[] {
  if (links.some(({ udp }) => udp === 'drop')) return links;
  const byDistance = links.toSorted((a, b) => rttMs(a) - rttMs(b));
  const { name, ...middle } = byDistance[Math.floor(byDistance.length / 2)]!;
  const dropping = { ...middle, udp: 'drop' as const };
  return [...links, { name: `${name},udp=drop`, ...dropping }];
}

/** Shares of traffic in which all links that drop datagrams have the share of visitors without UDP together. */
export function mixOffered(links: readonly Link[], { withoutUdp }: OfferShares, mix?: Mix): Mix {
  const named = new Map(links.map((link) => [renderLink(link), link]));
  const [dropping, others] = [
    [...named.values()].filter(({ udp }) => udp === 'drop'),
    [...named.values()].filter(({ udp }) => udp !== 'drop'),
  ];
  const shareOf = ({ name }: Link) => (mix === undefined ? 1 : (mix[name] ?? 0));
  const total = others.reduce((sum, link) => sum + shareOf(link), 0);
  const without = others.length === 0 ? 1 : dropping.length === 0 ? 0 : withoutUdp;
  return Object.fromEntries(
    [
      ...others.map((link) => [link.name, ((1 - without) * shareOf(link)) / total] as const),
      ...dropping.map((link) => [link.name, without / dropping.length] as const),
    ].filter(([, share]) => share > 0),
  );
}
