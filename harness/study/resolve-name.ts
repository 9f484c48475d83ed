import { isIP } from 'node:net';
import { UsageError } from '../model/errors.ts';

/** A name, or `*` for all, with a port, and the address that it leads to. */
export interface LedName {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** `HOST:PORT:ADDRESS`, as curl has it; `*` stands for every host. */
export function parseResolve(text: string, where = '--resolve'): LedName {
  const [, host = '', port = '', written = ''] = /^([^:]+):(\d+):(.+)$/.exec(text) ?? [];
  const address = written.replace(/^\[(.*)\]$/, '$1');
  const ok = (host === '*' || /^[a-z0-9._*-]+$/i.test(host)) && Number(port) >= 1 && Number(port) <= 65_535;
  if (!ok || isIP(address) === 0)
    throw new UsageError(
      `${where}: "${text}" is not valid. Expected: HOST:PORT:ADDRESS, as in shop.example:443:192.0.2.7`,
    );
  return { host, port: Number(port), address: isIP(address) === 6 ? `[${address}]` : address };
}
