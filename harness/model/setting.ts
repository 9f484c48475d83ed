/** A condition's setting: its link, server and visit, all that it is named by but the page. */
export function settingOf({ id, site }: { readonly id: string; readonly site: string }): string {
  return id.slice(site.length);
}

/** Other pages in a page's setting have a part in its answer where there are at least this many: fewer do not tell how far pages differ. */
export const LEAST_OTHER_PAGES = 2;
