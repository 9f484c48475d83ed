import { EnvironmentError } from '../model/errors.ts';
import type { Adapter, FoundServer } from './adapter.ts';
import { apache } from './apache.ts';
import { caddy } from './caddy.ts';
import { haproxy } from './haproxy.ts';
import { nginx } from './nginx.ts';
import { openlitespeed } from './openlitespeed.ts';

/** Every server that a lab can start, the default first. */
export const ADAPTERS: readonly [Adapter, ...Adapter[]] = [nginx, apache, haproxy, caddy, openlitespeed];

/** The server of a name; there is one, as names are checked where they are read. */
export function findAdapter(name: string): Adapter {
  return ADAPTERS.find((adapter) => adapter.name === name)!;
}

/** Where a server is on this machine; throws where it is not. */
export function requireServer(name: string): FoundServer {
  const found = findAdapter(name).find();
  if ('missing' in found) throw new EnvironmentError(`no ${name} here: ${found.missing}`);
  return found;
}
