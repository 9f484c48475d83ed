/* `node fake-worker.ts REDIS_URL NAME LOAD_MS`: a worker whose labs have nothing behind them. */
import { stopRequested } from '../../harness/system/stop.ts';
import { serve } from './serving.ts';

const [url, name, loadMs] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);
await serve({ url: url!, name: name!, loadMs: Number(loadMs), stop: stopRequested(), print });
