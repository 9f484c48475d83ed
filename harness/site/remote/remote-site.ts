import { portOf } from '../../model/arm.ts';
import type { PageObject } from '../../model/page.ts';
import { type Exchange, normalUrl, type RecordedOrigin, type SeenPage } from '../../model/recording.ts';
import type { RemoteOrigin, RemoteSite } from '../../model/remote.ts';
import { describeOrigins } from '../record/keep-page.ts';
import { followRedirects, openedUrl } from '../record/redirects.ts';
import { splitWaits } from '../record/think-time.ts';
import { tellsOfH3 } from './alternative.ts';

/** A page as it was looked at: over TCP alone, and once more with QUIC forced where that was told of. */
export interface Looks {
  readonly tcp: readonly [SeenPage, ...SeenPage[]];
  readonly quic?: SeenPage | undefined;
}

/** An origin by its parts, each as addresses and rules have them. */
export interface NamedOrigin {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
}

/** The origins that answered in any look, the page's own first. */
export function originsOf(looks: readonly [SeenPage, ...SeenPage[]]): readonly NamedOrigin[] {
  const own = new URL(landingOf(looks[0]).url).origin;
  const answered = looks.flatMap(({ exchanges }) => exchanges.flatMap(({ url }) => normalUrl(url) ?? []));
  return [...new Set([own, ...answered.map((url) => new URL(url).origin)])].map((origin) => {
    return { origin, host: new URL(origin).hostname, port: portOf(origin) };
  });
}

/** Origins that told of H3 at their own host and port. */
export function originsTelling(looks: readonly [SeenPage, ...SeenPage[]]): readonly NamedOrigin[] {
  const exchanges = looks.flatMap((look) => look.exchanges);
  return originsOf(looks).filter((each) => of(each, exchanges).some(({ headers }) => tellsOfH3(headers, each)));
}

/** Those of some origins that answered over QUIC in a look. */
export function originsAnswering(origins: readonly NamedOrigin[], { exchanges }: SeenPage): readonly NamedOrigin[] {
  return origins.filter((each) => of(each, exchanges).some(({ protocol }) => protocol === 'h3'));
}

function of({ origin }: Pick<NamedOrigin, 'origin'>, exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ url }) => url.startsWith(`${origin}/`));
}

/** What is known of a page beside how it looked. */
export interface Known {
  readonly asked: string;
  /** The address of each origin, by scheme, host and port; what has none is not loaded from. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly trusted: readonly string[];
  readonly notes: readonly string[];
}

/** What looks at a page have shown. */
export function findRemoteSite(looks: Looks, { asked, addresses, trusted, notes }: Known): RemoteSite {
  const all = [...looks.tcp, ...(looks.quic ? [looks.quic] : [])];
  const exchanges = looks.tcp.flatMap((look) => look.exchanges);
  const named = originsOf(looks.tcp).filter(({ origin }) => addresses.has(origin));
  const told = new Set(originsTelling(looks.tcp).map(({ origin }) => origin));
  const described = describeOrigins(
    named.map(({ origin }) => origin),
    exchanges,
    splitWaits(exchanges),
  );
  const [own, ...others] = named.map((each, index): RemoteOrigin => {
    const { protocol, rttMs } = described[index] as RecordedOrigin;
    const overQuic = of(each, looks.quic?.exchanges ?? []).filter((exchange) => exchange.protocol === 'h3');
    return {
      ...each,
      address: addresses.get(each.origin)!,
      tcp: each.origin.startsWith('http:') ? 'h1c' : protocol === 'h1' ? 'h1' : 'h2',
      h3: standingOf(each, overQuic, told.has(each.origin)),
      rttMs,
    };
  });
  const { url } = landingOf(looks.tcp[0]);
  const { atMs, by } = looks.tcp[0];
  const bytes = looks.tcp[0].exchanges.reduce((sum, { body }) => sum + body.length, 0);
  return {
    asked,
    url,
    atMs,
    by,
    origins: [own!, ...others],
    trusted,
    bytes,
    objects: steadyObjects(all).filter((each) => named.some(({ origin }) => each.url.startsWith(`${origin}/`))),
    notes: [
      ...(url === asked ? [] : [`${asked} leads to ${url}, which is what is measured`]),
      ...[own!, ...others]
        .filter(({ h3 }) => h3 === 'silent')
        .map(({ origin }) => `${origin} tells of HTTP/3, but did not answer over it`),
      ...others
        .filter(({ h3 }) => h3 === 'mute')
        .map(({ origin }) => `${origin} tells of HTTP/3 over TCP alone, and is loaded over TCP in every arm`),
      ...new Set([...notes, ...all.flatMap((look) => look.notes)]),
    ],
  };
}

/** What an origin has of H3; a browser that is made to use it must be told of it there, or it holds requests back. */
function standingOf(origin: NamedOrigin, overQuic: readonly Exchange[], told: boolean): RemoteOrigin['h3'] {
  if (overQuic.length === 0) return told ? 'silent' : 'untold';
  return overQuic.some(({ headers }) => tellsOfH3(headers, origin)) ? 'answers' : 'mute';
}

/** The page itself, where redirects end, and what is answered there. */
export function landingOf({ url, exchanges }: Pick<SeenPage, 'url' | 'exchanges'>) {
  return followRedirects(openedUrl(url, exchanges), exchanges);
}

/**
 * What was wanted before the load event and came whole in every look, so that a load can be held to it. Each look has other
 * randomness: what carries a number of its own does not come again under the same address. What only a frame or a worker has
 * is not told to the page, whose log is all that there is of a load.
 */
function steadyObjects(looks: readonly SeenPage[]): readonly PageObject[] {
  const [first, ...others] = looks.map(({ exchanges, live }) => {
    const inTime = exchanges.filter(({ wantedMs }) => live !== undefined && wantedMs <= live.pltMs);
    const byUrl = Map.groupBy(inTime, ({ url }) => url);
    const isCountedOn = (answers: readonly Exchange[]) =>
      answers.every(isWhole) && answers.some(({ cameToPage }) => cameToPage);
    return [...byUrl].filter(([, answers]) => isCountedOn(answers)).map(([url]) => url);
  });
  return first!.filter((url) => others.every((urls) => urls.includes(url))).map((url) => ({ url, required: true }));
}

function isWhole({ method, status, broken }: Exchange): boolean {
  return method === 'GET' && status === 200 && broken === undefined;
}
