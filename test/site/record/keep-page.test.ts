import { describe, expect, test } from '@jest/globals';
import type { Exchange, SeenPage } from '../../../harness/model/recording.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { MANIFEST_SCHEMA } from '../../../harness/site/record/manifest-schema.ts';
import { findResponse, indexResponses } from '../../../harness/site/replay/find-response.ts';

function answer(path: string, more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    url: `https://a.test${path}`,
    requestHeaders: [],
    status: 200,
    headers: [],
    body: Buffer.from(path),
    bodyIs: 'decoded',
    kind: 'Other',
    wantedMs: 0,
    ...more,
  };
}

function keep(exchanges: readonly Exchange[], more: Partial<SeenPage> = {}) {
  const seen = {
    url: 'https://a.test/',
    atMs: 1,
    device: 'desktop',
    by: 'x',
    exchanges,
    leftOut: [],
    notes: [],
  } as const;
  return keepPage({ ...seen, ...more }, { site: 'a', keepSecrets: false, seed: 1 }).manifest;
}

test('an address that was asked for several times has all its answers, in their order', () => {
  const bodies = ['one', 'one', 'two'];
  const manifest = keep(bodies.map((text) => answer('/poll', { body: Buffer.from(text) })));
  const index = indexResponses(manifest);
  const asked = { method: 'GET', origin: 'https://a.test', target: '/poll' };
  const sizes = [0, 1, 2, 3].map((earlier) => findResponse(index, asked, earlier)!.response.body);
  const [one, , two] = manifest.responses.map(({ body }) => body);
  expect(sizes).toEqual([one, one, two, two]);
  expect(one).not.toBe(two);
});

test('redirects to and fro are told apart by where they lead', () => {
  const away = (to: string) => ({ status: 302, headers: [['location', to]] as const, body: Buffer.alloc(0) });
  const manifest = keep([
    answer('/', away('/login')),
    answer('/login', away('/')),
    answer('/', away('/home')),
    answer('/home'),
  ]);
  expect(manifest.responses.map(({ headers }) => headers[0]?.[1])).toEqual(['/login', '/', '/home', undefined]);
});

test('a name that browsers know for one of TLS’s is where the page is', () => {
  const manifest = keep([answer('/', { kind: 'Document' })], { url: 'http://a.test/' });
  expect(manifest.url).toBe('https://a.test/');
  expect(manifest.notes).toEqual(['http://a.test/ was asked for over TLS at once, as https://a.test/']);
});

test('a frame does not stand for a page that did not come', () => {
  expect(keep([answer('/frame', { kind: 'Document' })]).url).toBe('https://a.test/');
});

describe('what came and cannot be kept is named as that', () => {
  test.each<[string, Partial<Exchange>, RegExp]>([
    ['cut short', { broken: '3 of 9 bytes came' }, /^cut short/],
    ['a coding that is not known', { headers: [['content-encoding', 'dcb']] }, /^Photofinish cannot encode/],
    ['an address that no lab can serve', { url: 'https://[::1]/x' }, /^no lab can serve/],
  ])('%s', (_, more, why) => {
    const { leftOut } = keep([answer('/'), answer('/x', more)]);
    expect(leftOut).toEqual([{ what: expect.stringContaining('GET '), why: expect.stringMatching(why), came: true }]);
  });
  test('what had not changed is there', () => {
    expect(keep([answer('/'), answer('/x', { status: 304 })]).leftOut[0]!.came).toBeUndefined();
  });
});

describe('a recording that is too much for a manifest is as much as it holds', () => {
  test('headers', () => {
    const headers = Array.from({ length: 1_003 }, (_, index) => [`x-${index}`, '1'] as const);
    const manifest = keep([answer('/', { headers })]);
    expect(manifest.responses[0]!.headers).toHaveLength(1_000);
    expect(manifest.leftOut).toEqual([{ what: '3 headers of GET https://a.test/', why: 'it has 1003; 1000 are kept' }]);
    expect(MANIFEST_SCHEMA.safeParse(manifest).success).toBe(true);
  });
  test('origins', () => {
    const many = Array.from({ length: 10_002 }, (_, index) => answer('/', { url: `https://h${index}.test/` }));
    const manifest = keep(many);
    expect([manifest.origins.length, manifest.leftOut.length]).toEqual([10_000, 2]);
    expect(MANIFEST_SCHEMA.safeParse(manifest).success).toBe(true);
  });
  test('what is left out', () => {
    const leftOut = Array.from({ length: 100_002 }, () => ({ what: 'x', why: 'y' }));
    const manifest = keep([answer('/')], { leftOut });
    expect(manifest.leftOut.at(-1)).toEqual({ what: '3 more', why: 'too many to be named' });
    expect(MANIFEST_SCHEMA.safeParse(manifest).success).toBe(true);
  });
  test.each([-62_135_596_800_000, Number.NaN, 1e18])('a clock that says %d', (atMs) => {
    expect(MANIFEST_SCHEMA.safeParse(keep([answer('/')], { atMs })).success).toBe(true);
  });
});
