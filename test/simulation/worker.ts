import { parentPort, workerData } from 'node:worker_threads';

/** Calls what `natively` names, one after the other, and posts what each returns. */
const exported = (await import(workerData)) as Record<string, (...args: readonly unknown[]) => unknown>;
parentPort!.on('message', async ({ call, args }: { call: string; args: readonly unknown[] }) => {
  parentPort!.postMessage(await exported[call]!(...args));
});
