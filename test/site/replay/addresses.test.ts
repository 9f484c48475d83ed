import { expect, test } from '@jest/globals';
import type { RecordedManifest, RecordedOrigin } from '../../../harness/model/recording.ts';
import { certificateNames, findServers } from '../../../harness/site/replay/addresses.ts';

type Origin = Pick<RecordedOrigin, 'origin'> & Partial<RecordedOrigin>;

function manifestOf(origins: readonly Origin[], responses: readonly object[] = [], url = 'https://www.a.test/') {
  const whole = origins.map((each) => ({ offersH3: false, certificateNames: [], ...each }));
  return { url, origins: whole, responses } as unknown as RecordedManifest;
}

const at = (origin: string, address?: string, ...names: string[]): Origin => ({
  origin,
  certificateNames: names,
  address,
});

test.each<[string, readonly Origin[], readonly (readonly string[])[]]>([
  [
    'each address is a server',
    [at('https://a.test', '1.1.1.1'), at('https://b.test', '1.1.1.2')],
    [['a.test'], ['b.test']],
  ],
  ['one address is one', [at('https://a.test', '1.1.1.1'), at('https://b.test', '1.1.1.1')], [['a.test', 'b.test']]],
  [
    'one address with a certificate for both is one',
    [at('https://a.test', '::1', 'a.test', 'b.test'), at('https://b.test', '::1', 'b.test')],
    [['a.test', 'b.test']],
  ],
  [
    'a star stands for a label',
    [at('https://x.a.test', '::1', '*.a.test'), at('https://y.a.test', '::1', '*.a.test')],
    [['x.a.test', 'y.a.test']],
  ],
  [
    'and not for two',
    [at('https://x.y.a.test', '::1', '*.y.a.test'), at('https://z.x.y.a.test', '::1', 'z.x.y.a.test')],
    [['x.y.a.test'], ['z.x.y.a.test']],
  ],
  [
    'one address whose certificates know nothing of each other is two',
    [at('https://a.test', '::1', 'a.test'), at('https://b.test', '::1', 'b.test')],
    [['a.test'], ['b.test']],
  ],
  [
    'one name is one address, whatever its ports',
    [at('https://a.test', '::1'), at('http://a.test', '::2')],
    [['a.test', 'a.test']],
  ],
  [
    'an origin without TLS brings no stranger to its server',
    [
      at('http://me.test', '::1'),
      at('https://me.test', '::1', 'me.test'),
      at('https://other.test', '::1', 'other.test'),
    ],
    [['me.test', 'me.test'], ['other.test']],
  ],
  ['what has no address stands alone', [at('https://a.test'), at('https://b.test')], [['a.test'], ['b.test']]],
])('%s', (_, origins, expected) => {
  expect(findServers(manifestOf(origins)).map((server) => server.origins.map(({ host }) => host))).toEqual(expected);
});

test('origins say where they listen, what they speak, and whose they are', () => {
  const origins = [
    { ...at('https://www.a.test'), protocol: 'h3' as const },
    at('https://b.test:8443'),
    { ...at('http://c.test'), protocol: 'h1c' as const },
  ];
  const { servers } = { servers: findServers(manifestOf(origins)) };
  expect(servers.flatMap((server) => server.origins)).toEqual([
    { origin: 'https://www.a.test', host: 'www.a.test', port: 443, secure: true, protocol: 'h3', firstParty: true },
    { origin: 'https://b.test:8443', host: 'b.test', port: 8443, secure: true, protocol: 'h2', firstParty: false },
    { origin: 'http://c.test', host: 'c.test', port: 80, secure: false, protocol: 'h1c', firstParty: false },
  ]);
  expect(servers.map(({ place }) => place)).toEqual([0, 1, 2]);
});

test('the first party is where redirects end; an origin that only responses know of is one', () => {
  const moved = (url: string, location: string) => ({
    method: 'GET',
    url,
    status: 301,
    headers: [['Location', location]],
  });
  const responses = [
    moved('http://a.test/', 'https://a.test/'),
    moved('https://a.test/', '//www.a.test/#top'),
    { method: 'GET', url: 'https://www.a.test/', status: 200, headers: [] },
  ];
  const manifest = manifestOf([], responses, 'http://a.test/');
  const first = findServers(manifest).flatMap(({ origins }) => origins.filter(({ firstParty }) => firstParty));
  expect(first.map(({ origin }) => origin)).toEqual(['https://www.a.test']);
  expect(certificateNames(manifest)).toEqual(['a.test', 'www.a.test']);
  const circle = [moved('http://a.test/', 'http://a.test/')];
  expect(findServers(manifestOf([], circle, 'http://a.test/'))[0]!.origins[0]!.firstParty).toBe(true);
});
