import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { TOPOLOGY_NAMES } from '../../../harness/model/lab.ts';
import { openLabNetwork } from '../../../harness/run/lab-network.ts';
import { run } from '../../../harness/system/process.ts';
import { labTest } from '../lab.ts';
import { waysOfThisMachine } from '../ways.ts';

/** Addresses of this machine, of its gateway, and of others: for documentation, which nothing has, and a resolver's. */
async function addressesOutside(): Promise<string[]> {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const gateways = (await run(['ip', 'route', 'show', 'default'])).match(/(?<=via )\S+/g) ?? [];
  const ipv4 = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return [...ipv4, ...gateways, '192.0.2.1', '198.51.100.1', '203.0.113.1', '8.8.8.8', '169.254.169.254', '172.17.0.1'];
}

for (const topology of TOPOLOGY_NAMES)
  labTest(
    `nobody in a lab of topology ${topology} knows a way out`,
    async () => {
      const before = waysOfThisMachine();
      await using network = await openLabNetwork(topology);
      const hosts = [...network.clients, ...network.servers];
      expect(hosts.length).toBeGreaterThan(1);
      for (const { namespace } of hosts) {
        const near = hosts.find((each) => each.namespace !== namespace)!;
        // It knows the ways that it is to know, so that the question means something.
        await expect(run(['ip', '-n', namespace, 'route', 'get', near.address])).resolves.toContain(near.address);
        for (const address of await addressesOutside()) await expect(waysTo(namespace, address)).resolves.toEqual([]);
        for (const address of ['2001:db8::1', 'fe80::1'])
          await expect(run(['ip', '-n', namespace, '-6', 'route', 'get', address])).rejects.toThrow(
            /unreachable|denied|Invalid/i,
          );
        // And no interface that could lead to one.
        const devices = (await run(['ip', '-n', namespace, '-br', 'link'])).match(/^[^\s@]+/gm);
        expect(devices!.toSorted()).toEqual(['eth0', 'lo']);
      }
      expect(waysOfThisMachine()).toEqual(before);
    },
    60_000,
  );

labTest(
  'the machine’s interface counts no packet while a lab loads pages',
  async () => {
    const program = fileURLToPath(new URL('./load-by-itself.ts', import.meta.url));
    const counted = await run(
      ['unshare', '--net', process.execPath, '--disable-warning=ExperimentalWarning', program],
      {
        timeoutMs: 60_000,
      },
    );
    const { before, after, asked } = JSON.parse(counted);
    expect(after).toBe(before);
    // What does leave by it is counted.
    expect(asked).toBeGreaterThan(after);
  },
  60_000,
);

/** The interfaces by which the kernel would send to an address; none where it has no route. */
async function waysTo(namespace: string, address: string): Promise<string[]> {
  const found = await run(['ip', '-n', namespace, 'route', 'get', address]).catch(() => '');
  return found.match(/(?<= dev )\S+/g) ?? [];
}
