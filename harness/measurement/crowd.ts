import type { Capture, PartyCapture, TabCapture, WireCapture } from '../model/capture.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import type { TrialKey } from '../model/study.ts';
import { jainIndex } from '../stats/jain.ts';
import { SEEN_AS } from './devtools-log.ts';
import { reasonOf, withServerWords } from './ending.ts';
import { openedConnections } from './proofs/connections.ts';
import { flowsTo, listenersOf } from './proofs/listeners.ts';
import { type Flaw, usesQuic } from './proofs/testimony.ts';
import { proveTransport } from './proofs/transport.ts';
import { busiestShare, isSaturated } from './saturation.ts';
import { lostPackets, receivedBy, sentBy, strayPackets, sumOf } from './wire-figures.ts';

/*
 * A crowd: several clients, each with many tabs of one page. The browsers keep no log of that many, so the first
 * witness is each page's own record of what it loaded; the others are the same as for a single load.
 */

type Party = PartyCapture & { readonly wire: WireCapture };

/** Judges the capture of a crowd: its load time is that of the last tab of all. */
export function measureCrowd(key: TrialKey, capture: Capture): Measurement {
  const { broken, launch } = capture;
  const flawed = (flaw: Flaw): Measurement => ({ ...key, ...withServerWords(flaw, capture), launch });
  if (broken) return flawed({ status: 'void', reason: broken.part, says: broken.says });
  const parties = [capture, ...(capture.beside ?? [])].filter(
    (party): party is Capture & Party => party.wire !== undefined,
  );
  if (parties.length <= (capture.beside ?? []).length)
    return flawed({ status: 'void', reason: 'harness', says: 'the wire was not asked' });
  for (const [client, { browser }] of parties.entries())
    if (browser.ending) return flawed(inClient(client, reasonOf(browser.ending)));
  const flaw =
    parties.map((party, client) => findFlaw(party, client)).find(Boolean) ??
    proveLog(capture, parties) ??
    proveConnections(capture, parties);
  return flaw ? flawed(flaw) : { ...key, status: 'ok', ...figuresOf(capture, parties) };
}

/** Tabs say what they loaded by its path. */
function pathOf(url: string): string {
  return new URL(url).pathname;
}

function inClient(client: number, flaw: Flaw): Flaw {
  return { ...flaw, says: `client ${client + 1}: ${flaw.says}` };
}

/** What is wrong with what one client loaded, or with how. */
function findFlaw(party: Party, client: number): Flaw | undefined {
  const { page, wire } = party;
  const { protocol } = page.origins[0];
  const asked = SEEN_AS[protocol];
  const failed = (reason: 'object' | 'protocol' | 'fallback', says: string) =>
    inClient(client, { status: 'failed', reason, says });
  for (const [index, { objects }] of party.browser.tabs!.entries()) {
    // What was asked for again and had not changed is sometimes said to have come over nothing.
    const other = objects.find(([, , transferred, seen]) => transferred > 0 && seen !== '' && seen !== asked);
    if (other)
      return failed(
        protocol === 'h3' ? 'fallback' : 'protocol',
        `tab ${index + 1}: ${other[0]} came over ${other[3]}, not ${asked}`,
      );
    const bytes = new Map(objects.map(([path, length]) => [path, length]));
    const wrong = page.objects.find((object) => object.required && bytes.get(pathOf(object.url)) !== object.bytes);
    if (wrong) {
      const path = pathOf(wrong.url);
      return failed(
        'object',
        `tab ${index + 1}: ${path} has ${bytes.get(path) ?? 'no'} bytes instead of ${wrong.bytes}`,
      );
    }
  }
  const transport = proveTransport({ page, wire });
  return transport && inClient(client, transport);
}

/** The server's log has as many requests as the tabs' records say, all of them by the arm's protocol and none resumed. */
function proveLog({ page, server }: Capture, parties: readonly Party[]): Flaw | undefined {
  const { protocol } = page.origins[0];
  const spoken = protocol === 'h1c' ? 'h1' : protocol;
  const other = server.find((record) => record.protocol !== spoken);
  if (other)
    return {
      status: 'failed',
      reason: protocol === 'h3' ? 'fallback' : 'protocol',
      says: `the server answered ${other.request} over ${other.protocol}`,
    };
  const resumed = server.find((record) => record.resumed || record.earlyData);
  if (resumed && page.visit === 'cold')
    return { status: 'void', reason: 'not-cold', says: `${resumed.request} took up an earlier session` };
  const came = tabsOf(parties).reduce((sum, { objects }) => sum + countTransferred(objects), 0);
  if (server.length >= came) return undefined;
  return { status: 'void', reason: 'server-log', says: `the server's log knows ${server.length} requests of ${came}` };
}

