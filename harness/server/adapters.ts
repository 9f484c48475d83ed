import type { Adapter } from './adapter.ts';
import { apache } from './apache.ts';
import { haproxy } from './haproxy.ts';
import { nginx } from './nginx.ts';

/** Every server that a lab can start, the default first. */
export const ADAPTERS: readonly [Adapter, ...Adapter[]] = [nginx, apache, haproxy];

/** The server of a name; there is one, as names are checked where they are read. */
export function findAdapter(name: string): Adapter {
  return ADAPTERS.find((adapter) => adapter.name === name)!;
}
