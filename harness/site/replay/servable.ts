import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findCached, forgetOld } from '../record/cache.ts';
import { type ReadRecording, writeRecording } from '../record/store.ts';
import { secureRecording } from './secure-origins.ts';

/** The version of how recordings are made over; with another one they are made over again. */
const VERSION = 1;

/**
 * A recording in a folder that it can be replayed from over every protocol: its own, or where its page has no TLS or no
 * name one below the cache, made over from it once; its site's name stays.
 */
export function findServable(read: ReadRecording, cache: string): ReadRecording {
  const { manifest } = read.site;
  const key = createHash('sha256')
    .update(JSON.stringify([VERSION, manifest]))
    .digest('hex')
    .slice(0, 32);
  const known = findCached(join(cache, key, manifest.site));
  if (known) return { ...known, leftOut: read.leftOut };
  const secured = secureRecording(read);
  if (secured === read) return read;
  forgetOld(cache);
  const site = writeRecording({ manifest: secured.site.manifest, bodies: secured.bodies }, join(cache, key));
  return { ...secured, site };
}
