import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { expect, test } from '@jest/globals';
import { start } from '../../harness/system/process.ts';
import { condemnSilent, isStopped } from '../../harness/system/silence.ts';

/** The ports of a server that takes connections and says nothing, and of one that answers. */
async function openServers() {
  const [silent, speaking] = [createPlain(() => {}), createServer((_, response) => response.writeHead(404).end())];
  const ports = await Promise.all(
    [silent, speaking].map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  const close = () => {
    for (const server of [silent, speaking]) server.close();
  };
  return { ports: ports as [silent: number, speaking: number], [Symbol.dispose]: close };
}

test('who takes a connection and says nothing is condemned, as is who is not there; who answers, whatever it is, is not', async () => {
  using servers = await openServers();
  const [silent, speaking] = servers.ports;
  const condemned: string[] = [];
  const part = (name: string, ...places: readonly (readonly [port: number, tls: boolean])[]) => ({
    name,
    asked: places.map(([port, tls]) => ({ address: '127.0.0.1', port, tls })),
    condemn: (says: string) => void condemned.push(says),
  });
  const parts = [
    part('silent', [silent, false]),
    part('silent with TLS', [silent, true]),
    part('speaking', [speaking, false]),
    part('speaking no TLS', [speaking, true]),
    part('not there', [1, false]),
    part('speaking at one of two places', [speaking, false], [silent, false]),
    part('without a place'),
  ];
  await condemnSilent(undefined, parts, 300);
  expect(condemned).toEqual(
    ['silent', 'silent with TLS', 'not there', 'speaking at one of two places'].map(
      (name) => `${name} did not answer within 0.3 s`,
    ),
  );
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
