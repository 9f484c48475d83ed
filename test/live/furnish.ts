import { execFileSync } from 'node:child_process';
import { furnishEnclosure, isEnclosed } from '../../harness/system/enclosure.ts';

const MAKE_SITES = new URL('../sites/make-sites.ts', import.meta.url).pathname;
const SITES = new URL('../../.lab/sites', import.meta.url).pathname;

/** Before the first live test: the enclosure's own /run and /dev/shm; and all sites, which Jest would take minutes to make. */
export default async function furnish(): Promise<void> {
  if (isEnclosed()) await furnishEnclosure();
  execFileSync(process.execPath, [MAKE_SITES, SITES, '1']);
}
