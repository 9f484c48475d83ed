import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

/** The exit code of a process with a rejected promise that has no handler, when the error came from a file. */
function endOf(file: string): number | null {
  const module = new URL('../../harness/browser/lighthouse.ts', import.meta.url).href;
  const script = `
    const { catchLooseEnds } = await import(${JSON.stringify(module)});
    catchLooseEnds();
    catchLooseEnds();
    const error = new Error('Protocol error (Page.navigate): Target closed');
    error.stack = error.stack + '\\n    at fromProtocolMessage (file://${file}:160:19)';
    void Promise.reject(error);
    setTimeout(() => process.exit(0), 50);
  `;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 }).status;
}

describe('an error of Lighthouse without a handler', () => {
  it('does not end the process', () => {
    expect(endOf('/srv/photofinish/node_modules/lighthouse/core/lib/lh-error.js')).toBe(0);
  });

  it('is the only one that does not', () => {
    expect(endOf('/srv/photofinish/harness/browser/load.ts')).toBe(1);
  });
});
