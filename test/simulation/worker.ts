import { parentPort, workerData } from 'node:worker_threads';

/** Calls what `natively` names, and posts what it returns. */
const { module, call, args } = workerData as { module: string; call: string; args: readonly unknown[] };
const exported = (await import(module)) as Record<string, (...args: readonly unknown[]) => unknown>;
parentPort!.postMessage(await exported[call]!(...args));
