import { describe, expect, test } from '@jest/globals';
import { renderFlags } from '../../harness/browser/flags.ts';
import type { Protocol, Visit } from '../../harness/model/arm.ts';
import { OFFERS, type Offer, type OfferVisit, protocolOffered } from '../../harness/model/offer.ts';
import {
  REMOTE_ABILITIES,
  type RemoteOrigin,
  type RemoteSite,
  remoteBrowser,
  remotePage,
  serverPlacesOf,
} from '../../harness/model/remote.ts';

const origin = (name: string, more: Partial<RemoteOrigin> = {}): RemoteOrigin => ({
  origin: `https://${name}`,
  host: name,
  port: 443,
  address: '192.0.2.7',
  tcp: 'h2',
  h3: 'untold',
  ...more,
});
const OWN = origin('shop.example', { h3: 'answers' });
const CDN = origin('cdn.example', { address: '198.51.100.7', h3: 'answers' });
const OLD = origin('old.example', { address: '198.51.100.8', tcp: 'h1' });
const MUTE = origin('mute.example', { address: '198.51.100.9', h3: 'silent' });
const CLEAR = origin('clear.example', { origin: 'http://clear.example', port: 80, tcp: 'h1c' });

const SITE: RemoteSite = {
  asked: 'https://shop.example/',
  url: 'https://shop.example/',
  atMs: 0,
  by: 'Chrome/156',
  bytes: 90_000,
  trusted: [],
  notes: [],
  origins: [OWN, CDN, OLD, MUTE, CLEAR],
  objects: [{ url: 'https://shop.example/', required: true }],
};

const SOCKETS = '--proxy-server=http=direct://;https=direct://;socks=socks5://nowhere.invalid:1';

describe.each<[Protocol, Visit, readonly string[], readonly string[]]>([
  ['h1', 'cold', ['h1', 'h1', 'h1', 'h1', 'h1c'], ['--disable-quic', '--disable-http2']],
  ['h2', 'cold', ['h2', 'h2', 'h1', 'h2', 'h1c'], ['--disable-quic']],
  [
    'h3',
    'cold',
    ['h3', 'h3', 'h1', 'h2*', 'h1c'],
    ['--enable-quic', '--origin-to-force-quic-on=shop.example:443,cdn.example:443'],
  ],
  [
    'h3',
    'discovered',
    ['h3*', 'h3*', 'h1', 'h2*', 'h1c'],
    // A port that nothing uses: it forces nothing, and has certificates accepted.
    ['--enable-quic', '--origin-to-force-quic-on=shop.example:9,cdn.example:9'],
  ],
])('%s, %s', (protocol, visit, spoken, expected) => {
  test('each origin speaks what it can of what the arm wants', () => {
    const { origins, unlogged } = remotePage(SITE, protocol, visit);
    const told = origins.map((each) => `${each.protocol}${each.reception === 'discovering' ? '*' : ''}`);
    expect(told).toEqual(spoken);
    expect(origins.map(({ address }) => address)).toEqual(SITE.origins.map(({ address }) => address));
    expect(unlogged).toBe(true);
  });

  test('the browser is told so, and where each name leads', () => {
    const flags = renderFlags({ ...remoteBrowser(SITE, protocol, visit), profile: '/p' });
    expect(flags.filter((flag) => /quic-on=|-quic$|http2/.test(flag))).toEqual(expected);
    expect(flags).toContain(
      '--host-resolver-rules=MAP shop.example:443 192.0.2.7, MAP cdn.example:443 198.51.100.7, MAP old.example:443 198.51.100.8, MAP mute.example:443 198.51.100.9, MAP clear.example:80 192.0.2.7, MAP * ~NOTFOUND',
    );
    expect(flags.filter((flag) => flag.startsWith('--ignore-certificate-errors'))).toEqual([]);
  });

  test('WebSockets alone go by a proxy, which no name leads to', () => {
    const flags = renderFlags({ ...remoteBrowser(SITE, protocol, visit), profile: '/p' });
    expect(flags.filter((flag) => flag.includes('proxy'))).toEqual([SOCKETS]);
  });
});

