import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, jest } from '@jest/globals';

// A simulation ends by itself. Beside live tests it has only the processor that nothing else wants, a tenth of it at times.
jest.setTimeout(1_200_000);

/** By module: a thread that has loaded it. Each simulation after the first finds its code compiled. */
const workers = new Map<string, Worker>();
afterAll(() => Promise.all([...workers.values()].map((worker) => worker.terminate())));

/**
 * What an exported function of a module in this folder returns for these arguments, called in a thread of Node's own:
 * in Jest's sandbox every use of a global such as `Math` is looked up anew, and simulations take three times as long.
 */
export async function natively<T>(module: string, call: string, ...args: readonly unknown[]): Promise<T> {
  const worker = workers.get(module) ?? startWorker(module);
  workers.set(module, worker);
  worker.postMessage({ call, args });
  // Rejects where the worker fails.
  const [result] = (await once(worker, 'message')) as [T];
  return result;
}

function startWorker(module: string): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: new URL(module, import.meta.url).href,
    // It is started without Jest's own flags.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
}
