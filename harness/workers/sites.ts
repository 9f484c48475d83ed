import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import type { RecordedManifest } from '../model/recording.ts';
import type { FoundSite } from '../model/remote.ts';
import type { Plan } from '../model/study.ts';
import { factsOf, findAnySite, type Site } from '../run/sites.ts';
import { writeRecording } from '../site/record/store.ts';
import { digestOf, takeBlob } from './blobs.ts';
import type { Offer } from './messages.ts';

/** What a site may bring, all its bodies together. */
const MOST_SITE_BYTES = 1_000_000_000;

/** The sites of a plan: those that this machine has, and those that come with the offer, into a folder. */
export async function findSites(
  redis: Redis,
  { plan, offer, trust }: { readonly plan: Plan; readonly offer: Offer; readonly trust: boolean },
  folder: string,
): Promise<readonly Site[]> {
  const sites: Site[] = [];
  for (const [name, { digest }] of Object.entries(plan.sites)) {
    const site = findOwn(name, digest) ?? (await fetchSite(redis, offer.sites[name], { folder, trust }));
    if (!site || factsOf(site).digest !== digest)
      throw new Error(
        `the site "${name}" of the study is not on this machine, or is another here, and does not come with it`,
      );
    sites.push(site);
  }
  return sites;
}

function findOwn(name: string, digest: string): Site | undefined {
  if (basename(name) !== name) return undefined;
  try {
    const site = findAnySite(name);
    return factsOf(site).digest === digest ? site : undefined;
  } catch {
    return undefined; // There is no such site, or it cannot be read.
  }
}

/** A recording as data: its manifest is held to the schema of recordings, each body to its digest. */
async function fetchSite(
  redis: Redis,
  offered: Offer['sites'][string] | undefined,
  { folder, trust }: { readonly folder: string; readonly trust: boolean },
): Promise<Site | undefined> {
  if (!offered) return undefined;
  const bytes = offered.bodies.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > MOST_SITE_BYTES) throw new Error(`a site of ${bytes} bytes is too large: up to ${MOST_SITE_BYTES}`);
  const manifest = JSON.parse((await takeBlob(redis, offered.manifest)).toString('utf8')) as
    | RecordedManifest
    | FoundSite['manifest'];
  // A page from elsewhere is where it is; only a worker that trusts the coordinator goes there.
  if ('asked' in manifest) return trust ? { manifest } : undefined;
  const bodies = new Map<string, Buffer>();
  for (const body of offered.bodies) bodies.set(body.digest, await takeBlob(redis, body));
  mkdirSync(folder, { recursive: true });
  // Its own name is a line of text, and no folder's.
  const site = digestOf(manifest.site).slice(0, 20);
  const { root } = writeRecording({ manifest: { ...manifest, site }, bodies }, folder);
  return { manifest, root };
}
