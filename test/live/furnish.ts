import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { furnishEnclosure, isEnclosed } from '../../harness/system/enclosure.ts';

const MAKE_SITES = fileURLToPath(new URL('../sites/make-sites.ts', import.meta.url));
const SITES = fileURLToPath(new URL('../../.lab/sites', import.meta.url));

/** All sites, where they are not there yet: Jest would take minutes to make them. */
export function makeSites(): void {
  execFileSync(process.execPath, [MAKE_SITES, SITES, '1']);
}

/** Before the first live test: the enclosure's own /run and /dev/shm, and all sites. */
export default async function furnish(): Promise<void> {
  if (isEnclosed()) await furnishEnclosure();
  makeSites();
}
