import { furnishEnclosure, isEnclosed } from '../../harness/system/enclosure.ts';

/** Before the first live test: the enclosure's own /run and /dev/shm. */
export default async function furnish(): Promise<void> {
  if (isEnclosed()) await furnishEnclosure();
}
