import { UsageError } from '../model/errors.ts';
import { isAddress, parseAddress, whyRefused } from '../model/remote.ts';
import { reading, text } from './fields.ts';
import { shortened } from './place.ts';
import type { StudySources } from './sources.ts';
import { unknownName } from './unknown-name.ts';

/** A site as a study calls it, and where it is if it has no name here. */
export interface NamedSite {
  readonly name: string;
  /** A folder, absolute. */
  readonly place?: string;
}

type Sources = Pick<StudySources, 'sites' | 'findFolder'>;

/** The site that a text means: by its name, by the address of a page that exists already, or by a built one's folder. */
export function findSiteName(written: string, sources: Sources, where: string): NamedSite {
  if (sources.sites.includes(written)) return { name: written };
  if (isAddress(written)) return { name: requireAddress(written, where) };
  const folder = sources.findFolder(written);
  if (folder) return named(folder, sources);
  throw unknownName(written, {
    where,
    what: 'site',
    known: sources.sites,
    expected: ALLOWED_SITES,
    see: 'npx photofinish list sites',
    perhaps: addressMeant(written),
  });
}

/** The address that a host without a scheme was perhaps meant to be: `http://localhost:3000/`, `https://shop.example/`. */
export function addressMeant(written: string): string | undefined {
  const [, host, port = '', path = '/'] =
    /^(localhost|[\w-]+(?:\.[\w-]+)*\.[a-z0-9]+)(:\d{1,5})?(\/.*)?$/i.exec(written.slice(0, 200)) ?? [];
  if (host === undefined) return undefined;
  return `${port === '' ? 'https' : 'http'}://${host}${port}${path}`;
}

/** The most characters of an address: a study's conditions are called after their sites. */
export const MOST_ADDRESS = 2_000;

function requireAddress(written: string, where: string): string {
  const why = whyRefused(written);
  if (why !== undefined) throw new UsageError(`${where}: "${shortened(written)}" cannot be asked for: ${why}`);
  const address = parseAddress(written);
  if (address !== undefined && address.length > MOST_ADDRESS)
    throw new UsageError(
      `${where}: "${shortened(written)}" has ${address.length} characters. Expected: an address of up to ${MOST_ADDRESS}`,
    );
  if (address !== undefined) return address;
  throw new UsageError(`${where}: "${shortened(written)}" is not valid. Expected: an address that a browser can load`);
}

/** A site under its folder's name, unless another site has that name. */
function named({ name, path }: { readonly name: string; readonly path: string }, { sites }: Sources): NamedSite {
  return { name: sites.includes(name) ? `${name}-folder` : name, place: path };
}

/** A site as a field of a file, as it was written. */
export function siteField(sources: Sources) {
  return reading(text(ALLOWED_SITES), (written, where) => requireSite(written, sources, where));
}

/** A site's text, as it was written, if there is such a site. */
export function requireSite(written: string, sources: Sources, where: string): string {
  const { name, place } = findSiteName(written, sources, where);
  return place === undefined ? name : written;
}

const ALLOWED_SITES = 'a name, an address such as https://shop.example/, or a folder with an index.html';

/** The grids with sites called by their names, and where those sites are that are not Photofinish's own. */
export function nameSites<Grid extends { readonly sites: readonly string[] }>(
  grids: readonly Grid[],
  known: Readonly<Record<string, string>>,
  { sources, where }: { readonly sources: Sources; readonly where: string },
): { readonly grids: readonly Grid[]; readonly places: Readonly<Record<string, string>> } {
  const places: Record<string, string> = {};
  const nameOf = (written: string): string => {
    // A study that was begun calls it by its name already.
    const before = known[written];
    const { name, place } = before ? { name: written, place: before } : findSiteName(written, sources, where);
    if (place === undefined) return name;
    if (places[name] !== undefined && places[name] !== place)
      throw new UsageError(`${where}: "${places[name]}" and "${place}" are both called ${name}. Expected: one of them`);
    places[name] = place;
    return name;
  };
  return { grids: grids.map((grid) => ({ ...grid, sites: grid.sites.map(nameOf) })), places };
}
