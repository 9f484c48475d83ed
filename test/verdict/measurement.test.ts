import { describe, expect, test } from '@jest/globals';
import { originFor } from '../../harness/model/arm.ts';
import { measurementOf } from '../../harness/verdict/measurement.ts';
import { RECORDED, type RecordedName, readCapture } from '../fixtures/captures.ts';

type Spoilt = ReturnType<typeof readCapture>;

const key = { condition: 'few-small|rate=10mbit,rtt=40ms|nginx|cold', block: 3, arm: 'arm' };

function judge(name: RecordedName, spoil: (capture: Spoilt) => void = () => {}) {
  const capture = readCapture(name);
  spoil(capture);
  return measurementOf(key, capture as never);
}

/** The events of a capture by method, to be changed. */
function eventsOf(capture: Spoilt, method: string) {
  return capture.browser.events.filter((event) => event.method === method) as unknown as {
    params: Record<string, unknown> & {
      response: Record<string, unknown>;
      request: { url: string };
      requestId: string;
    };
  }[];
}

function dropEvents(capture: Spoilt, drop: (method: string, params: Record<string, unknown>) => boolean) {
  capture.browser.events = capture.browser.events.filter(
    ({ method, params }) => !drop(method, params as Record<string, unknown>),
  );
}

describe('a load that ran as it claims', () => {
  test.each(RECORDED)('%s is ok, with every figure', (name) => {
    const measured = judge(name);
    expect(measured).toMatchObject({ ...key, status: 'ok', requests: 6, payloadBytes: 21_865, launch: 1 });
    if (measured.status !== 'ok') throw new Error('not ok');
    expect(measured.pltMs).toBeGreaterThan(80);
    expect(measured.ttfbMs).toBeLessThan(measured.pltMs);
    expect(measured.fcpMs).toBeGreaterThan(measured.ttfbMs!);
    expect(measured.lastByteMs).toBeLessThanOrEqual(measured.pltMs + 20);
    expect(measured.quietMs).toBeCloseTo(measured.lastByteMs!);
    expect(measured.bytesDown).toBeGreaterThan(21_865);
    expect(measured.overheadPercent).toBeGreaterThan(10);
    expect(measured.throughputKbps).toBeCloseTo((21_865 * 8) / measured.lastByteMs!);
    expect(measured.strayPackets).toBeLessThan(5);
    expect(measured).toMatchObject({ undigestedObjects: 0, hostDrops: 0 });
  });

  // As they stand in the files: what the page said of itself, and what the interfaces counted.
  test.each([
    ['h1-cold', [293, 126.4, 164.8, 204, 292], [59, 38_120, 65, 17_875], 322.06],
    ['h2-cold', [255.9, 125.2, 169.8, 204, 236], [32, 27_300, 31, 5_264], 333.49],
    ['h3-cold', [232.9, 85.4, 152.2, 180, 212], [31, 29_179, 23, 6_509], 333.24],
    ['h3-resumed', [176.1, 44.9, 95.4, 136, 172], [33, 29_948, 27, 6_976], 1182.92],
  ] as const)('%s is told with the figures that were taken', (name, times, wire, overheadMs) => {
    const measured = judge(name);
    if (measured.status !== 'ok') throw new Error('not ok');
    const { pltMs, ttfbMs, domContentLoadedMs, fcpMs, lcpMs } = measured;
    expect([pltMs, ttfbMs, domContentLoadedMs, fcpMs, lcpMs].map((ms) => Number(ms!.toFixed(1)))).toEqual(times);
    const { packetsDown, bytesDown, packetsUp, bytesUp, bytesReceived } = measured;
    expect([packetsDown, bytesDown, packetsUp, bytesUp]).toEqual(wire);
    expect(bytesReceived).toBe(bytesDown);
    expect(measured.overheadPercent).toBeCloseTo(100 * ((wire[1] + wire[3]) / 21_865 - 1));
    expect(measured.overheadMs).toBeCloseTo(overheadMs, 1);
    expect(measured.cls).toBe(0);
  });

  test('what a host sends to others is not the page’s', () => {
    const other = { packets: 4, bytes: 4_000 };
    const measured = judge('h2-cold', ({ wire }) => {
      for (const host of [wire!.client, wire!.server]) {
        host.sent = { packets: host.sent.packets + 4, bytes: host.sent.bytes + 4_000 };
        host.received = { packets: host.received.packets + 3, bytes: host.received.bytes + 300 };
        const ports = { ownPort: 5_353, otherPort: 5_353 };
        host.flows.push({
          ...ports,
          transport: 'udp',
          opened: false,
          sent: other,
          received: { packets: 3, bytes: 300 },
        });
      }
    });
    expect(measured).toMatchObject({ packetsDown: 32, bytesDown: 27_300, packetsUp: 31, bytesUp: 5_264 });
    expect(measured).toMatchObject({ bytesReceived: 27_300, strayPackets: 7 });
  });

  test('what the link lost was sent and not received', () => {
    const measured = judge('h3-cold', ({ wire }) => {
      wire!.client.received = { packets: 29, bytes: 26_500 };
    });
    expect(measured).toMatchObject({ status: 'ok', bytesDown: 29_179, bytesReceived: 26_500 });
  });

  test('segments that either host sent again are counted, of TCP alone', () => {
    const again = ({ wire }: Spoilt) => {
      wire!.client.retransmittedSegments = 2;
      wire!.server.retransmittedSegments = 3;
    };
    expect(judge('h2-cold', again)).toMatchObject({ status: 'ok', retransmittedSegments: 5 });
    expect(judge('h3-cold', again)).not.toHaveProperty('retransmittedSegments');
  });

  test.each([
    ['h1-cold', { connections: 5, peakInFlight: 3, resumedConnections: 0 }],
    ['h2-cold', { connections: 1, usedConnections: 1, peakInFlight: 5, resumedConnections: 0 }],
    ['h3-cold', { connections: 1, usedConnections: 1, peakInFlight: 5, resumedConnections: 0, earlyRequests: 0 }],
    ['h3-resumed', { connections: 1, usedConnections: 1, resumedConnections: 1, earlyRequests: 1 }],
  ] as const)('%s has the connections that its protocol takes', (name, figures) => {
    expect(judge(name)).toMatchObject(figures);
  });

  test('a core that is busy throughout marks it', () => {
    expect(
      judge('h2-cold', (capture) => {
        capture.host.cores = [0.3, 0.96];
      }),
    ).toMatchObject({
      cpuBound: true,
      coreBusyShare: 0.96,
    });
  });

  test('unless it was too short for the clock that says so', () => {
    const measured = judge('h3-resumed', (capture) => {
      capture.host.cores = [1];
    });
    expect(measured).toMatchObject({ status: 'ok', cpuBound: false, coreBusyShare: 1 });
  });

  test('what either host let fall is counted', () => {
    const measured = judge('h3-cold', (capture) => {
      capture.wire!.client.droppedDatagrams = 2;
      capture.wire!.server.droppedDatagrams = 1;
    });
    expect(measured).toMatchObject({ status: 'ok', hostDrops: 3 });
  });

  test('an object too long to be kept is known by its length, and counted', () => {
    const capture = readCapture('h2-cold');
    const { requestId } = eventsOf(capture, 'Network.responseReceived')[3]!.params;
    const { url } = eventsOf(capture, 'Network.responseReceived')[3]!.params.response as { url: string };
    const data = eventsOf(capture, 'Network.dataReceived').filter(({ params }) => params.requestId === requestId);
    const object = capture.page.objects.find((each) => each.url === url)!;
    object.bytes = 3_000_000;
    for (const [index, { params }] of data.entries()) params.dataLength = index === 0 ? object.bytes : 0;
    delete capture.browser.digests[requestId];
    const measured = measurementOf(key, capture as never);
    expect(measured).toMatchObject({ status: 'ok', undigestedObjects: 1 });
  });

  test('a port that QUIC tried in vain is no connection; one that it moved to is', () => {
    const tries = (received: { packets: number; bytes: number }) => (capture: Spoilt) => {
      const [flow] = capture.wire!.client.flows;
      capture.wire!.client.flows.push({ ...flow!, ownPort: 50_000, received });
    };
    const inVain = judge('h3-cold', tries({ packets: 0, bytes: 0 }));
    expect(inVain).toMatchObject({ status: 'ok', connections: 1, usedConnections: 1 });
    const moved = judge('h3-cold', (capture) => {
      tries({ packets: 9, bytes: 9000 })(capture);
      for (const record of capture.server.slice(3)) record.clientPort = 50_000;
    });
    expect(moved).toMatchObject({ status: 'ok', connections: 2, usedConnections: 1 });
  });
});

