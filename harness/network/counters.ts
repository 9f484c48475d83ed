import { readFileSync } from 'node:fs';
import type { Flow, HostCounts, Traffic } from '../model/capture.ts';
import type { Host } from '../model/lab.ts';
import { run } from '../system/process.ts';
import { openNftConsole } from './nft-console.ts';

/** Counts every packet of a host, flow by flow, in its own kernel. */
export interface Counters extends AsyncDisposable {
  /** Begins to count from zero, as a reading does. */
  zero(): Promise<void>;
  /** What has passed since the last beginning. */
  read(): Promise<HostCounts>;
  /** All frames that have ever passed its interface; cheap. */
  frames(): number;
}

/** IP lengths, as the tables count them, to frames. */
const ETHERNET_BYTES = 14;
const NONE: Traffic = { packets: 0, bytes: 0 };

/** The chain of what leaves by the interface; `far` is the field with the address that tells flows apart. */
const renderSending = (device: string, { hook, far }: { readonly hook: string; readonly far: string }) => `
    type filter hook ${hook} priority -300;
    oifname != "${device}" return
    tcp flags & (syn | ack) == syn update @opened { th sport . th dport . ip ${far} }
    meta l4proto udp @th,64,4 0xf counter name retries
    meta l4proto { tcp, udp } update @sent { meta l4proto . th sport . th dport . ip ${far} } return
    counter name others_sent`;

/** The chain of what comes in by the interface. */
const renderReceiving = (device: string, { hook, far }: { readonly hook: string; readonly far: string }) => `
    type filter hook ${hook} priority -300;
    iifname != "${device}" return
    meta l4proto { tcp, udp } update @received { meta l4proto . th dport . th sport . ip ${far} } return
    counter name others_received`;

/**
 * What passes the host's interface; what a server says to its own backend does not. A flow is a pair of ports and the
 * address of the other end; what a gateway passes on belongs to the host beyond it, before its addresses are changed. The
 * first packet of a TCP connection puts it among the opened; a UDP flow is new unless it was there before. A Retry is what
 * begins with four ones (RFC 9000, 17.2.5; no other packet of version 1 does), a short header with a zero (17.3.1). These
 * hooks come before any others; what a host itself sends may still be several packets in one there, which only the
 * interface's own statistics know.
 */
const renderTable = (device: string) => `table inet photofinish {
  set sent { typeof meta l4proto . th sport . th dport . ip daddr; flags dynamic; size 65535; counter; }
  set received { typeof meta l4proto . th dport . th sport . ip saddr; flags dynamic; size 65535; counter; }
  set short { typeof th sport . th dport . ip daddr; flags dynamic; size 65535; counter; }
  set opened { typeof th sport . th dport . ip daddr; flags dynamic; size 65535; }
  counter others_sent { }
  counter others_received { }
  counter retries { }
  chain keyed {
    type filter hook output priority -310;
    oifname "${device}" meta l4proto udp @th,64,1 0 update @short { th sport . th dport . ip daddr }
  }
  chain out {${renderSending(device, { hook: 'output', far: 'daddr' })}
  }
  chain in {${renderReceiving(device, { hook: 'input', far: 'saddr' })}
  }
  chain passed_back {${renderSending(device, { hook: 'forward', far: 'saddr' })}
  }
  chain passed_on {${renderReceiving(device, { hook: 'forward', far: 'daddr' })}
  }
}
`;
const SETS = ['sent', 'received', 'short', 'opened'] as const;
const LIST = 'list table inet photofinish';
/** The readings after which a flow of datagrams counts as new: a port that has long been free may be taken again. */
const EARLIER_READINGS = 4;
const EMPTY = SETS.map((set) => `flush set inet photofinish ${set}`).join('; ');
/** Answers once all that was asked before is done. */
const DONE = 'list counter inet photofinish retries';

