import type { Origin, Visit } from './arm.ts';
import type { Offer } from './offer.ts';
import type { Manifest, SiteObject } from './site.ts';

/** A page as one trial loads it: from where, and what must come. */
export interface Page {
  readonly url: string;
  readonly visit: Visit;
  /** Where it comes from. The first is its own, which speaks the arm's protocol; each port is one server's. */
  readonly origins: readonly [Origin, ...Origin[]];
  /** The page and all that it can load, in no order. */
  readonly objects: readonly PageObject[];
  /**
   * Whether it was recorded: it may ask for things that the browser's log does not tell of (a service worker's, or what
   * comes after the log's end), and its servers have nothing of the lab's own.
   */
  readonly recorded?: true | undefined;
  /** Whether its servers exist already, and their logs are out of reach: the wire stands in for them. */
  readonly unlogged?: true;
  /** What its server offers, where the browser decides what to do with it; names are looked up then. */
  readonly offer?: Offer | undefined;
  /** Whether the link lets no datagrams through: no H3 can come. */
  readonly withoutUdp?: true | undefined;
  /** What is sent from its form, where that is what is measured. */
  readonly upload?: Pick<SiteObject, 'bytes' | 'sha256'> | undefined;
}

/** One object of a page as it must arrive. */
export interface PageObject {
  readonly url: string;
  /** Absent where it cannot be known beforehand what it will be: it must only come, and whole. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** Without it a load is not whole. */
  readonly required: boolean;
  /** Whether the browser is known not to hand its content out, as where the frame that it came for has gone on. */
  readonly unkept?: boolean | undefined;
}

/** The page of a generated site, from an origin. */
export function generatedPage(manifest: Manifest, origin: Origin, visit: Visit): Page {
  const { document, objects, upload } = manifest;
  return {
    url: `${origin.url}${document}`,
    visit,
    origins: [origin],
    objects: objects.map(({ path, bytes, sha256, arrives }) => ({
      url: `${origin.url}${path}`,
      bytes,
      sha256,
      required: arrives !== 'on-scroll',
    })),
    upload,
  };
}

/** The objects whose arrival ends a trial. */
export function awaitedUrls({ objects }: Pick<Page, 'objects'>): readonly string[] {
  return objects.filter(({ required }) => required).map(({ url }) => url);
}

/** The origin that an address is below; undefined where the page has no such origin. */
export function originOf({ origins }: Pick<Page, 'origins'>, url: string): Origin | undefined {
  return origins.find((origin) => url.startsWith(`${origin.url}/`));
}
