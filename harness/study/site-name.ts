import { UsageError } from '../model/errors.ts';
import { isAddress, parseAddress } from '../model/remote.ts';
import { reading, text } from './fields.ts';
import { shortened } from './place.ts';

/** The name of a site, or the address of a page that exists already. */
export function findSiteName(written: string, known: readonly string[], where: string): string {
  if (known.includes(written)) return written;
  if (!isAddress(written))
    throw new UsageError(`${where}: no site '${shortened(written)}'; allowed: ${allowedOf(known)}`);
  const address = parseAddress(written);
  if (address !== undefined) return address;
  throw new UsageError(`${where}: '${shortened(written)}' will not do; allowed: an address that a browser can load`);
}

/** The same as a field of a file. */
export function siteField(known: readonly string[]) {
  return reading(text(allowedOf(known)), (written, where) => findSiteName(written, known, where));
}

function allowedOf(known: readonly string[]): string {
  return `${known.join(', ')}, or an address, as in https://shop.example/`;
}
