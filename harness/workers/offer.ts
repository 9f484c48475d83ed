import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyFile, type RecordedSite } from '../model/recording.ts';
import type { Plan } from '../model/study.ts';
import type { KeptEvidence } from '../run/evidence.ts';
import { isGenerated, isRecorded, type Site } from '../run/sites.ts';
import { pack } from '../store/json.ts';
import { readVersion } from '../system/version.ts';
import { type Blob, putBlob } from './blobs.ts';
import { ABOUT, type Offer } from './messages.ts';
import type { Connection } from './redis.ts';

/** What a study offers to workers: its plan, and the sites that they cannot have by themselves. */
export async function offerOf(
  connection: Connection,
  plan: Plan,
  { keeps, sites }: { readonly keeps: KeptEvidence; readonly sites: ReadonlyMap<string, Site> },
): Promise<Offer> {
  return {
    ...ABOUT,
    photofinish: readVersion(),
    study: plan.study,
    plan: await putBlob(connection.redis, 'plan', pack(plan)),
    keeps,
    sites: await offerSites(connection, sites),
  };
}

/** All that has to be in Redis so that a worker can take an offer up. */
export function blobsOf({ plan, sites }: Offer): readonly Blob[] {
  return [plan, ...Object.values(sites).flatMap(({ manifest, bodies }) => [manifest, ...bodies])];
}

/** Lays down the sites that workers cannot have by themselves. */
export async function offerSites({ redis }: Connection, sites: ReadonlyMap<string, Site>): Promise<Offer['sites']> {
  const offered: [string, Offer['sites'][string]][] = [];
  for (const [name, site] of sites) {
    if (isGenerated(site)) continue;
    const files = isRecorded(site) ? bodiesOf(site) : [];
    const bodies: Blob[] = [];
    for (const file of files) bodies.push(await putBlob(redis, 'site', readFileSync(file)));
    const manifest = await putBlob(redis, 'site', Buffer.from(JSON.stringify(site.manifest)));
    offered.push([name, { manifest, bodies }]);
  }
  return Object.fromEntries(offered);
}

function bodiesOf({ root, manifest }: RecordedSite): readonly string[] {
  const names = new Set(manifest.responses.flatMap(({ body }) => body ?? []));
  return [...names].map((name) => join(root, bodyFile(name)));
}
