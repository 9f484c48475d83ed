import { inNamespace, succeeds } from '../../harness/system/process.ts';

/** A bare machine has no `ping`. */
const PING = new URL('./ping.pl', import.meta.url).pathname;

/** Whether an address answers a ping within a second; from a namespace, or from where this runs. */
export function answersPing(address: string, namespace?: string): Promise<boolean> {
  return succeeds(inNamespace(namespace, ['perl', PING, address]));
}
