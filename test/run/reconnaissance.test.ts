import { describe, expect, test } from '@jest/globals';
import type { RecordOptions } from '../../harness/browser/record/record-page.ts';
import { DEVICES } from '../../harness/model/device.ts';
import { UsageError } from '../../harness/model/errors.ts';
import type { Exchange, SeenPage } from '../../harness/model/recording.ts';
import { remotePage } from '../../harness/model/remote.ts';
import { type ReconnaissanceOptions, reconnoitre } from '../../harness/run/reconnaissance.ts';

const SHOP = 'https://shop.example';
const CDN = 'https://cdn.example:8443';

/** A page and what it loads, as a browser sees it each time; `at` names where each origin answers. */
interface Web {
  readonly at?: Readonly<Record<string, string>>;
  /** `Alt-Svc` of each origin. */
  readonly told?: Readonly<Record<string, string>>;
  /** Servers that answer over QUIC. */
  readonly quic?: readonly string[];
  readonly tcp?: 'h1' | 'h2';
  /** What a look has besides, by its number from 0. */
  readonly more?: (look: number) => readonly Partial<Exchange>[];
  readonly status?: number;
}

const AT: Readonly<Record<string, string>> = {
  [SHOP]: '192.0.2.7',
  'http://shop.example': '192.0.2.7',
  [CDN]: '198.51.100.7',
};

/** Looks at a web that is made up, and tells what it was asked. */
async function scout(web: Web, options: Partial<ReconnaissanceOptions> = {}) {
  const { at = AT, told = {}, quic = [], tcp = 'h2', more = () => [], status = 200 } = web;
  const asked: RecordOptions[] = [];
  const look = async (wanted: RecordOptions): Promise<SeenPage> => {
    asked.push(wanted);
    const forced = (wanted.over as { quic?: readonly { host: string }[] }).quic?.map(({ host }) => host) ?? [];
    const exchange = (url: string, fields: Partial<Exchange> = {}): Exchange => {
      const { origin, hostname } = new URL(url);
      return {
        method: 'GET',
        url,
        requestHeaders: [],
        status: 200,
        body: Buffer.alloc(0),
        bodyIs: 'encoded',
        headers: told[origin] ? [['alt-svc', told[origin]]] : [],
        protocol: forced.includes(hostname) && quic.includes(origin) ? 'h3' : tcp,
        address: at[origin] || undefined,
        kind: 'Image',
        cameToPage: true,
        wantedMs: 10,
        connectMs: 4,
        ...fields,
      };
    };
    if (forced.includes('shop.example') && !quic.includes(SHOP))
      throw new UsageError('cannot be opened: net::ERR_QUIC_PROTOCOL_ERROR');
    return {
      url: wanted.url,
      atMs: 5,
      device: 'desktop',
      by: 'Chrome/156',
      leftOut: [],
      notes: [],
      live: { pltMs: 100 },
      // What is asked for over QUIC of a server that does not speak it does not come.
      exchanges: [
        exchange(`${SHOP}/`, { kind: 'Document', status }),
        exchange(`${CDN}/a.png`),
        exchange(`${SHOP}/late.js`, { wantedMs: 200 }),
        ...more(asked.length - 1).map((each) => exchange(each.url!, each)),
      ].filter(({ url }) => !forced.includes(new URL(url).hostname) || quic.includes(new URL(url).origin)),
    };
  };
  const site = await reconnoitre(
    {
      url: `${SHOP}/`,
      chromium: '',
      folder: '',
      device: DEVICES.desktop,
      insecure: false,
      resolved: [],
      signal: new AbortController().signal,
      ...options,
    },
    {
      look,
      async resolve(host) {
        if (host === 'cdn.example') return '203.0.113.9';
        throw new Error(`queryA ENODATA ${host}`);
      },
      readKey: async (host, { address, port }) => `${host}@${address}:${port}`,
    },
  );
  return { site, asked };
}

const H3 = 'h3=":443"; ma=86400';

test('two looks over TCP show where everything comes from, and what can be counted on', async () => {
  const { site, asked } = await scout({});
  expect(asked.map(({ over }) => over)).toEqual(['tcp', 'tcp']);
  expect(asked[0]!.resolved).toEqual([]);
  expect(asked[1]!.resolved).toEqual([
    { host: 'shop.example', port: 443, address: '192.0.2.7' },
    { host: 'cdn.example', port: 8443, address: '198.51.100.7' },
  ]);
  expect(new Set(asked.map(({ seed }) => seed)).size).toBe(2);
  expect(site).toMatchObject({ url: `${SHOP}/`, by: 'Chrome/156', trusted: [], notes: [] });
  expect(site.origins).toEqual([
    { origin: SHOP, host: 'shop.example', port: 443, address: '192.0.2.7', tcp: 'h2', h3: 'untold', rttMs: 4 },
    { origin: CDN, host: 'cdn.example', port: 8443, address: '198.51.100.7', tcp: 'h2', h3: 'untold', rttMs: 4 },
  ]);
  expect(site.objects.map(({ url }) => url)).toEqual([`${SHOP}/`, `${CDN}/a.png`]);
});

test('what only a frame or a worker has is not counted on: no log of a load tells of it', async () => {
  const { site } = await scout({
    more: () => [
      { url: `${CDN}/embed`, kind: 'Document', cameToPage: undefined },
      { url: `${CDN}/player.js`, cameToPage: undefined },
      // What the page has as well is its own.
      { url: `${CDN}/a.png`, cameToPage: undefined },
      { url: `${CDN}/own.js` },
    ],
  });
  expect(site.objects.map(({ url }) => url)).toEqual([`${SHOP}/`, `${CDN}/a.png`, `${CDN}/own.js`]);
});

