import { expect, test } from '@jest/globals';
import { isNew, parseInterface, parseSnmp, parseTable } from '../../harness/network/counters.ts';

const element = (concat: readonly (string | number)[], packets: number, bytes: number) => ({
  elem: { val: { concat }, counter: { packets, bytes } },
});

/** Two servers that have the same port. */
const [NEAR, FAR] = ['192.0.2.7', '198.51.100.7'];

// A table as nft 1.0.6 prints it, less what is not read.
const TABLE = JSON.stringify({
  nftables: [
    { metainfo: { version: '1.0.6' } },
    { table: { family: 'inet', name: 'photofinish', handle: 1 } },
    { counter: { family: 'inet', name: 'others_sent', packets: 3, bytes: 250 } },
    { counter: { family: 'inet', name: 'others_received', packets: 1, bytes: 84 } },
    { counter: { family: 'inet', name: 'retries', packets: 1, bytes: 137 } },
    {
      set: {
        name: 'sent',
        elem: [element(['tcp', 40_001, 443, NEAR], 10, 1000), element(['udp', 40_002, 443, FAR], 4, 4800)],
      },
    },
    {
      set: {
        name: 'received',
        elem: [element(['tcp', 40_001, 443, NEAR], 20, 28_000), element(['tcp', 40_001, 443, FAR], 1, 40)],
      },
    },
    { set: { name: 'short', elem: [element([40_002, 443, FAR], 3, 400), element([40_003, 443, FAR], 1, 60)] } },
    { set: { name: 'opened', elem: [{ concat: [40_001, 443, NEAR] }] } },
    { chain: { name: 'out' } },
  ],
});

test('a table tells of flows, both ways, in whole frames', () => {
  expect(parseTable(TABLE)).toEqual({
    others: { sent: { packets: 3, bytes: 292 }, received: { packets: 1, bytes: 98 } },
    retries: 1,
    flows: [
      {
        transport: 'tcp',
        ownPort: 40_001,
        otherPort: 443,
        address: NEAR,
        opened: true,
        sent: { packets: 10, bytes: 1140 },
        received: { packets: 20, bytes: 28_280 },
      },
      {
        transport: 'udp',
        ownPort: 40_002,
        otherPort: 443,
        address: FAR,
        opened: false,
        sent: { packets: 4, bytes: 4856 },
        received: { packets: 0, bytes: 0 },
        sentShort: 3,
      },
      {
        transport: 'tcp',
        ownPort: 40_001,
        otherPort: 443,
        address: FAR,
        opened: false,
        sent: { packets: 0, bytes: 0 },
        received: { packets: 1, bytes: 54 },
      },
    ],
  });
});

test('a flow of datagrams is new where it shakes hands, and was not there lately', () => {
  const flow = parseTable(TABLE).flows[1]!;
  const ends = `40002 443 ${FAR}`;
  expect(isNew(flow, [new Set()])).toBe(true);
  expect(isNew(flow, [new Set(), new Set([`udp ${ends}`])])).toBe(false);
  // A TCP connection may have had the same ports: that is another flow, and QUIC begins anew.
  expect(isNew(flow, [new Set([`tcp ${ends}`])])).toBe(true);
  // Four of four packets have short headers: an earlier connection says that it ends.
  expect(isNew({ ...flow, sentShort: 4 }, [])).toBe(false);
  expect(isNew({ ...flow, sent: { packets: 0, bytes: 0 }, sentShort: 0 }, [])).toBe(false);
});

test('a machine without /etc/protocols says numbers', () => {
  const numbers = TABLE.replaceAll('"tcp"', '6').replaceAll('"udp"', '17');
  expect(numbers).not.toBe(TABLE);
  expect(parseTable(numbers)).toEqual(parseTable(TABLE));
});

test('sets without elements have none', () => {
  const empty = { nftables: [{ set: { name: 'sent' } }, { counter: { name: 'retries', packets: 0, bytes: 0 } }] };
  const none = { packets: 0, bytes: 0 };
  expect(parseTable(JSON.stringify(empty))).toEqual({ flows: [], others: { sent: none, received: none }, retries: 0 });
});

const DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     120       2    0    0    0     0          0         0      120       2    0    0    0     0       0          0
  eth0: 1234567     890    0    0    0     0          0         0    54321     321    0    0    0     0       0          0
`;

test('an interface is found by its name', () => {
  expect(parseInterface(DEV, 'eth0')).toEqual({
    received: { packets: 890, bytes: 1_234_567 },
    sent: { packets: 321, bytes: 54_321 },
  });
  expect(() => parseInterface(DEV, 'eth1')).toThrow('no interface eth1');
});

test("a protocol's figures are read by their names", () => {
  const text = 'Ip: a b\nIp: 1 2\nTcp: InSegs RetransSegs InErrs\nTcp: 5 7 8\nUdp: InErrors SndbufErrors\nUdp: 3 4\n';
  expect(parseSnmp(text, 'Tcp', 'RetransSegs')).toBe(7);
  expect(parseSnmp(text, 'Udp', 'InErrors')).toBe(3);
  expect(parseSnmp('TcpExt: a TCPHystartDelayCwnd\nTcpExt: 1 43\n', 'TcpExt', 'TCPHystartDelayCwnd')).toBe(43);
  expect(() => parseSnmp(text, 'Udp', 'RetransSegs')).toThrow('no RetransSegs of Udp');
});
