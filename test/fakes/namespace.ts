import { writeFileSync } from 'node:fs';
import type { Host } from '../../harness/model/lab.ts';
import { temporaryFolder } from '../store/studies.ts';

/**
 * A host whose programs are all this shell script, which gets their names and arguments, until it is disposed of. This
 * machine has programs of some names besides.
 */
export function openFakeHost(script: string, ...names: readonly string[]): Disposable & { readonly host: Host } {
  const folder = temporaryFolder();
  const { PATH } = process.env;
  // What enters a namespace becomes the program that it was given.
  writeFileSync(`${folder.path}/nsenter`, `#!/bin/sh\nshift 2\n${script}\n`, { mode: 0o755 });
  for (const name of names) writeFileSync(`${folder.path}/${name}`, '', { mode: 0o755 });
  process.env.PATH = `${folder.path}:${PATH}`;
  return {
    host: { namespace: 'fake', address: '10.77.0.2', device: 'eth0' },
    [Symbol.dispose]() {
      process.env.PATH = PATH;
      folder[Symbol.dispose]();
    },
  };
}
