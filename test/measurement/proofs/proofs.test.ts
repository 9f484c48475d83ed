import { describe, expect, test } from '@jest/globals';
import { originFor } from '../../../harness/model/arm.ts';
import type { RecordedName } from '../../fixtures/captures.ts';
import { eventsOf, flowOf, judge, key, type Spoilt } from '../spoilt.ts';

interface Wanted {
  requestId: string;
  readonly request: { url: string; method: string };
  readonly response?: { status: number };
}

function dropEvents(capture: Spoilt, drop: (method: string, params: Record<string, unknown>) => boolean) {
  capture.browser.events = capture.browser.events.filter(
    ({ method, params }) => !drop(method, params as Record<string, unknown>),
  );
}

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
      capture.wire!.client.flows.push(flowOf('tcp', [40_000, 4433], { packets: 3, bytes: 222 }));
    },
    { status: 'failed', reason: 'fallback', says: /^6 TCP packets at the client, to port 4433$/ },
  ],
  [
    'datagrams inside an h2 arm, which only the server saw',
    'h2-cold',
    (capture) => {
      capture.wire!.server.flows.push(flowOf('udp', [4432, 40_000], { packets: 1, bytes: 1242 }));
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
      capture.wire!.client.flows.push(flowOf('tcp', [40_000, 4432], { packets: 9, bytes: 2000 }));
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
    { status: 'void', reason: 'not-warm', says: /the page's connection did not take up the earlier session/ },
  ],
  [
    'a full handshake of the connection that the page came over, in a resumed visit',
    'h3-resumed',
    (capture) => {
      capture.server[0]!.resumed = false;
    },
    { status: 'void', reason: 'not-warm', says: /the page's connection did not take up the earlier session/ },
  ],
  [
    'no early data in a resumed visit of h3',
    'h3-resumed',
    (capture) => {
      for (const record of capture.server) record.earlyData = false;
    },
    { status: 'void', reason: 'not-warm', says: /^nothing was asked before the handshake was done$/ },
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
    { status: 'void', reason: 'harness', says: /^no digest was taken of \/few-small\/flag-\d\.png$/ },
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

test('early data that was lost on its way is no fault of the harness', () => {
  const late = (capture: Spoilt) => {
    for (const record of capture.server) record.earlyData = false;
    capture.wire!.client.sent.packets += 1;
  };
  expect(judge('h3-resumed', late)).toMatchObject({ status: 'ok', earlyRequests: 0 });
});

describe('a visit that discovers H3', () => {
  /** A load by H2, taken for one that was told of H3 and tried it: its handshake was answered, and ended well. */
  const discovered =
    (spoil: (capture: Spoilt) => void, sentShort?: number) =>
    (capture: Spoilt): void => {
      const [from, to] = ['https://h2.photofinish.test:4432', 'https://h3.photofinish.test:4453'];
      const moved = JSON.parse(JSON.stringify(capture).replaceAll(from, to)) as Spoilt;
      moved.page = { ...moved.page, visit: 'discovered', origins: [{ ...originFor('h3', 'discovered') }] };
      for (const side of [moved.wire!.client, moved.wire!.server])
        for (const flow of side.flows) {
          if (flow.otherPort === 4432) flow.otherPort = 4453;
          if (flow.ownPort === 4432) flow.ownPort = 4453;
        }
      for (const record of moved.server) record.port = 4453;
      const tried = flowOf('udp', [40_000, 4453], { packets: 4, bytes: 4000 });
      moved.wire!.client.flows.push(sentShort === undefined ? tried : { ...tried, sentShort });
      moved.wire!.server.flows.push(flowOf('udp', [4453, 40_000], { packets: 4, bytes: 4000 }));
      Object.assign(capture, moved);
      spoil(capture);
    };
  const nothing = () => {};

  describe('that knew of H3 before', () => {
    const knowing = (spoil: (capture: Spoilt) => void = nothing, published = true) =>
      discovered((capture) => {
        const [own] = capture.page.origins;
        Object.assign(own!, published ? { published: true } : { reception: 'remembering' });
        Object.assign(capture.page, { visit: 'first', offer: 'h3-record' });
        spoil(capture);
      }, 2);

    test('asks for the page itself by H3', () => {
      for (const published of [true, false])
        expect(judge('h2-bare', knowing(nothing, published))).toMatchObject({
          status: 'failed',
          reason: 'fallback',
          says: expect.stringMatching(/index\.html came over h2, although the browser knew of H3 before$/),
        });
    });

    test('but where a datagram was lost, and TCP won the race', () => {
      const lost = knowing((capture) => {
        capture.wire!.server.flows.at(-1)!.received = { packets: 3, bytes: 3000 };
      });
      expect(judge('h2-bare', lost)).toMatchObject({ status: 'ok', h3SharePercent: 0 });
    });
  });

  describe('that looks names up', () => {
    const HOST = 'h3.photofinish.test';
    const asking = (lookedUp: readonly string[], { visit = 'first' } = {}) =>
      discovered((capture) => {
        const [own] = capture.page.origins;
        Object.assign(own!, { host: HOST });
        Object.assign(capture.page, { visit, offer: 'h3-altsvc', withoutUdp: true });
        Object.assign(capture, { lookedUp });
        capture.wire!.client.flows.pop();
        for (const record of capture.server) record.resumed = visit !== 'first';
      });
    const both = [`A ${HOST}`, `HTTPS _4453._https.${HOST}`];

    test('asks for the name on a first visit, and for the record that there may be', () => {
      expect(judge('h2-bare', asking(both))).toMatchObject({ status: 'ok' });
      const unasked = judge('h2-bare', asking(['A other.photofinish.test']));
      expect(unasked).toMatchObject({ status: 'void', reason: 'not-cold', says: `${HOST} was not looked up` });
      expect(judge('h2-bare', asking([`A ${HOST}`]))).toMatchObject({
        status: 'void',
        reason: 'not-cold',
        says: `the HTTPS record of _4453._https.${HOST} was not asked for`,
      });
    });

    test('knows it when it comes back', () => {
      const visit = 'returning';
      expect(judge('h2-bare', asking([], { visit }))).toMatchObject({ status: 'ok' });
      // Another server of a recorded page, which has the same name in the lab.
      const other = [`A ${HOST}`, `HTTPS _4499._https.${HOST}`];
      expect(judge('h2-bare', asking(other, { visit }))).toMatchObject({ status: 'ok' });
      expect(judge('h2-bare', asking(both, { visit }))).toMatchObject({ status: 'void', reason: 'not-warm' });
    });
  });

  test('has none of it over a link that lets no datagrams through', () => {
    const without = discovered((capture) => {
      Object.assign(capture.page, { withoutUdp: true });
      capture.wire!.client.flows.pop();
    });
    expect(judge('h2-bare', without)).toMatchObject({ status: 'ok', h3SharePercent: 0 });
  });

  test('who comes back there takes up the session over TCP, and had no handshake of QUIC’s to be early for', () => {
    const returning = discovered((capture) => {
      Object.assign(capture.page, { visit: 'returning', offer: 'h3-altsvc', withoutUdp: true });
      Object.assign(capture.page.origins[0]!, { reception: 'remembering' });
      for (const record of capture.server) record.resumed = true;
    });
    expect(judge('h2-bare', returning)).toMatchObject({ status: 'ok', resumedConnections: 1, h3SharePercent: 0 });
  });

  test('begins on H2, and must turn to H3', () => {
    const untried = discovered((capture) => {
      capture.wire!.client.flows.pop();
      capture.wire!.server.flows.pop();
    }, 2);
    const unheard = discovered((capture) => {
      capture.wire!.client.flows.at(-1)!.received = { packets: 0, bytes: 0 };
      capture.wire!.server.flows.at(-1)!.sent = { packets: 0, bytes: 0 };
    }, 2);
    for (const spoil of [untried, unheard])
      expect(judge('h2-cold', spoil)).toMatchObject({
        status: 'failed',
        reason: 'fallback',
        says: 'the browser was told of H3 and did not turn to it',
      });
    expect(judge('h2-cold', discovered(nothing, 2))).toMatchObject({
      status: 'ok',
      connections: 2,
      usedConnections: 1,
      h3SharePercent: 0,
    });
  });

  test('has a handshake that ends well: a client whose certificate is refused never sends under the connection’s keys', () => {
    for (const name of ['h2-cold', 'h2-bare'] as const)
      expect(judge(name, discovered(nothing))).toMatchObject({
        status: 'failed',
        reason: 'fallback',
        says: 'the browser was told of H3, and its QUIC handshake did not complete',
      });
    // A page that is there before what was lost has been sent again.
    const lost = discovered((capture) => {
      capture.wire!.client.flows.at(-1)!.received = { packets: 3, bytes: 3000 };
    });
    expect(judge('h2-bare', lost)).toMatchObject({ status: 'ok', h3SharePercent: 0 });
  });

  test('is told of H3 by a page that asks for nothing more, and has no use for it', () => {
    const alone = discovered((capture) => {
      capture.wire!.client.flows.pop();
      capture.browser.record!.requests.splice(1);
      capture.server.splice(1);
      capture.page.objects.splice(1);
    });
    expect(judge('h2-bare', alone)).toMatchObject({ status: 'ok', requests: 1, h3SharePercent: 0 });
  });

  describe('asks by H3 for all that comes after the switch', () => {
    /** A load whose last request comes later, over H3 or over the connection of before. */
    const later = (ms: number, protocol: 'h2' | 'h3', asked?: (request: Request) => void) =>
      discovered((capture) => {
        const last = capture.browser.record!.requests.at(-1)!;
        for (const time of ['startMs', 'fetchMs', 'sentMs', 'answeredMs', 'finishedMs'] as const)
          last[time] = (last[time] ?? 0) + ms;
        asked?.(last);
        if (protocol === 'h2') return;
        overH3(capture, last);
      }, 3);
    type Request = NonNullable<Spoilt['browser']['record']>['requests'][number];
    const overH3 = (capture: Spoilt, request: Request) => {
      request.protocol = 'h3';
      const line = capture.server.find((record) => request.url.endsWith(record.request))!;
      Object.assign(line, { protocol: 'h3', clientPort: 40_000 });
    };
    test('which is the share of requests that is told', () => {
      const measured = judge('h2-bare', later(2_000, 'h3'));
      expect(measured).toMatchObject({ status: 'ok', usedConnections: 2, h3SharePercent: expect.closeTo(100 / 6) });
    });

    test('also where none did, once it had the time', () => {
      expect(judge('h2-bare', later(2_000, 'h2'))).toMatchObject({
        status: 'failed',
        reason: 'fallback',
        says: expect.stringMatching(/flag-\d\.png came over h2 after the browser had time to turn to h3$/),
      });
      expect(judge('h2-bare', later(200, 'h2'))).toMatchObject({ status: 'ok', h3SharePercent: 0 });
    });

    test('and none goes the way of before where another went by H3', () => {
      const mixed = discovered((capture) => {
        const [, second] = capture.browser.record!.requests;
        overH3(capture, second!);
        const last = capture.browser.record!.requests.at(-1)!;
        last.startMs = second!.finishedMs + 1;
        for (const time of ['fetchMs', 'sentMs', 'answeredMs', 'finishedMs'] as const)
          last[time] = second!.finishedMs + 2;
      }, 3);
      expect(judge('h2-bare', mixed)).toMatchObject({
        status: 'failed',
        reason: 'fallback',
        says: expect.stringMatching(/came over h2 after the browser had turned to h3$/),
      });
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

  test('is asked beforehand whether it may be asked, which brings no object; one that only leads on does not, either', () => {
    const first = (status: number, method: string) =>
      recorded((capture) => {
        const place = capture.browser.events.findIndex(
          ({ method: name, params }) =>
            name === 'Network.requestWillBeSent' && (params as Wanted).request.url.endsWith('flag-1.png'),
        );
        const { requestId } = capture.browser.events[place]!.params as Wanted;
        const twin = structuredClone(
          capture.browser.events.filter(({ params }) => (params as Wanted).requestId === requestId),
        ) as { method: string; params: Wanted }[];
        for (const { params } of twin) {
          params.requestId = 'before';
          if (params.request) params.request.method = method;
          if (params.response) params.response.status = status;
        }
        const silent = twin.filter((event) => event.method !== 'Network.dataReceived');
        capture.browser.events.splice(place, 0, ...(silent as typeof capture.browser.events));
        const line = capture.server.find(({ request }) => request.endsWith('flag-1.png'))!;
        capture.server.push({ ...line, method, status, bodyBytes: 0 });
      });
    expect(judge('h2-cold', first(204, 'OPTIONS'))).toMatchObject({ status: 'ok' });
    expect(judge('h2-cold', first(200, 'OPTIONS'))).toMatchObject({ status: 'ok' });
    expect(judge('h2-cold', first(302, 'GET'))).toMatchObject({ status: 'ok' });
    // An answer to GET of the object's own is what the load is held to.
    expect(judge('h2-cold', first(200, 'GET'))).toMatchObject({ status: 'failed', reason: 'object' });
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

test('an earlier QUIC connection that says that it ends is no datagram of an h2 load', () => {
  const late = (opened: boolean) =>
    judge('h2-cold', (capture) => {
      const flow = flowOf('udp', [40_000, 4432], { packets: 1, bytes: 90 });
      capture.wire!.client.flows.push({ ...flow, opened });
    });
  expect(late(false)).toMatchObject({ status: 'ok', strayPackets: 0 });
  expect(late(true)).toMatchObject({ status: 'failed', reason: 'protocol' });
});
