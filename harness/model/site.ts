import type { Lacks } from './remote.ts';
/** What a site consists of: what each load is checked against. */
export interface Manifest {
  readonly site: string;
  readonly seed: number;
  /** The path of the page itself. */
  readonly document: string;
  /** The page and all that it can load, in no order. */
  readonly objects: readonly SiteObject[];
  /** The file that is sent from the page's form, where that is what is measured; no object. */
  readonly upload?: SiteObject | undefined;
}

/** One object of a site as it must arrive. */
export interface SiteObject {
  /** Absolute, below the site's origin. */
  readonly path: string;
  readonly bytes: number;
  readonly type: string;
  readonly sha256: string;
  /** Absent where the page's load event waits for it. */
  readonly arrives?: Arrival | undefined;
  /** How long the server takes until it answers; absent where it is a file that is simply sent. */
  readonly thinkMs?: number | undefined;
}

/**
 * When an object comes that the load event does not wait for:
 *
 *     after-load   asked for by every load, before the load event or after it; without it the load is not whole
 *     on-scroll    so far below the fold that no load asks for it
 */
export type Arrival = 'after-load' | 'on-scroll';

/** The objects that a load must bring: all but those that wait for a visitor to scroll. */
export function requiredObjects(manifest: Manifest): readonly SiteObject[] {
  return manifest.objects.filter((object) => object.arrives !== 'on-scroll');
}

/** What a study knows of a site before anything was loaded. */
export interface SiteFacts {
  /** The number of objects that a load must bring. */
  readonly objects: number;
  readonly bytes: number;
  /** What is sent, where the site sends a file. */
  readonly uploadBytes?: number | undefined;
  /** How long a load waits for servers that think, where that is known. */
  readonly thinkMs?: number | undefined;
  /** How a recorded site's own page came, which says which protocols can serve it. */
  readonly recorded?: 'http' | 'https' | undefined;
  /** What a page that exists already does not offer; absent where a lab serves the site. */
  readonly remote?: Lacks;
  /** The IP address of each origin of a page at its own address; a study that is continued keeps to them. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** A digest of the whole manifest: another site under the same name has another. */
  readonly digest: string;
}

/** Six requests and 21 KB, which every lab serves: what warms browsers up, and what a study's control loads. */
export const SMALL_SITE = 'few-small';
export const SMALL_SITE_SIZE = { objects: 6, bytes: 21_000 } as const;

/** A site whose files are on this disk, ready to be served. */
export interface GeneratedSite {
  readonly manifest: Manifest;
  /** The folder whose files the paths name. */
  readonly root: string;
}

/** How a site is made: the same files for the same seed, on every machine. */
export interface Recipe {
  /** A line: what it is, its requests and its bytes. */
  readonly describes: string;
  /** Its version: a changed recipe makes its files again. */
  readonly version: number;
  readonly files: (seed: number) => Iterable<RecipeFile>;
}

/** A file that a recipe makes; the first one is the page. */
export interface RecipeFile {
  /** Relative to the site's own folder. */
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
  readonly arrives?: Arrival | undefined;
  readonly thinkMs?: number | undefined;
  /** It is what the page's form sends, and nothing that the page loads. */
  readonly sent?: true;
}

/** Where the upload page sends its file, on the origin that served the page; the backend answers there. */
export const UPLOAD_PATH = '/uploads';

/**
 * Where a server asks the backend to let time pass, for what it thinks about or for a page that is held back, and where
 * it finds the file afterwards; clients cannot ask for any of them.
 */
export const THINK_PATH = '/photofinish/think';
export const HOLD_PATH = '/photofinish/hold';
export const THOUGHT_PATH = '/photofinish/thought';

/** An empty page that every server has: a browser that loads it has been there. */
export const HELLO_PATH = '/photofinish/hello';
