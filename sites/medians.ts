import { nameFiles } from './furnishing.ts';

/** How many files of a type a page loads and how many bytes they have in all, on the wire. */
export interface Share {
  readonly count: number;
  readonly bytes: number;
}

/** A page's files by type; the page itself is `html`. */
export interface FileMix {
  readonly html: Share;
  readonly css: Share;
  readonly scripts: Share;
  readonly images: Share;
}

/**
 * What pages weigh today: the HTTP Archive's crawl of July 2025, as in the Web Almanac 2025, chapter "Page Weight"
 * (https://almanac.httparchive.org/en/2025/page-weight). Bytes are the medians for desktop, compressed as they were sent
 * (here files are served as they are, so a script weighs what a compressed one would); counts are by kind of page.
 *
 *                 html     css        scripts       fonts       images          all, median of the sums
 *     home page   22 KB    8, 82 KB   22, 697 KB    4, 139 KB   19, 1,058 KB    78, 2,862 KB
 *     inner page  21 KB    8, 85 KB   23, 719 KB    4, 138 KB   13, 442 KB      71, 1,963 KB
 *
 * The medians of the types do not add up to the median of the sums, which also has video, frames and third parties. For
 * an app the scripts are those of the 75th percentile and the images of the 25th; for a gallery it is the other way round.
 */
export const MIXES = {
  article: {
    html: share(1, 21),
    css: share(8, 85),
    scripts: share(23, 719),
    images: share(13, 442),
  },
  shop: {
    html: share(1, 22),
    css: share(8, 82),
    scripts: share(22, 697),
    images: share(19, 1058),
  },
  app: {
    html: share(1, 21),
    css: share(8, 85),
    scripts: share(39, 1258),
    images: share(7, 138),
  },
  gallery: {
    html: share(1, 22),
    css: share(8, 82),
    scripts: share(10, 275),
    images: share(35, 2896),
  },
} as const satisfies Readonly<Record<string, FileMix>>;

/** The stylesheets, by the names that build tools and themes give them: as many as a page has at the median. */
export const STYLESHEETS = nameFiles('css', 'main base layout components forms icons print theme');

function share(count: number, kilobytes: number): Share {
  return { count, bytes: kilobytes * 1024 };
}
