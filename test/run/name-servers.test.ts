import { expect, test } from '@jest/globals';
import type { NameServer } from '../../harness/network/name-server.ts';
import { openNameServers } from '../../harness/run/name-servers.ts';

/** Name servers that can be told to end, and what became of each, in order. */
function openFakes() {
  const told: string[] = [];
  const faults = new Map<number, string>();
  let started = 0;
  const servers = openNameServers(async (client) => {
    started += 1;
    const number = started;
    told.push(`${number} starts for ${client}`);
    return {
      configuration: `configuration ${number}`,
      findFault: () => faults.get(number),
      async [Symbol.asyncDispose]() {
        told.push(`${number} closes`);
      },
    } as unknown as NameServer;
  });
  return { servers, told, end: (number: number) => void faults.set(number, 'it ended') };
}

test('the first that asks for a client’s name server starts it, and all others get the same one', async () => {
  const { servers, told } = openFakes();
  expect([servers.findFault(), servers.configurations()]).toEqual([undefined, {}]);
  const [one, same] = await Promise.all([servers.find(0), servers.find(0)]);
  expect(one).toBe(same);
  await servers.find(1);
  expect(servers.configurations()).toEqual({ 'name server': 'configuration 1' });
  await servers[Symbol.asyncDispose]();
  expect(told).toEqual(['1 starts for 0', '2 starts for 1', '1 closes', '2 closes']);
});

test('one that has ended is known, and is started again before the next load', async () => {
  const { servers, told, end } = openFakes();
  await servers.find(0);
  await servers.find(1);
  await servers.revive();
  end(2);
  expect(servers.findFault()).toBe('it ended');
  await servers.revive();
  expect([servers.findFault(), told.slice(2)]).toEqual([undefined, ['2 closes', '3 starts for 1']]);
});