/**
 * The server answered over connections alone that the wire saw open at one of the clients, and to each client as many
 * requests as its tabs say. Kernels may give two clients the same port, so that a client's connections may be a few too many,
 * and never too few.
 */
function proveConnections({ page, server }: Capture, parties: readonly Party[]): Flaw | undefined {
  const listeners = listenersOf(page);
  const answered = parties.map(({ wire, browser }) => {
    const flows = flowsTo(wire.client.flows, 'client', listeners).filter(({ opened }) => opened);
    const ports = new Set(flows.map(({ ownPort }) => ownPort));
    const records = server.filter(({ clientPort }) => ports.has(clientPort)).length;
    const came = browser.tabs!.reduce((sum, { objects }) => sum + countTransferred(objects), 0);
    return { ports, records, came };
  });
  const unseen = server.find(({ clientPort }) => !answered.some(({ ports }) => ports.has(clientPort)));
  if (unseen) {
    const says = `${unseen.request} came from port ${unseen.clientPort}, of which the wire saw no opening`;
    return { status: 'void', reason: 'wire', says };
  }
  const client = answered.findIndex(({ records, came }) => records < came);
  if (client < 0) return undefined;
  const { records, came } = answered[client]!;
  const says = `${records} of ${came} requests came over connections that the wire saw open`;
  return inClient(client, { status: 'void', reason: 'wire', says });
}

function tabsOf(parties: readonly Party[]): readonly TabCapture[] {
  return parties.flatMap(({ browser }) => browser.tabs!);
}

function countTransferred(objects: TabCapture['objects']): number {
  return objects.filter(([, , transferred]) => transferred > 0).length;
}

/** Connections of a client's that the server answered over; browsers open others where one is slow to come about. */
function usedConnections({ client }: WireCapture, server: Capture['server']): number {
  const answered = new Set(server.map(({ clientPort }) => clientPort));
  return client.flows.filter(({ opened, ownPort }) => opened && answered.has(ownPort)).length;
}

function figuresOf(capture: Capture, parties: readonly Party[]): LoadFigures {
  const { page, server, host, launch, wallMs } = capture;
  const listeners = listenersOf(page);
  const tabs = tabsOf(parties);
  const pltMs = Math.max(...tabs.map(({ doneMs }) => doneMs!));
  const sum = (of: (party: Party) => number) => parties.reduce((all, party) => all + of(party), 0);
  const payloadBytes = server.reduce((all, { bodyBytes }) => all + bodyBytes, 0);
  const down = sentBy(capture.wire!.server, 'server', listeners); // All of them have the same server.
  const up = sumOf(parties.map(({ wire }) => sentBy(wire.client, 'client', listeners)));
  const came = {
    down: sumOf(parties.map(({ wire }) => receivedBy(wire.client, 'client', listeners))),
    up: receivedBy(capture.wire!.server, 'server', listeners),
  };
  const coreBusyShare = busiestShare(host);
  return {
    pltMs,
    tabs: tabs.length,
    // By when each client was served, which for as many tabs of the same page says how evenly.
    evenness: jainIndex(parties.map(({ browser }) => 1 / Math.max(...browser.tabs!.map(({ doneMs }) => doneMs!)))),
    requests: server.length,
    connections: sum(({ wire }) => openedConnections({ wire, page })),
    usedConnections: sum(({ wire }) => usedConnections(wire, server)),
    resumedConnections: 0,
    earlyRequests: 0,
    packetsDown: down.packets,
    packetsUp: up.packets,
    bytesDown: down.bytes,
    bytesUp: up.bytes,
    bytesReceived: came.down.bytes,
    lostDown: lostPackets(down, came.down),
    lostUp: lostPackets(up, came.up),
    payloadBytes,
    overheadPercent: payloadBytes > 0 ? 100 * ((down.bytes + up.bytes) / payloadBytes - 1) : undefined,
    throughputKbps: (payloadBytes * 8) / pltMs,
    retransmittedSegments: !usesQuic(page)
      ? capture.wire!.server.retransmittedSegments + sum(({ wire }) => wire.client.retransmittedSegments)
      : undefined,
    strayPackets: sum(({ wire }) => strayPackets(wire, listeners)),
    hostDrops: capture.wire!.server.droppedDatagrams + sum(({ wire }) => wire.client.droppedDatagrams),
    coreBusyShare,
    cpuBound: isSaturated(coreBusyShare, pltMs),
    coreWaitMs: host.coreWaitMs,
    stolenShare: host.stolenShare,
    launch,
    overheadMs: wallMs - pltMs,
  };
}
