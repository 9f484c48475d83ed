import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { expect } from '@jest/globals';
import { TOPOLOGY_NAMES } from '../../../harness/model/lab.ts';
import { openLabNetwork } from '../../../harness/run/lab-network.ts';
import { run } from '../../../harness/system/process.ts';
import { labTest } from '../lab.ts';

/** Addresses of this machine, of its gateway, and of others: for documentation, which nothing has, and a resolver's. */
async function addressesOutside(): Promise<string[]> {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const gateways = (await run(['ip', 'route', 'show', 'default'])).match(/(?<=via )\S+/g) ?? [];
  const ipv4 = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return [...ipv4, ...gateways, '192.0.2.1', '198.51.100.1', '203.0.113.1', '8.8.8.8', '169.254.169.254', '172.17.0.1'];
}

/**
 * How this machine could pass on what a lab sends: its interfaces, and how much it has passed on. What it sends itself
 * meanwhile does not count here.
 */
function waysOfThisMachine(): Readonly<Record<string, unknown>> {
  const devices = readFileSync('/proc/self/net/dev', 'utf8')
    .match(/^\s*\S+(?=:)/gm)!
    .map((name) => name.trim());
  const [names, counts] = readFileSync('/proc/self/net/snmp', 'utf8')
    .match(/^Ip:.*$/gm)!
    .map((line) => line.split(' '));
  return { devices: devices.toSorted(), passedOn: counts![names!.indexOf('ForwDatagrams')] };
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

/** The interfaces by which the kernel would send to an address; none where it has no route. */
async function waysTo(namespace: string, address: string): Promise<string[]> {
  const found = await run(['ip', '-n', namespace, 'route', 'get', address]).catch(() => '');
  return found.match(/(?<= dev )\S+/g) ?? [];
}