/** Installs counters on a host of the lab. */
export async function openCounters(host: Host): Promise<Counters> {
  await using undo = new AsyncDisposableStack();
  // In an argument: it would open its standard input by name, which a socket does not allow.
  await run(['nft', renderTable(host.device)], { namespace: host.namespace });
  const nft = undo.use(openNftConsole(host.namespace));
  await nft.ask(DONE); // Before it answers it may not be in the namespace yet.
  const statistics = () => {
    const own = (file: string) => readFileSync(`/proc/${nft.pid}/net/${file}`, 'utf8');
    const snmp = own('snmp');
    const netstat = own('netstat');
    return {
      ...parseInterface(own('dev'), host.device),
      retransmitted: parseSnmp(snmp, 'Tcp', 'RetransSegs'),
      slowStarts: parseSnmp(netstat, 'TcpExt', 'TCPHystartDelayDetect'),
      slowStartWindow: parseSnmp(netstat, 'TcpExt', 'TCPHystartDelayCwnd'),
      // Among the errors of what comes in are those for want of room.
      dropped: parseSnmp(snmp, 'Udp', 'InErrors') + parseSnmp(snmp, 'Udp', 'SndbufErrors'),
    };
  };
  let before = statistics();
  let countersBefore: Pick<Table, 'others' | 'retries'> = { others: { sent: NONE, received: NONE }, retries: 0 };
  let emptied: Promise<unknown> = Promise.resolve();
  let earlier: readonly ReadonlySet<string>[] = [];
  const read = async (): Promise<HostCounts> => {
    await emptied;
    const now = statistics();
    const table = parseTable(await nft.ask(LIST));
    // Not in one call: it would not list what it is to flush. What comes in between belongs to a flow that has ended.
    emptied = nft.ask(EMPTY, DONE);
    emptied.catch(() => {}); // The next `await` of it gets the error.
    const counts = {
      flows: table.flows.map((flow) => ({ ...flow, opened: isNew(flow, earlier) })),
      others: {
        sent: minus(table.others.sent, countersBefore.others.sent),
        received: minus(table.others.received, countersBefore.others.received),
      },
      retries: table.retries - countersBefore.retries,
      sent: minus(now.sent, before.sent),
      received: minus(now.received, before.received),
      retransmittedSegments: now.retransmitted - before.retransmitted,
      slowStartsEnded: {
        times: now.slowStarts - before.slowStarts,
        windowPackets: now.slowStartWindow - before.slowStartWindow,
      },
      droppedDatagrams: now.dropped - before.dropped,
    };
    earlier = [new Set(table.flows.map(keyOf)), ...earlier.slice(0, EARLIER_READINGS - 1)];
    countersBefore = table;
    before = now;
    return counts;
  };
  const kept = undo.move();
  return {
    read,
    async zero() {
      await emptied;
      // The last packets of an earlier flow make it known as such. Where none passed there is nothing to do.
      if (framesOf(statistics()) !== framesOf(before)) await read();
      await emptied;
    },
    frames() {
      return framesOf(parseInterface(readFileSync(`/proc/${nft.pid}/net/dev`, 'utf8'), host.device));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/**
 * Whether a flow was opened since the last reading. One of datagrams is new unless it was there lately, or only has short
 * headers, which come after a handshake: an earlier connection closes late, or probes another path from another port.
 */
export function isNew(flow: Flow, earlier: readonly ReadonlySet<string>[]): boolean {
  if (flow.transport === 'tcp') return flow.opened;
  return flow.sent.packets > (flow.sentShort ?? 0) && !earlier.some((keys) => keys.has(keyOf(flow)));
}

function framesOf({ sent, received }: { readonly sent: Traffic; readonly received: Traffic }): number {
  return sent.packets + received.packets;
}

function keyOf({ transport, ownPort, otherPort, address }: Flow): string {
  return `${transport} ${ownPort} ${otherPort} ${address}`;
}

function minus(after: Traffic, before: Traffic): Traffic {
  return { packets: after.packets - before.packets, bytes: after.bytes - before.bytes };
}

interface TableElement {
  readonly elem: { readonly val: { readonly concat: readonly (string | number)[] }; readonly counter: Traffic };
}

/** Transports as nft prints them: by name, or by number where the machine has no `/etc/protocols`. */
const TRANSPORTS: Readonly<Record<string | number, Flow['transport']>> = {
  tcp: 'tcp',
  udp: 'udp',
  6: 'tcp',
  17: 'udp',
};

/** What `nft -j list table` tells: the flows since they were last emptied, the rest since the table was made. */
interface Table {
  readonly flows: readonly Flow[];
  /** What belongs to no flow. */
  readonly others: HostCounts['others'];
  readonly retries: number;
}

/** Reads a table as nft lists it. */
export function parseTable(json: string): Table {
  const items = (JSON.parse(json) as { nftables: Record<string, Record<string, unknown>>[] }).nftables;
  const elements = (name: string) =>
    (items.find((item) => item.set?.name === name)?.set?.elem ?? []) as readonly unknown[];
  const opened = new Set(
    (elements('opened') as { concat: readonly (number | string)[] }[]).map(({ concat }) => concat.join(' ')),
  );
  const flows = new Map<string, Flow>();
  for (const direction of ['sent', 'received'] as const)
    for (const { elem } of elements(direction) as readonly TableElement[]) {
      const [protocol, ownPort, otherPort, address] = elem.val.concat as [string | number, number, number, string];
      const transport = TRANSPORTS[protocol]!;
      const ends = `${ownPort} ${otherPort} ${address}`;
      const key = `${transport} ${ends}`;
      const flow = flows.get(key) ?? {
        transport,
        ownPort,
        otherPort,
        address,
        sent: NONE,
        received: NONE,
        opened: opened.has(ends) && transport === 'tcp',
      };
      flows.set(key, { ...flow, [direction]: inFrames(elem.counter) });
    }
  for (const { elem } of elements('short') as readonly TableElement[]) {
    const key = `udp ${elem.val.concat.join(' ')}`;
    const flow = flows.get(key);
    if (flow) flows.set(key, { ...flow, sentShort: elem.counter.packets });
  }
  const counted = (name: string): Traffic =>
    (items.find((item) => item.counter?.name === name)?.counter as Traffic | undefined) ?? NONE;
  return {
    flows: [...flows.values()],
    others: { sent: inFrames(counted('others_sent')), received: inFrames(counted('others_received')) },
    retries: counted('retries').packets,
  };
}

/** What a table counted, in whole frames. */
function inFrames({ packets, bytes }: Traffic): Traffic {
  return { packets, bytes: bytes + ETHERNET_BYTES * packets };
}

/** An interface's line of `/proc/net/dev`. */
export function parseInterface(text: string, device: string): { readonly sent: Traffic; readonly received: Traffic } {
  const line = text.split('\n').find((each) => each.trim().startsWith(`${device}:`));
  if (line === undefined) throw new Error(`no interface ${device} in ${text}`);
  const fields = line
    .slice(line.indexOf(':') + 1)
    .trim()
    .split(/\s+/)
    .map(Number);
  return {
    received: { bytes: fields[0]!, packets: fields[1]! },
    sent: { bytes: fields[8]!, packets: fields[9]! },
  };
}

/** A figure of one protocol from `/proc/net/snmp` or `netstat`: a line of names, and one of values. */
export function parseSnmp(text: string, protocol: 'Tcp' | 'TcpExt' | 'Udp', name: string): number {
  const [names, values] = text.split('\n').filter((line) => line.startsWith(`${protocol}:`));
  const index = names?.split(' ').indexOf(name) ?? -1;
  if (index < 0) throw new Error(`no ${name} of ${protocol} in ${text}`);
  return Number(values!.split(' ')[index]);
}
