import { writeFileSync } from 'node:fs';
import { run } from '../system/process.ts';

/** A network namespace under a name of the enclosure's own. */
export async function openNamespace(name: string): Promise<AsyncDisposable> {
  // As `ip netns add` does it, but for going back to the namespace before, which an ordinary user may not enter.
  writeFileSync(`/run/netns/${name}`, '');
  await run(['unshare', `--net=/run/netns/${name}`, 'true']);
  return {
    async [Symbol.asyncDispose]() {
      await run(['ip', 'netns', 'del', name]);
    },
  };
}
