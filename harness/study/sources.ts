import { UsageError } from '../model/errors.ts';
import type { ServerAbilities } from '../model/server.ts';
import type { LinkSources } from './link.ts';
import { shortened } from './place.ts';

/** What a study's text may refer to; all that it needs of the disk comes in through here. */
export interface StudySources extends LinkSources {
  /** The names of all sites. */
  readonly sites: readonly string[];
  /** A built site in a folder, or the one that a page is in: what it is called, and its path. */
  readonly findFolder: (written: string) => { readonly name: string; readonly path: string } | undefined;
  /** The names of all servers; the first is the default. */
  readonly servers: readonly [string, ...string[]];
  readonly abilitiesOf: (server: string) => ServerAbilities;
  /** The names of the studies that come with the project. */
  readonly presets: readonly string[];
  /** The text of a preset's file. */
  readonly readPreset: (name: string) => string;
  readonly drawSeed: () => number;
}

/** A file's text, for an option that names it. */
export function readFile(file: string, sources: LinkSources, where: string): string {
  try {
    return sources.readText(file);
  } catch (cause) {
    throw new UsageError(`${where}: "${shortened(file)}" cannot be read: ${(cause as Error).message}`, { cause });
  }
}
