import { UsageError } from '../model/errors.ts';

/** Where the address of Redis may be, so that its password stands in no list of processes. */
export const ADDRESS_VARIABLE = 'PHOTOFINISH_REDIS_URL';

const EXPECTED = `redis://[USER:PASSWORD@]HOST[:PORT][/NUMBER], or rediss:// with TLS, or $ for what ${ADDRESS_VARIABLE} holds`;

/** Reads an address of Redis; `$` stands for the environment's. No message repeats it, since it may hold a password. */
export function parseRedisAddress(text: string, where: string, env = process.env): string {
  const address = text === '$' ? (env[ADDRESS_VARIABLE] ?? '') : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '') return address;
  throw new UsageError(`${where}: this is no address of Redis. Expected: ${EXPECTED}`);
}

/** An address that may be shown. */
export function withoutPassword(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
