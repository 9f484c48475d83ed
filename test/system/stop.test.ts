import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { start } from '../../harness/system/process.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s: the piece at hand is finished, the next not begun',
  async (signal) => {
    await using program = start([process.execPath, '--disable-warning=ExperimentalWarning', WORKER, '1500']);
    let said = '';
    program.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await once(program.stdout, 'data');
    program.child.kill(signal);
    expect([await program.ended, said]).toEqual([4, 'piece 1\nstopped, asked: true\n']);
  },
);

test('a second request ends it at once', async () => {
  await using program = start([process.execPath, '--disable-warning=ExperimentalWarning', WORKER, '60000']);
  await once(program.stdout, 'data');
  program.child.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(program.child.exitCode).toBeNull();
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe('SIGTERM');
});