test('what is not the same each time is not counted on', async () => {
  const { site } = await scout({
    more: (look) => [
      { url: `${SHOP}/ad?cb=${look}` },
      { url: `${SHOP}/sometimes.png`, status: look === 0 ? 200 : 404 },
      { url: `${SHOP}/cut.png`, broken: '3 of 4 bytes came' },
      { url: `${SHOP}/beacon`, method: 'POST' },
      { url: `${SHOP}/always.css` },
    ],
  });
  expect(site.objects.map(({ url }) => url.replace(/.*\//, ''))).toEqual(['', 'a.png', 'always.css']);
});

describe.each<[string, Web, Record<'shop' | 'cdn', string>, number]>([
  ['nobody tells of H3', {}, { shop: 'untold', cdn: 'untold' }, 2],
  ['told and there', { told: { [SHOP]: H3 }, quic: [SHOP] }, { shop: 'answers', cdn: 'untold' }, 3],
  ['told and not there', { told: { [SHOP]: H3 } }, { shop: 'silent', cdn: 'untold' }, 3],
  ['told of another port', { told: { [SHOP]: 'h3=":8443"' } }, { shop: 'untold', cdn: 'untold' }, 2],
  ['told of another host', { told: { [SHOP]: 'h3="alt.example:443"' } }, { shop: 'untold', cdn: 'untold' }, 2],
  ['told of a draft alone', { told: { [SHOP]: 'h3-29=":443"' } }, { shop: 'untold', cdn: 'untold' }, 2],
  ['clear', { told: { [SHOP]: 'clear' } }, { shop: 'untold', cdn: 'untold' }, 2],
  [
    'another one that is not there',
    { told: { [SHOP]: `h3-29=":443", ${H3}`, [CDN]: 'h3=":8443"' }, quic: [SHOP] },
    { shop: 'answers', cdn: 'silent' },
    4,
  ],
  ['only the other one', { told: { [CDN]: 'h3=":8443"' }, quic: [CDN] }, { shop: 'untold', cdn: 'silent' }, 2],
])('%s', (_, web, expected, looks) => {
  test('is found out', async () => {
    const { site, asked } = await scout(web);
    const [shop, cdn] = site.origins.map(({ h3 }) => h3);
    expect({ shop, cdn }).toEqual(expected);
    expect(asked).toHaveLength(looks);
    expect(site.objects.map(({ url }) => url)).toEqual([`${SHOP}/`, `${CDN}/a.png`]);
  });

  test('and is what an h3 arm comes to', async () => {
    const { site } = await scout(web);
    const page = () => remotePage(site, 'h3', 'cold');
    if (expected.shop === 'answers') expect(page().origins[0].protocol).toBe('h3');
    else expect(page).toThrow(expected.shop === 'silent' ? /did not answer over it/ : /does not offer HTTP\/3/);
  });
});

test('where certificates need not be valid, their keys are trusted, and no others', async () => {
  const { site, asked } = await scout({ told: { [SHOP]: H3 }, quic: [SHOP] }, { insecure: true });
  expect(site.trusted).toEqual(['shop.example@192.0.2.7:443', 'cdn.example@198.51.100.7:8443']);
  expect(asked[2]).toMatchObject({
    over: { quic: [{ origin: SHOP, host: 'shop.example', port: 443 }] },
    spki: 'shop.example@192.0.2.7:443,cdn.example@198.51.100.7:8443',
  });
});

test('an address of IPv6 gives way to one of IPv4, and it is said', async () => {
  const { site } = await scout({ at: { ...AT, [CDN]: '2001:db8::7' } });
  expect(site.origins[1]!.address).toBe('203.0.113.9');
  expect(site.notes).toEqual(['cdn.example answered from 2001:db8::7; a lab speaks IPv4 alone: 203.0.113.9']);
});

test('who has no other is left out, unless it is the page itself', async () => {
  const { site } = await scout({ more: () => [{ url: 'https://six.example/x.png', address: '2001:db8::8' }] });
  expect(site.origins).toHaveLength(2);
  expect(site.objects.map(({ url }) => url)).not.toContain('https://six.example/x.png');
  expect(site.notes).toEqual([
    expect.stringMatching(/^six\.example has no IPv4 address.*nothing is loaded from there$/),
  ]);
  await expect(scout({ at: { ...AT, [SHOP]: '2001:db8::7' } })).rejects.toThrow(/^shop\.example has no IPv4 address/);
});

test('redirects are followed to what is measured, and it is said', async () => {
  const from = 'http://shop.example/';
  const { site } = await scout(
    { more: () => [{ url: from, status: 301, headers: [['Location', `${SHOP}/`]], kind: 'Document' }] },
    { url: from },
  );
  expect(site).toMatchObject({ asked: from, url: `${SHOP}/` });
  expect(site.origins.map(({ origin, tcp }) => [origin, tcp])).toContainEqual(['http://shop.example', 'h1c']);
  expect(site.notes).toContain(`${from} leads to ${SHOP}/, which is what is measured`);
});

test('a page that does not come is not measured', async () => {
  await expect(scout({ status: 503 })).rejects.toThrow(
    'https://shop.example/ cannot be measured: it is answered with status 503',
  );
});
