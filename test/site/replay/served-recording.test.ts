import { describe, expect, test } from '@jest/globals';
import type { Visit } from '../../../harness/model/arm.ts';
import type { RecordedManifest } from '../../../harness/model/recording.ts';
import { type ServingWish, servedObjects, servedOrigins } from '../../../harness/site/replay/served-recording.ts';

const at = (origin: string, address: string, protocol: string, names: readonly string[]) => ({
  origin,
  address,
  protocol,
  offersH3: false,
  certificateNames: names,
});

/** A page with a name of its own beside it, a third party's at two ports, and something in the clear. */
const MANIFEST = {
  url: 'http://shop.test/',
  origins: [
    at('http://shop.test', '::1', 'h1c', []),
    at('https://cdn.shop.test', '::1', 'h2', ['*.shop.test', 'shop.test']),
    at('https://shop.test', '::1', 'h2', ['*.shop.test', 'shop.test']),
    at('https://fonts.test', '::2', 'h3', ['fonts.test']),
    at('https://fonts.test:8443', '::2', 'h1', ['fonts.test']),
  ],
  responses: [
    { method: 'GET', url: 'http://shop.test/', status: 301, headers: [['Location', 'https://shop.test/']] },
    { method: 'GET', url: 'https://shop.test/', status: 200, headers: [] },
  ],
} as unknown as RecordedManifest;

const originsFor = (wish: Partial<ServingWish>) =>
  servedOrigins(MANIFEST, { protocol: 'h3', visit: 'cold', allOrigins: false, firstPort: 12_000, ...wish });
const brief = (origins: ReturnType<typeof originsFor>) =>
  origins.map(({ url, protocol, port, reception }) => `${url} ${protocol} ${port} ${reception}`);

describe('the origins of a recorded site', () => {
  test('the page’s own server speaks the arm’s protocol, the others what they spoke; its own origin is the first', () => {
    expect(brief(originsFor({}))).toEqual([
      'https://shop.test h3 12000 first',
      'https://cdn.shop.test h3 12000 first',
      'http://shop.test h1c 12001 first',
      'https://fonts.test h3 12002 first',
      'https://fonts.test:8443 h1 12003 first',
    ]);
  });

  test('all of them do where that is wanted, but for what has no TLS', () => {
    expect(originsFor({ allOrigins: true }).map(({ protocol }) => protocol)).toEqual(['h3', 'h3', 'h1c', 'h3', 'h3']);
  });

  test.each([
    ['resumed', 'returning', 'returning'],
    ['repeat', 'returning', 'returning'],
    ['discovered', 'discovering', 'first'],
  ] as const)('are ready for %s visits', (visit: Visit, own, others) => {
    const origins = originsFor({ visit });
    expect([origins[0].reception, origins.at(-1)!.reception]).toEqual([own, others]);
  });

  test.each([
    ['h2', 'h2', 'first', 'first', 'first'],
    ['h2', 'h2', 'returning', 'returning', 'returning'],
    ['h3', 'h3-altsvc', 'first', 'discovering', 'first'],
    ['h3', 'h3-record', 'returning', 'remembering', 'returning'],
  ] as const)('by %s, make the offer %s to %s visits', (protocol, offer, visit, own, others) => {
    const origins = originsFor({ protocol, offer, visit });
    expect([origins[0].reception, origins.at(-1)!.reception]).toEqual([own, others]);
  });

  test('are discovered all of them where all speak the arm’s protocol', () => {
    const all = originsFor({ visit: 'discovered', allOrigins: true }).filter(({ protocol }) => protocol === 'h3');
    expect(new Set(all.map(({ reception }) => reception))).toEqual(new Set(['discovering']));
  });

  test('have TLS in an arm in the clear, where they had it', () => {
    const clear = { ...MANIFEST, url: 'http://shop.test/', responses: [MANIFEST.responses[1]!] };
    const wish = { protocol: 'h1c', visit: 'cold', allOrigins: true, firstPort: 12_000 } as const;
    expect(servedOrigins(clear, wish).map(({ url, protocol }) => `${url} ${protocol}`)).toEqual([
      'http://shop.test h1c',
      'https://cdn.shop.test h2',
      'https://shop.test h2',
      'https://fonts.test h3',
      'https://fonts.test:8443 h1',
    ]);
  });
});

test('a load is held to what is the same whenever it comes', () => {
  const content = (sha256: string) => ({ bytes: 3, sha256 });
  const response = (path: string, more: object) => ({
    method: 'GET',
    url: `https://a.test${path}`,
    status: 200,
    ...more,
  });
  const responses = [
    response('/', { content: content('p') }),
    response('/twice', { content: content('t') }),
    response('/twice', { content: content('t') }),
    response('/other', { content: content('o') }),
    response('/poll', { content: content('1') }),
    response('/poll', { content: content('2') }),
    response('/sent', { content: content('s'), method: 'POST' }),
    response('/gone', { content: content('g'), status: 404 }),
    response('/coded-by-nobody', {}),
  ];
  const objects = servedObjects(
    { responses } as unknown as RecordedManifest,
    new Map([
      ['https://a.test/', true],
      ['https://a.test/twice', false],
    ]),
  );
  expect(objects).toEqual([
    { url: 'https://a.test/', bytes: 3, sha256: 'p', required: true },
    { url: 'https://a.test/twice', bytes: 3, sha256: 't', required: true, unkept: true },
    { url: 'https://a.test/other', bytes: 3, sha256: 'o', required: false },
  ]);
});
