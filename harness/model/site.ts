/** What a site consists of: what each load is checked against. */
export interface Manifest {
  readonly site: string;
  readonly seed: number;
  /** The path of the page itself. */
  readonly document: string;
  /** The page and all that it loads, in no order. */
  readonly objects: readonly SiteObject[];
}

/** One object of a site as it must arrive. */
export interface SiteObject {
  /** Absolute, below the site's origin. */
  readonly path: string;
  readonly bytes: number;
  readonly type: string;
  readonly sha256: string;
}

/** A site whose files are on this disk, ready to be served. */
export interface GeneratedSite {
  readonly manifest: Manifest;
  /** The folder whose files the paths name. */
  readonly root: string;
}

/** How a site is made: the same files for the same seed. */
export interface Recipe {
  readonly describes: string;
  /** Its version: a changed recipe makes its files anew. */
  readonly version: number;
  readonly files: (seed: number) => Iterable<RecipeFile>;
}

/** A file that a recipe makes; the first one is the page. */
export interface RecipeFile {
  /** Relative to the site's own folder. */
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}