describe('of a server that exists already an offer is made', () => {
  const told = (offer: Offer, visit: OfferVisit) =>
    remotePage(SITE, protocolOffered(offer), visit, offer).origins.map(
      ({ protocol, reception, published }) => `${protocol} ${reception}${published ? ' published' : ''}`,
    );

  test('by what it speaks, and of others than its own nothing is known beforehand', () => {
    expect(told('h2', 'returning')).toEqual(['h2 first', 'h2 first', 'h1 first', 'h2 first', 'h1c first']);
    const others = ['h1 first', 'h2 discovering', 'h1c first'];
    expect(told('h3-altsvc', 'first')).toEqual(['h3 discovering', 'h3 discovering', ...others]);
    expect(told('h3-altsvc', 'returning')).toEqual(['h3 remembering', 'h3 discovering', ...others]);
    expect(told('h3-record', 'first')).toEqual(['h3 discovering published', 'h3 discovering published', ...others]);
  });

  test('to a browser that looks its name up, and has no QUIC where none is offered', () => {
    const flagsFor = (offer: Offer) =>
      renderFlags({
        ...remoteBrowser(SITE, protocolOffered(offer), 'first', offer),
        address: '10.77.0.21',
        profile: '/p',
      });
    const [h2, told, published] = OFFERS.map(flagsFor);
    expect([h2, told, published].map((flags) => flags!.includes('--disable-quic'))).toEqual([true, false, false]);
    expect([h2, told, published].map((flags) => flags!.includes(SOCKETS))).toEqual([true, true, true]);
    expect(told!.find((flag) => flag.includes('resolver-rules'))).toContain(
      'MAP shop.example:443 at-192-0-2-7.photofinish.test, MAP cdn.example:443 at-198-51-100-7.photofinish.test,',
    );
    expect(published!.find((flag) => flag.includes('resolver-rules'))).toMatch(
      /MAP shop\.example:443 hr-192-0-2-7\.photofinish\.test,.*EXCLUDE \*\.photofinish\.test, MAP \* ~NOTFOUND$/,
    );
  });
});

test('keys that are trusted all go into one list', () => {
  const flags = renderFlags({ ...remoteBrowser({ ...SITE, trusted: ['a=', 'b='] }, 'h3', 'cold'), profile: '/p' });
  expect(flags).toContain('--ignore-certificate-errors-spki-list=a=,b=');
});

test.each<[RemoteOrigin, Protocol, RegExp]>([
  [OLD, 'h2', /^--arms: https:\/\/old\.example does not offer HTTP\/2. Expected: h1$/],
  [OLD, 'h3', /does not offer HTTP\/3 \(no Alt-Svc with h3.*\). Expected: h1$/],
  [MUTE, 'h3', /tells of HTTP\/3, but did not answer over it. Expected: h1, h2$/],
  [CLEAR, 'h1', /is in the clear.*. Expected: h1c$/],
  [CLEAR, 'h2', /is in the clear, where browsers do not speak HTTP\/2. Expected: h1c$/],
  [CLEAR, 'h3', /does not offer HTTP\/3.*. Expected: h1c$/],
  [OWN, 'h1c', /is not in the clear. Expected: h1, h2, h3$/],
])('$origin has no arm %s', (own, protocol, says) => {
  expect(() => remotePage({ ...SITE, url: `${own.origin}/`, origins: [own] }, protocol, 'cold')).toThrow(says);
});

test('every protocol that can be asked of a remote server has a page or a reason', () => {
  expect(REMOTE_ABILITIES.protocols).toEqual(['h1', 'h2', 'h3', 'h1c']);
});

test('an uplink leads to every address and port of all sites, each once', () => {
  const other = { origins: [CDN, origin('more.example', { port: 8443 })] as const };
  expect(serverPlacesOf([SITE, other]).map(({ address, port }) => `${address}:${port}`)).toEqual([
    ...['192.0.2.7:443', '198.51.100.7:443', '198.51.100.8:443', '198.51.100.9:443', '192.0.2.7:80', '192.0.2.7:8443'],
  ]);
});
