import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../model/errors.ts';

/** The programs that setup found or installed; `.lab/tools.json`, which only setup writes. */
export interface Tools {
  readonly schema: 2;
  readonly chromium: { readonly path: string; readonly version: string };
  /** The headless shell of the same version, where there is one. */
  readonly shell?: { readonly path: string } | null;
  readonly nginx: DebianServer & { readonly source: 'env' | 'path' | 'private' };
  /** Servers that a study may have besides, each as it was found or taken from Debian, or why it was not. */
  readonly servers: Readonly<Record<'apache' | 'haproxy', DebianServer | Missing>> &
    Readonly<Record<'caddy' | 'openlitespeed', InstalledServer | Missing>>;
  /** Which kernel has netem: this one, or a user-mode one that stands in for it. */
  readonly netem: 'kernel' | 'uml' | 'none';
  readonly uml: { readonly kernel: string; readonly modules: string } | null;
  /** The most that a UDP socket may buffer here; null where that could not be read. */
  readonly udpBufferBytes: number | null;
}

/** A server as setup found it. */
export interface InstalledServer {
  readonly argv: readonly [string, ...string[]];
  readonly version: string;
}

/** Why setup has no such server here, and what would change that. */
interface Missing {
  readonly missing: string;
}

/** A server of Debian's. */
export interface DebianServer extends InstalledServer {
  /** The version of OpenSSL that it runs on. */
  readonly openssl: string;
  readonly packages?: readonly { readonly name: string; readonly version: string; readonly sha256: string }[];
}

/** The folder of the project. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Reads what setup found or installed, for the rest of the program. */
export function readTools(): Tools {
  const path = `${PROJECT}.lab/tools.json`;
  let tools: Tools;
  try {
    tools = JSON.parse(readFileSync(path, 'utf8')) as Tools;
  } catch (cause) {
    throw new EnvironmentError('this machine has not been made ready: npm run setup', { cause });
  }
  if (tools.schema !== 2) throw new EnvironmentError(`${path} is of another version: npm run setup`);
  return tools;
}
