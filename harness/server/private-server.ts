import { readTools } from '../system/tools.ts';
import type { FoundServer, Missing } from './adapter.ts';

/** A server that setup takes from Debian's newest suites for itself, with its OpenSSL, or why it is not there. */
export function findPrivate(name: 'apache' | 'haproxy'): FoundServer | Missing {
  const found = readTools().servers[name];
  return 'missing' in found ? found : { argv: found.argv, version: `${found.version}, OpenSSL ${found.openssl}` };
}
