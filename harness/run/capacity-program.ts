/*
 * Measures what this machine's link carries, inside an enclosure that it was started in, and says it as JSON.
 */
import { furnishEnclosure } from '../system/enclosure.ts';
import { measureCapacities } from './capacity.ts';

await furnishEnclosure();
process.stdout.write(JSON.stringify(await measureCapacities()));
process.exit(0);
