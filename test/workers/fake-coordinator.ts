/* `node fake-coordinator.ts REDIS_URL FOLDER`: coordinates the study of the faults; says in a line what came of it. */
import { coordinate } from './coordinating.ts';
import { FAULTY_PLAN } from './faulty-plan.ts';

const [url, folder] = process.argv.slice(2);
const tell = ({ event }: { readonly event: string }) => process.stdout.write(`${event}\n`);
await coordinate({ url: url!, folder: folder!, plan: FAULTY_PLAN, tell });