/** What is done to a real capture, and what that makes of the trial. */
const VIOLATIONS: readonly (readonly [
  what: string,
  name: RecordedName,
  spoil: (capture: Spoilt) => void,
  expected: { status: 'failed' | 'void'; reason: string; says: RegExp },
])[] = [
  // Proof 1: the browser.
  [
    'an H2 response inside an h3 arm',
    'h3-cold',
    (capture) => {
      eventsOf(capture, 'Network.responseReceived')[3]!.params.response.protocol = 'h2';
    },
    { status: 'failed', reason: 'fallback', says: /flag-\d\.png came over h2, not h3$/ },
  ],
  [
    'an HTTP/1.1 document inside an h2 arm',
    'h2-cold',
    (capture) => {
      eventsOf(capture, 'Network.responseReceived')[0]!.params.response.protocol = 'http/1.1';
    },
    { status: 'failed', reason: 'protocol', says: /index\.html came over http\/1\.1, not h2$/ },
  ],
  [
    'an object too few',
    'h2-cold',
    (capture) => {
      const { requestId } = eventsOf(capture, 'Network.requestWillBeSent').find(({ params }) =>
        params.request.url.endsWith('flag-2.png'),
      )!.params;
      dropEvents(capture, (_, params) => params.requestId === requestId);
      capture.server = capture.server.filter(({ request }) => !request.endsWith('flag-2.png'));
    },
    { status: 'failed', reason: 'object', says: /^\/few-small\/flag-2\.png is missing$/ },
  ],
  [
    'a short object',
    'h1-cold',
    (capture) => {
      const { requestId } = eventsOf(capture, 'Network.responseReceived')[4]!.params;
      const data = eventsOf(capture, 'Network.dataReceived').find(({ params }) => params.requestId === requestId)!;
      (data.params.dataLength as number) -= 1;
      delete capture.browser.digests[requestId];
    },
    { status: 'failed', reason: 'object', says: /^\/few-small\/flag-\d\.png has \d+ bytes instead of \d+$/ },
  ],
  [
    'an object that broke off',
    'h3-cold',
    (capture) => {
      const { requestId } = eventsOf(capture, 'Network.responseReceived')[2]!.params;
      for (const event of capture.browser.events)
        if (
          event.method === 'Network.loadingFinished' &&
          (event.params as { requestId: string }).requestId === requestId
        ) {
          event.method = 'Network.loadingFailed';
          (event.params as Record<string, unknown>).errorText = 'net::ERR_QUIC_PROTOCOL_ERROR';
        }
    },
    { status: 'failed', reason: 'object', says: /flag-\d\.png did not arrive: net::ERR_QUIC_PROTOCOL_ERROR/ },
  ],
  [
    'an altered object',
    'h2-cold',
    (capture) => {
      const { requestId } = eventsOf(capture, 'Network.responseReceived')[5]!.params;
      capture.browser.digests[requestId] = '0'.repeat(64);
    },
    { status: 'failed', reason: 'object', says: /flag-\d\.png was altered: \d+ bytes of \d+, SHA-256 0{64}/ },
  ],
  [
    'an object that the server refused',
    'h2-cold',
    (capture) => {
      eventsOf(capture, 'Network.responseReceived')[1]!.params.response.status = 404;
    },
    { status: 'failed', reason: 'object', says: /came with status 404/ },
  ],
  // Proof 2: the wire.
  [
    'a TCP connection inside an h3 arm',
    'h3-cold',
    (capture) => {
      const traffic = { packets: 3, bytes: 222 };
      const flow = {
        transport: 'tcp',
        ownPort: 40_000,
        otherPort: 4433,
        sent: traffic,
        received: traffic,
        opened: true,
      };
      capture.wire!.client.flows.push(flow as never);
    },
    { status: 'failed', reason: 'fallback', says: /^6 TCP packets at the client, to port 4433$/ },
  ],
  [
    'datagrams inside an h2 arm, which only the server saw',
    'h2-cold',
    (capture) => {
      const traffic = { packets: 1, bytes: 1242 };
      const flow = {
        transport: 'udp',
        ownPort: 4432,
        otherPort: 40_000,
        sent: traffic,
        received: traffic,
        opened: true,
      };
      capture.wire!.server.flows.push(flow as never);
    },
    { status: 'failed', reason: 'protocol', says: /^2 UDP packets at the server, to port 4432$/ },
  ],
  [
    'a connection that the wire did not see open',
    'h2-cold',
    (capture) => {
      for (const flow of capture.wire!.client.flows) flow.opened = false;
    },
    { status: 'void', reason: 'wire', says: /used 1 connections, of which the wire saw 0 open/ },
  ],
  [
    'a request from a port that opened no connection',
    'h2-cold',
    (capture) => {
      capture.server[2]!.clientPort = 1;
    },
    { status: 'void', reason: 'wire', says: /came from port 1, of which the wire saw no opening/ },
  ],
  [
    'a connection to another port of the server',
    'h3-cold',
    (capture) => {
      const traffic = { packets: 9, bytes: 2000 };
      const flow = {
        ...{ transport: 'tcp', ownPort: 40_000, otherPort: 4432, sent: traffic, received: traffic, opened: true },
      };
      capture.wire!.client.flows.push(flow as never);
    },
    { status: 'failed', reason: 'protocol', says: /^a connection to port 4432 was opened as well$/ },
  ],
  [
    'H2 inside an h1 arm of visitors who may discover H3',
    'h1-cold',
    (capture) => {
      capture.page.visit = 'discovered';
      eventsOf(capture, 'Network.responseReceived')[2]!.params.response.protocol = 'h2';
    },
    { status: 'failed', reason: 'protocol', says: /came over h2, not http\/1\.1/ },
  ],
  // Proof 3: the server.
  [
    'a request that the server log does not know',
    'h1-cold',
    (capture) => {
      capture.server = capture.server.slice(1);
    },
    { status: 'void', reason: 'server-log', says: /the server's log does not know GET \/few-small\// },
  ],
  [
    'a request that only the server knows',
    'h3-cold',
    (capture) => void capture.server.push({ ...capture.server[0]!, request: '/favicon.ico' }),
    { status: 'void', reason: 'server-log', says: /the browser's log does not know GET \/favicon\.ico/ },
  ],
  [
    'a request that the server answered over another protocol',
    'h3-cold',
    (capture) => {
      capture.server[4]!.protocol = 'h2';
    },
    { status: 'failed', reason: 'fallback', says: /the server answered \/few-small\/flag-\d\.png over h2/ },
  ],
  // Proof 4: the handshake.
  [
    'a resumed handshake in a cold visit',
    'h2-cold',
    (capture) => {
      for (const record of capture.server) record.resumed = true;
    },
    { status: 'void', reason: 'not-cold', says: /took up an earlier session/ },
  ],
  [
    'early data in a cold visit',
    'h3-cold',
    (capture) => {
      capture.server[0]!.earlyData = true;
    },
    { status: 'void', reason: 'not-cold', says: /took up an earlier session/ },
  ],
  [
    'a cached object in a cold visit',
    'h2-cold',
    (capture) => {
      const { params } = eventsOf(capture, 'Network.responseReceived')[2]!;
      params.response.fromDiskCache = true;
      capture.server = capture.server.filter(({ request }) => !(params.response.url as string).endsWith(request));
    },
    { status: 'void', reason: 'not-cold', says: /came from a cache/ },
  ],
  [
    'a full handshake in a resumed visit',
    'h3-resumed',
    (capture) => {
      for (const record of capture.server) record.resumed = false;
    },
    { status: 'void', reason: 'not-warm', says: /no connection took up the earlier session/ },
  ],
  [
    'a repeat visit that found nothing in its cache',
    'h3-resumed',
    (capture) => {
      capture.page.visit = 'repeat';
    },
    { status: 'void', reason: 'not-warm', says: /^nothing came from the cache$/ },
  ],
  [
    'a Retry in a resumed visit',
    'h3-resumed',
    (capture) => {
      capture.wire!.server.retries = 1;
    },
    { status: 'void', reason: 'not-warm', says: /^the server had the address proven: there was no token$/ },
  ],
  // And what is no proof's business.
  [
    'an object that was not looked into',
    'h2-cold',
    (capture) => {
      delete capture.browser.digests[eventsOf(capture, 'Network.responseReceived')[2]!.params.requestId];
    },
    { status: 'void', reason: 'harness', says: /^nobody looked into \/few-small\/flag-\d\.png$/ },
  ],
  [
    'clocks that disagree',
    'h1-cold',
    (capture) => {
      capture.browser.timings!.loadEventEndMs += 50;
    },
    { status: 'void', reason: 'clock', says: /the page says that it took \d+ ms, the browser's log \d+ ms/ },
  ],
  [
    'a server that died',
    'h2-cold',
    (capture) => {
      capture.broken = { part: 'server', says: 'nginx ended (SIGKILL)' };
      capture.browser.ending = { by: 'network', says: 'net::ERR_CONNECTION_REFUSED' };
    },
    { status: 'void', reason: 'server', says: /nginx ended/ },
  ],
  [
    'a wire that nobody asked',
    'h2-cold',
    (capture) => void delete capture.wire,
    { status: 'void', reason: 'harness', says: /wire/ },
  ],
  [
    'a page that no longer answers',
    'h2-cold',
    (capture) => void delete capture.browser.timings,
    { status: 'failed', reason: 'page-crash', says: /no longer answered/ },
  ],
];

describe('a violation', () => {
  test.each(VIOLATIONS)('%s (%s) is found', (_, name, spoil, { status, reason, says }) => {
    expect(judge(name)).toMatchObject({ status: 'ok' });
    expect(judge(name, spoil)).toMatchObject({ ...key, status, reason, says: expect.stringMatching(says) });
  });

  test('what fails a trial comes before what makes it void', () => {
    const both = (capture: Spoilt) => {
      eventsOf(capture, 'Network.responseReceived')[3]!.params.response.protocol = 'h2';
      capture.server = [];
    };
    expect(judge('h3-cold', both)).toMatchObject({ status: 'failed', reason: 'fallback' });
  });
});

describe('a load that something ended', () => {
  const ended =
    (by: 'timeout' | 'page-crash' | 'browser-crash' | 'network', says: string) =>
    (capture: Spoilt): void => {
      capture.browser.ending = { by, says };
      delete capture.browser.timings;
    };
  test.each([
    ['timeout', 'not done after 120 s', 'timeout'],
    ['page-crash', 'the renderer ended', 'page-crash'],
    ['browser-crash', 'the browser ended', 'browser-crash'],
    ['network', 'net::ERR_CONNECTION_REFUSED', 'refused'],
    ['network', 'net::ERR_CERT_AUTHORITY_INVALID', 'tls'],
    ['network', 'net::ERR_SSL_PROTOCOL_ERROR', 'tls'],
    ['network', 'net::ERR_QUIC_PROTOCOL_ERROR', 'network'],
    ['network', 'net::ERR_CONNECTION_RESET', 'network'],
  ] as const)('%s (%s) fails with the reason %s', (by, says, reason) => {
    expect(judge('h3-cold', ended(by, says))).toEqual({ ...key, status: 'failed', reason, says, launch: 1 });
  });

  test('in the h3 arm any attempt by TCP is a fallback, whatever came of it', () => {
    const spoil = (capture: Spoilt) => {
      ended('network', 'net::ERR_CONNECTION_REFUSED')(capture);
      const traffic = { packets: 1, bytes: 74 };
      const flow = {
        transport: 'tcp',
        ownPort: 40_000,
        otherPort: 4433,
        sent: traffic,
        received: traffic,
        opened: true,
      };
      capture.wire!.client.flows.push(flow as never);
    };
    expect(judge('h3-cold', spoil)).toMatchObject({ status: 'failed', reason: 'fallback' });
  });
});

describe('a visit that discovers H3', () => {
  const discovered = (spoil: (capture: Spoilt) => void) => (capture: Spoilt) => {
    const [from, to] = ['https://h2.photofinish.test:4432', 'https://h3.photofinish.test:4453'];
    const moved = JSON.parse(JSON.stringify(capture).replaceAll(from, to)) as Spoilt;
    moved.page = { ...moved.page, visit: 'discovered', origins: [{ ...originFor('h3', 'discovered') }] };
    for (const side of [moved.wire!.client, moved.wire!.server])
      for (const flow of side.flows) {
        if (flow.otherPort === 4432) flow.otherPort = 4453;
        if (flow.ownPort === 4432) flow.ownPort = 4453;
      }
    for (const record of moved.server) record.port = 4453;
    Object.assign(capture, moved);
    spoil(capture);
  };
  test('begins on H2, and must turn to H3', () => {
    expect(
      judge(
        'h2-cold',
        discovered(() => {}),
      ),
    ).toMatchObject({ status: 'failed', reason: 'protocol' });
    const turned = (capture: Spoilt) => {
      const traffic = { packets: 4, bytes: 4000 };
      const flow = {
        transport: 'udp',
        ownPort: 40_000,
        otherPort: 4453,
        sent: traffic,
        received: traffic,
        opened: true,
      };
      capture.wire!.client.flows.push(flow as never);
    };
    const unheard = (capture: Spoilt) => {
      turned(capture);
      capture.wire!.client.flows.at(-1)!.received = { packets: 0, bytes: 0 };
    };
    expect(judge('h2-cold', discovered(unheard))).toMatchObject({ status: 'failed', reason: 'protocol' });
    expect(judge('h2-cold', discovered(turned))).toMatchObject({
      status: 'ok',
      connections: 2,
      usedConnections: 1,
    });
  });
});

describe('a recorded page', () => {
  const refused = (frame: { packets: number; bytes: number }) => (capture: Spoilt) => {
    const [flow] = capture.wire!.client.flows;
    const tcp = { ...flow!, transport: 'tcp' as const, ownPort: 51_000, sent: frame, received: frame };
    capture.wire!.client.flows.push(tcp);
  };
  const unheard = (capture: Spoilt) => {
    capture.server.push({ ...capture.server[0]!, request: '/worker.json' });
  };
  const recorded = (spoil: (capture: Spoilt) => void) => (capture: Spoilt) => {
    capture.page.recorded = true;
    spoil(capture);
  };
  const bare = { packets: 1, bytes: 74 };

  test('may try a socket over TCP in an arm of H3, where nobody answers; no other page may, and nothing may come of it', () => {
    expect(judge('h3-cold', recorded(refused(bare)))).toMatchObject({ status: 'ok', connections: 1 });
    expect(judge('h3-cold', refused(bare))).toMatchObject({ status: 'failed', reason: 'fallback' });
    const spoke = { packets: 3, bytes: 1_000 };
    expect(judge('h3-cold', recorded(refused(spoke)))).toMatchObject({ status: 'failed', reason: 'fallback' });
  });

  test('may ask for what the browser’s log does not tell of, over connections that the wire saw', () => {
    expect(judge('h2-cold', recorded(unheard))).toMatchObject({ status: 'ok' });
    expect(judge('h2-cold', unheard)).toMatchObject({ status: 'void', reason: 'server-log' });
    const elsewhere = (capture: Spoilt) => {
      unheard(capture);
      capture.server.at(-1)!.clientPort = 1;
    };
    expect(judge('h2-cold', recorded(elsewhere))).toMatchObject({ status: 'void', reason: 'wire' });
  });
});
