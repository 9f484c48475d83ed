import { BlockList, isIP } from 'node:net';
import type { Exchange, LeftOut } from '../../model/recording.ts';

/** How far an address reaches: this machine, a private network, or the whole Internet. */
export type AddressSpace = 'loopback' | 'private' | 'public';

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128', '0.0.0.0/8', '::/128']);
/** RFC 1918, RFC 6598 (carriers' own), RFC 3927 and RFC 4291 (link-local), RFC 4193, and what RFC 2544 has for benches. */
const PRIVATE = listOf([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '198.18.0.0/15'],
  ...['fe80::/10', 'fc00::/7'],
]);

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** The space of an address as the browser tells it; an IPv4 address in IPv6's form is the IPv4 address. */
export function addressSpaceOf(address: string): AddressSpace {
  const family = familyOf(address);
  if (LOOPBACK.check(address, family)) return 'loopback';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/**
 * Sorts out what came from a private address at which the page itself is not: a page of somebody else's that has the
 * recorder fetch from its own network must not have that written down. Chromium refuses most such requests before they are
 * sent; a navigation it lets pass. An answer is left out, too, if the browser tells no address that it came from.
 */
export function withoutPrivate(exchanges: readonly Exchange[]): {
  readonly exchanges: readonly Exchange[];
  readonly leftOut: readonly LeftOut[];
} {
  const page = exchanges.find(({ address }) => address !== undefined)?.address;
  const own = page === undefined ? 'public' : addressSpaceOf(page);
  const whyRefused = ({ address }: Exchange) => {
    if (address === undefined) return 'its browser did not say from which address it came';
    const isOwn = ['public', own].includes(addressSpaceOf(address));
    return isOwn ? undefined : 'it came from a private address, and the page itself is at none of that kind';
  };
  return {
    exchanges: exchanges.filter((each) => whyRefused(each) === undefined),
    leftOut: exchanges.flatMap((each) => {
      const why = whyRefused(each);
      return why === undefined ? [] : [{ what: `${each.method} ${each.url}`, why, came: true }];
    }),
  };
}
