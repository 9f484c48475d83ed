import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RECIPES } from '../../sites/recipes.ts';
import { UsageError } from '../model/errors.ts';
import type { RecordedManifest, RecordedSite } from '../model/recording.ts';
import { type FoundSite, remoteFacts } from '../model/remote.ts';
import { type GeneratedSite, requiredObjects, type SiteFacts } from '../model/site.ts';
import { generateSite } from '../site/generate.ts';
import { type ReadRecording, readRecording } from '../site/record/store.ts';
import { allOrigins, ownOrigin } from '../site/replay/addresses.ts';
import { PROJECT } from '../system/tools.ts';

/** Where recordings are kept, each a folder. */
export const RECORDINGS = `${PROJECT}sites/recorded`;

/** The site cache and the seed that generated sites come from. */
const SITES = `${PROJECT}.lab/sites`;
const SITE_SEED = 1;

/** A site that a lab can serve, or that serves itself. */
export type Site = GeneratedSite | RecordedSite | FoundSite;

/** Whether a site exists already, and is only loaded from. */
export function isRemote(site: Site): site is FoundSite {
  return 'asked' in site.manifest;
}

/** Whether a site was made here. */
export function isGenerated(site: Site): site is GeneratedSite {
  return 'document' in site.manifest;
}

/** Whether a site was recorded, and is served as it was. */
export function isRecorded(site: Site): site is RecordedSite {
  return 'responses' in site.manifest;
}

/** The files of a site that has a recipe, made if they are not there yet. */
export function findSite(name: string): GeneratedSite {
  return generateSite(name, RECIPES[name]!, SITE_SEED, SITES);
}

/** A site by its name: one that has a recipe, or one that was recorded. */
export function findAnySite(name: string, recordings = RECORDINGS): Site {
  return Object.hasOwn(RECIPES, name) ? findSite(name) : findRecorded(join(recordings, name));
}

/** A browser is told of each of a page's origins in its arguments, whose length the kernel limits. */
const MOST_ORIGINS = 500;

function findRecorded(root: string): RecordedSite {
  const { site } = readRecording(root);
  refuseManyOrigins(site);
  return site;
}

/** Refuses what no lab can serve, before any work is put into it. */
export function refuseManyOrigins({ manifest }: RecordedSite): void {
  const { length } = allOrigins(manifest);
  if (length > MOST_ORIGINS)
    throw new UsageError(`site "${manifest.site}" loads from ${length} origins. Expected: up to ${MOST_ORIGINS}`);
}

/** Reads a recording that was read before; it may have been replaced since, and another one would be served. */
export function readAgain({ root, manifest }: RecordedSite): ReadRecording {
  const read = readRecording(root);
  // A study may call it otherwise than its folder.
  const now = { ...read.site.manifest, site: manifest.site };
  if (JSON.stringify(now) === JSON.stringify(manifest)) return read;
  throw new UsageError(
    `site "${manifest.site}" was recorded again while it was measured. Expected: a recording that stays until then`,
  );
}

/** What a plan must know of a site. */
export function factsOf(site: Site): SiteFacts {
  if (isRemote(site)) return remoteFacts(site.manifest);
  const digest = createHash('sha256').update(JSON.stringify(site.manifest)).digest('hex');
  if (isRecorded(site))
    return {
      ...totalOf(site.manifest.responses),
      thinkMs: thinkingOf(site.manifest),
      recorded: ownOrigin(site.manifest).startsWith('https:') ? 'https' : 'http',
      digest,
    };
  const { upload } = site.manifest;
  return {
    ...totalOf(requiredObjects(site.manifest)),
    uploadBytes: upload?.bytes,
    digest,
  };
}

/** The think time of the page itself, plus the longest of those that it waits for. */
function thinkingOf({ url, responses, live }: RecordedManifest): number {
  const page = responses.find((each) => each.url === url);
  const waitedFor = responses.filter((each) => each !== page && each.wantedMs < (live?.pltMs ?? 0));
  return (page?.thinkMs ?? 0) + Math.max(0, ...waitedFor.map(({ thinkMs = 0 }) => thinkMs));
}

function totalOf(objects: readonly { readonly bytes: number }[]): Pick<SiteFacts, 'objects' | 'bytes'> {
  return { objects: objects.length, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
}
