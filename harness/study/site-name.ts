import { UsageError } from '../model/errors.ts';
import { shortened } from './place.ts';
import type { StudySources } from './sources.ts';

/** A site as a study calls it, and where it is if it has no name here. */
export interface NamedSite {
  readonly name: string;
  /** A folder, absolute. */
  readonly place?: string;
}

/** The site that a text means: by its name, or by the folder that a built one is in. */
export function findSiteName(
  written: string,
  sources: Pick<StudySources, 'sites' | 'findFolder'>,
  where: string,
): NamedSite {
  if (sources.sites.includes(written)) return { name: written };
  const folder = sources.findFolder(written);
  if (folder) return named(folder, sources);
  throw new UsageError(`${where}: no site '${shortened(written)}'; allowed: ${allowedSites(sources)}`);
}

/** What a site may be, for messages. */
export function allowedSites({ sites }: Pick<StudySources, 'sites'>): string {
  return `${sites.join(', ')}, or a folder with an index.html`;
}

/** Its folder's name, unless a site is called so anyway. */
function named(
  { name, path }: { readonly name: string; readonly path: string },
  { sites }: Pick<StudySources, 'sites'>,
) {
  return { name: sites.includes(name) ? `${name}-folder` : name, place: path };
}

/** The same grids with sites called by their names, and where those are that have none here. */
export function nameSites<Grid extends { readonly sites: readonly string[] }>(
  grids: readonly Grid[],
  known: Readonly<Record<string, string>>,
  { sources, where }: { readonly sources: Pick<StudySources, 'sites' | 'findFolder'>; readonly where: string },
): { readonly grids: readonly Grid[]; readonly places: Readonly<Record<string, string>> } {
  const places: Record<string, string> = {};
  const nameOf = (written: string): string => {
    // One that was begun calls it by its name already.
    const before = known[written];
    const { name, place } = before ? { name: written, place: before } : findSiteName(written, sources, where);
    if (place === undefined) return name;
    if (places[name] !== undefined && places[name] !== place)
      throw new UsageError(`${where}: '${places[name]}' and '${place}' are both called ${name}; allowed: one of them`);
    places[name] = place;
    return name;
  };
  return { grids: grids.map((grid) => ({ ...grid, sites: grid.sites.map(nameOf) })), places };
}
