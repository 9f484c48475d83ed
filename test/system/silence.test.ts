import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { expect, test } from '@jest/globals';
import { run, start } from '../../harness/system/process.ts';
import { isStopped } from '../../harness/system/silence.ts';

const ASK = new URL('../../harness/system/ask.ts', import.meta.url).pathname;

test('who takes a connection and says nothing is silent; who answers, whatever it is, or is not there, is not', async () => {
  const [silent, speaking] = [createPlain(() => {}), createServer((_, response) => response.writeHead(404).end())];
  const ports = await Promise.all(
    [silent, speaking].map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  const places = ports.flatMap((port) => [`127.0.0.1:${port}:clear`, `127.0.0.1:${port}:tls`]);
  const said = await run([process.execPath, '--disable-warning=ExperimentalWarning', ASK, '500', ...places]);
  expect(said.split('\n')).toEqual(places.slice(0, 2));
  silent.close();
  speaking.close();
});

test('a process that was stopped is known', async () => {
  await using program = start(['sleep', '20']);
  expect(isStopped(program.pid)).toBe(false);
  process.kill(program.pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isStopped(program.pid)).toBe(true);
  process.kill(program.pid, 'SIGCONT');
  expect(isStopped(2 ** 22)).toBe(false);
});
