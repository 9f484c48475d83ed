import { describe, expect, test } from '@jest/globals';
import { TOPOLOGIES, type TopologyName } from '../../harness/model/lab.ts';
import { batched, nodeCommands, trunkCommands, wayOutCommands } from '../../harness/network/router.ts';
import { wire } from '../../harness/network/wiring.ts';

describe.each(Object.keys(TOPOLOGIES) as TopologyName[])('%s', (topology) => {
  const wiring = wire('lab7', topology);

  test('has its clients and servers, each with names and addresses of its own', () => {
    const roles = wiring.hosts.map((host) => host.role);
    expect(roles.filter((role) => role === 'client')).toHaveLength(TOPOLOGIES[topology].clients);
    expect(roles.filter((role) => role === 'server')).toHaveLength(TOPOLOGIES[topology].servers);
    for (const key of ['namespace', 'address', 'mac'] as const)
      expect(new Set(wiring.hosts.map((host) => host[key])).size).toBe(wiring.hosts.length);
  });

  test('carries the name of its lab everywhere, and names that the kernel takes', () => {
    for (const name of [...wiring.hosts.map((host) => host.namespace), ...wiring.nodes.map((node) => node.name)])
      expect(name).toMatch(/^lab7-/);
    for (const device of wiring.nodes.flatMap((node) => node.ports.map((port) => port.device)))
      expect(device.length).toBeLessThan(16);
  });

  test('has one port for each host, and both directions shaped at a port that exists', () => {
    const ports = wiring.nodes.flatMap((node) => node.ports.map((port) => ({ node: node.name, ...port })));
    expect(ports.flatMap((port) => port.host ?? []).sort()).toEqual(wiring.hosts.map((host) => host.namespace).sort());
    for (const { node, device } of Object.values(wiring.shaped))
      expect(ports.filter((port) => port.node === node && port.device === device)).toHaveLength(1);
    expect(wiring.shaped.up).not.toEqual(wiring.shaped.down);
  });

  test('knows every neighbour beforehand: nothing is resolved over the link', () => {
    const ports = wiring.nodes.flatMap((node) => node.ports);
    for (const host of wiring.hosts) {
      const others = wiring.hosts.filter((other) => other !== host).map(({ address, mac }) => ({ address, mac }));
      const { mac, neighbour } = ports.find((port) => port.host === host.namespace)!;
      expect(neighbour).toEqual({ address: host.address, mac: host.mac });
      expect(host.neighbours).toEqual(host.gateway === undefined ? others : [{ address: host.gateway, mac }]);
    }
  });
});

test('only the topologies with two nodes have a trunk between them', () => {
  expect(trunkCommands(wire('a', 'direct'))).toEqual([]);
  expect(trunkCommands(wire('a', 'routed'))).toEqual([]);
  expect(trunkCommands(wire('a', 'crowd'))[0]!.join(' ')).toBe(
    'ip -n a-near link add name trunk address 02:00:00:70:03:01 type veth peer name trunk netns a-far address 02:00:00:70:03:02',
  );
});

test('neighbouring commands of one program on one node become one batch; others stand alone', () => {
  expect(
    batched([
      ['tc', '-n', 'a', 'qdisc', 'add'],
      ['tc', '-n', 'a', 'filter', 'add'],
      ['ip', '-n', 'a', 'link', 'set'],
      ['sysctl', '-w'],
      ['ip', '-n', 'a', 'link', 'up'],
      ['ip', '-n', 'b', 'link', 'up'],
      ['ip', 'link', 'set', 'c'],
      ['ip', 'link', 'set', 'd'],
      ['ip', 'netns', 'add', 'e'],
    ]),
  ).toEqual([
    { argv: ['tc', '-n', 'a', '-batch'], text: 'qdisc add\nfilter add\n' },
    { argv: ['ip', '-n', 'a', '-batch'], text: 'link set\n' },
    { argv: ['sysctl', '-w'] },
    { argv: ['ip', '-n', 'a', '-batch'], text: 'link up\n' },
    { argv: ['ip', '-n', 'b', '-batch'], text: 'link up\n' },
    { argv: ['ip', '-batch'], text: 'link set c\nlink set d\n' },
    { argv: ['ip', 'netns', 'add', 'e'] },
  ]);
});

test('a direct cable passes a frame on to the host that it is for, and none back', () => {
  const filters = nodeCommands(wire('a', 'direct'))
    .map((argv) => argv.join(' '))
    .filter((line) => line.includes('filter'));
  expect(filters).toEqual([
    'tc -n a-cable filter add dev client1 parent ffff: flower dst_mac 02:00:00:70:01:15 action mirred egress redirect dev server1',
    'tc -n a-cable filter add dev server1 parent ffff: flower dst_mac 02:00:00:70:01:0b action mirred egress redirect dev client1',
  ]);
});

test.each<[TopologyName, readonly string[]]>([
  ['direct', []],
  ['routed', ['ip -n a-router route replace 192.0.2.7/32 via 10.77.21.2']],
  ['dumbbell', ['ip -n a-far route replace 192.0.2.7/32 via 10.77.21.2']],
  ['crowd', ['ip -n a-far route replace 192.0.2.7/32 via 10.77.21.2']],
])('%s: what is for an address outside is routed to the first server’s host', (topology, expected) => {
  const commands = wayOutCommands(wire('a', topology), ['192.0.2.7']);
  expect(commands.map((argv) => argv.join(' '))).toEqual(expected);
});
