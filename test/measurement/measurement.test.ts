import { describe, expect, test } from '@jest/globals';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import { RECORDED, readCapture } from '../fixtures/captures.ts';
import { eventsOf, flowOf, judge, key, type Spoilt } from './spoilt.ts';

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

  // Figures as they stand in the files: what the page said of itself, and what the interfaces counted.
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
    expect(measured).toMatchObject({ lostDown: 0, lostUp: 0 });
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

  test('what hosts tell each other by ICMP is not the page’s, either', () => {
    const told = { packets: 10, bytes: 980 };
    const measured = judge('h3-cold', ({ wire }) => {
      for (const [host, way] of [
        [wire!.client, 'sent'],
        [wire!.server, 'received'],
      ] as const) {
        host.others[way] = told;
        host[way] = { packets: host[way].packets + told.packets, bytes: host[way].bytes + told.bytes };
      }
    });
    expect(measured).toMatchObject({ packetsUp: 23, bytesUp: 6_509, lostUp: 0, strayPackets: 10 });
    expect(measured).toMatchObject({ packetsDown: 31, bytesDown: 29_179, lostDown: 0 });
  });

  test('a link that duplicates packets has lost no fewer than none', () => {
    const doubled = ({ wire }: Spoilt) => {
      wire!.client.received = { packets: 34, bytes: 32_000 };
    };
    expect(judge('h3-cold', doubled)).toMatchObject({ packetsDown: 31, lostDown: 0, lostUp: 0 });
  });

  test('where nothing was sent but headers there is no overhead to speak of', () => {
    const measured = judge('h2-cold', ({ server }) => {
      for (const record of server) Object.assign(record, { bodyBytes: 0 });
    });
    expect(measured).toMatchObject({ status: 'ok', payloadBytes: 0, throughputKbps: 0 });
    expect(measured).not.toMatchObject({ overheadPercent: expect.anything() });
  });

  test('what the link lost was sent and not received', () => {
    const measured = judge('h3-cold', ({ wire }) => {
      wire!.client.received = { packets: 29, bytes: 26_500 };
      wire!.server.received = { packets: 22, bytes: 6_000 };
    });
    expect(measured).toMatchObject({ status: 'ok', bytesDown: 29_179, bytesReceived: 26_500, lostDown: 2, lostUp: 1 });
  });

  test('segments that either host sent again are counted, of TCP alone', () => {
    const again = ({ wire }: Spoilt) => {
      wire!.client.retransmittedSegments = 2;
      wire!.server.retransmittedSegments = 3;
    };
    expect(judge('h2-cold', again)).toMatchObject({ status: 'ok', retransmittedSegments: 5 });
    expect(judge('h3-cold', again)).not.toMatchObject({ retransmittedSegments: expect.anything() });
  });

  test.each([
    ['h2-cold', 1, 43, 43],
    ['h2-cold', 0, 0, undefined],
    ['h2-cold', 2, 60, 30],
    ['h3-cold', 1, 43, undefined],
  ] as const)(
    'of %s, whose server saw delay end slow start %i times at %i packets, the windows hold %s',
    (name, times, windowPackets, slowStartPackets) => {
      const measured = judge(name, ({ wire }) => {
        wire!.server.slowStartsEnded = { times, windowPackets };
      });
      expect(measured).toMatchObject({ status: 'ok' });
      expect((measured as { slowStartPackets?: number }).slowStartPackets).toBe(slowStartPackets);
    },
  );

  test.each([
    ['h1-cold', { connections: 5, peakInFlight: 3, resumedConnections: 0 }],
    ['h2-cold', { connections: 1, usedConnections: 1, peakInFlight: 5, resumedConnections: 0 }],
    ['h3-cold', { connections: 1, usedConnections: 1, peakInFlight: 5, resumedConnections: 0, earlyRequests: 0 }],
    ['h3-resumed', { connections: 1, usedConnections: 1, resumedConnections: 1, earlyRequests: 1 }],
  ] as const)('%s has the connections that its protocol takes', (name, figures) => {
    expect(judge(name)).toMatchObject(figures);
  });

  test('a host that gives this machine’s processor to others is told of', () => {
    expect(judge('h2-cold')).toMatchObject({ status: 'ok' });
    expect(judge('h2-cold')).not.toMatchObject({ stolenShare: expect.anything() });
    expect(
      judge('h2-cold', (capture) => {
        capture.host.stolenShare = 0.12;
      }),
    ).toMatchObject({ stolenShare: 0.12 });
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

  test('a thread that never rests marks it, though it moves between cores; how long threads waited is told', () => {
    const measured = judge('h2-cold', (capture) => {
      Object.assign(capture.host, { cores: [0.5, 0.81], busiestThreadShare: 0.98, coreWaitMs: 12 });
    });
    expect(measured).toMatchObject({ cpuBound: true, coreBusyShare: 0.98, coreWaitMs: 12 });
  });

  test('by how much slower a telephone computed is told', () => {
    const measured = judge('h2-cold', (capture) => {
      capture.browser.cpuSlowdown = 4.1;
    });
    expect(measured).toMatchObject({ status: 'ok', cpuSlowdown: 4.1 });
    expect(judge('h2-cold')).not.toMatchObject({ cpuSlowdown: expect.anything() });
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

  test('says what the server said meanwhile', () => {
    const spoil = (capture: Spoilt) => {
      ended('network', 'net::ERR_QUIC_PROTOCOL_ERROR')(capture);
      capture.serverSaid = ['SSL_do_handshake() failed', 'quic transport error'];
    };
    expect(judge('h3-cold', spoil)).toMatchObject({
      says: 'net::ERR_QUIC_PROTOCOL_ERROR; the server said: SSL_do_handshake() failed; quic transport error',
    });
  });

  test('where nginx takes a random parameter for one that it knows the load is void, also if the browser turned to TCP', () => {
    const refused = (id: string) => (capture: Spoilt) => {
      ended('network', 'net::ERR_QUIC_PROTOCOL_ERROR')(capture);
      capture.serverSaid = [`[info] quic failed to parse transport param id:${id} data while handling frames`];
    };
    const refusedFirst = (capture: Spoilt) => {
      refused('0x295187909b3e000c')(capture);
      capture.wire!.client.flows.push(flowOf('tcp', [40_000, 4433], { packets: 1, bytes: 74 }));
    };
    const misread = { status: 'void', reason: 'server', says: expect.stringContaining('0x295187909b3e000c') };
    expect(judge('h3-cold', refused('0x295187909b3e000c'))).toMatchObject(misread);
    expect(judge('h3-cold', refusedFirst)).toMatchObject(misread);
    expect(judge('h3-cold', refused('0x0c'))).toMatchObject({ status: 'failed', reason: 'network' });
  });

  test('in the h3 arm any attempt by TCP is a fallback, whatever came of it', () => {
    const spoil = (capture: Spoilt) => {
      ended('network', 'net::ERR_CONNECTION_REFUSED')(capture);
      capture.wire!.client.flows.push(flowOf('tcp', [40_000, 4433], { packets: 1, bytes: 74 }));
    };
    expect(judge('h3-cold', spoil)).toMatchObject({ status: 'failed', reason: 'fallback' });
  });
});
