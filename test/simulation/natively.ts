import { Worker } from 'node:worker_threads';

/**
 * What an exported function of a module in this folder returns for these arguments, called in a thread of Node's own:
 * in Jest's sandbox every use of a global such as `Math` is looked up anew, and simulations take three times as long.
 */
export function natively<T>(module: string, call: string, ...args: readonly unknown[]): Promise<T> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { module: new URL(module, import.meta.url).href, call, args },
    // Jest's own flags are nothing for it.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${module}: ${call} ended with code ${code} and without a result`)));
  });
}
