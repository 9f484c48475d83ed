import { rmSync, writeFileSync } from 'node:fs';
import { run } from '../system/process.ts';

/** A network namespace under a name of the enclosure's own. */
export async function openNamespace(name: string): Promise<AsyncDisposable> {
  // It does what `ip netns add` does, without going back to the namespace before, which ordinary users may not enter.
  const file = `/run/netns/${name}`;
  writeFileSync(file, '', { flag: 'wx' }); // Another lab's, under the same name, must not be overlaid and then deleted.
  try {
    await run(['unshare', `--net=${file}`, 'true']);
  } catch (cause) {
    rmSync(file);
    throw cause;
  }
  return {
    async [Symbol.asyncDispose]() {
      await run(['ip', 'netns', 'del', name]);
    },
  };
}
