import { describe, expect, test } from '@jest/globals';
import type { RecordedManifest, RecordedResponse } from '../../../harness/model/recording.ts';
import { type AskedRequest, findResponse, indexResponses } from '../../../harness/site/replay/find-response.ts';
import { watchProcessorTime } from '../../processor-time.ts';

const AT_MS = Date.parse('2026-11-21T12:00:00Z');
const A = 'https://a.test';

type Recorded = Pick<RecordedResponse, 'url'> & Partial<RecordedResponse>;

function indexOf(responses: readonly Recorded[]) {
  const whole = responses.map((each) => ({
    method: 'GET',
    requestHeaders: [],
    status: 200,
    headers: [],
    bytes: 0,
    kind: 'Other',
    wantedMs: 0,
    encoded: 'as-received' as const,
    ...each,
  }));
  return indexResponses({ recordedAtMs: AT_MS, responses: whole } as unknown as RecordedManifest);
}

function find(recorded: readonly Recorded[], asked: Partial<AskedRequest> & { readonly target: string }, earlier = 0) {
  const found = findResponse(indexOf(recorded), { method: 'GET', origin: A, ...asked }, earlier);
  return found && `${found.nearness} ${found.response.url.replace(A, '')}${found.response.kind.replace('Other', '')}`;
}

describe('a query that differs', () => {
  test.each([
    ['the same', '/a?x=1', '/a?x=1', true],
    ['a cache buster', '/a?_=1111', '/a?_=2222', true],
    ['a cache buster, among others', '/a?x=1&cb=77&y=2', '/a?x=1&cb=88&y=2', true],
    ['a cache buster that one of them has not', '/a?x=1', '/a?x=1&cb=88', true],
    ['a time in milliseconds', `/a?when=${AT_MS}`, `/a?when=${AT_MS + 61_234}`, true],
    ['a time in seconds', `/a?when=${AT_MS / 1000}`, `/a?when=${AT_MS / 1000 + 3}`, true],
    ['a time with a fraction', `/a?when=${AT_MS}.5`, `/a?when=${AT_MS + 7}.25`, true],
    ['a time as a date', '/a?d=2026-11-21T12%3A00%3A00.000Z', '/a?d=2026-11-21T12%3A00%3A09.123Z', true],
    ['a time to the base of 36', `/a?k=${AT_MS.toString(36)}`, `/a?k=${(AT_MS + 9).toString(36)}`, true],
    ['a time alone', `/a?${AT_MS}`, `/a?${AT_MS + 5}`, true],
    ['a fraction as Math.random draws it', '/a?q=0.8437561243', '/a?q=0.1123581321', true],
    ['a UUID', '/a?id=6f1c1f4e-8f4e-4f2a-9a47-6d2e6c1f1f4e', '/a?id=0b7d1f4e-1111-4f2a-9a47-6d2e6c1faaaa', true],
    ['long hexadecimals', '/a?h=9f86d081884c7d65', '/a?h=a1b2c3d4e5f60718', true],
    ['letters and digits without sense', '/a?s=k3j9x0q2', '/a?s=p7w1m4z8', true],
    ['the order of keys', '/a?x=1&y=2', '/a?y=2&x=1', true],
    ['another page', '/a?page=1', '/a?page=2', false],
    ['another word in a known key', '/a?t=shirts', '/a?t=shoes', false],
    ['another product', '/a?p=iphone15promax', '/a?p=galaxy24ultra', false],
    ['a number that is no time', '/a?size=1024', '/a?size=2048', false],
    ['a time of long ago', '/a?from=1262304000', '/a?from=1293840000', true],
    ['a key more that means something', '/a?x=1', '/a?x=1&lang=fr', false],
    ['a key twice', '/a?x=1&x=1', '/a?x=1', false],
    ['another path', '/a?cb=1', '/b?cb=1', false],
    ['the case of the path', '/A?cb=1', '/a?cb=1', false],
    ['what is no escape', '/a?q=%zz&cb=1', '/a?q=%zz&cb=2', true],
  ])('%s', (_, recorded, asked, matches) => {
    const found = find([{ url: A + recorded }], { target: asked });
    expect(found).toBe(matches ? `${recorded === asked ? 'exact' : 'near'} ${recorded}` : undefined);
  });

  test('the nearest one is taken, the first of those', () => {
    const recorded = ['/a?x=1&cb=1', '/a?x=2&cb=1', '/a?x=2&cb=2', '/a?x=2&cb=2&_=5'].map((path) => ({
      url: A + path,
    }));
    expect(find(recorded, { target: '/a?x=2&cb=9' })).toBe('near /a?x=2&cb=1');
    expect(find(recorded, { target: '/a?x=2&cb=9&_=5' })).toBe('near /a?x=2&cb=2&_=5');
    expect(find(recorded, { target: '/a?x=2&cb=2' })).toBe('exact /a?x=2&cb=2');
  });
});

describe('a request is answered', () => {
  const post = (requestBody: string, kind: string) => ({ url: `${A}/p`, method: 'POST', requestBody, kind });
  const range = (value: string) => ({
    url: `${A}/v`,
    status: 206,
    requestHeaders: [['range', value]] as const,
    kind: value,
  });

  test.each<[string, readonly Recorded[], Partial<AskedRequest> & { readonly target: string }, string | undefined]>([
    ['by its own origin only', [{ url: 'https://b.test/a' }], { target: '/a' }, undefined],
    ['by its own scheme only', [{ url: 'http://a.test/a' }], { target: '/a' }, undefined],
    ['by its own method only', [{ url: `${A}/a` }], { target: '/a', method: 'POST' }, undefined],
    ['as by GET, if by HEAD', [{ url: `${A}/a` }], { target: '/a', method: 'HEAD' }, 'exact /a'],
    [
      'by what it sends',
      [post('1', 'one'), post('2', 'two')],
      { target: '/p', method: 'POST', body: '2' },
      'exact /ptwo',
    ],
    ['whatever it sends', [post('1', 'one')], { target: '/p', method: 'POST', body: '3' }, 'body /pone'],
    ['by the range it wants', [range('a'), range('b')], { target: '/v', range: 'b' }, 'exact /vb'],
    [
      'with the whole, if the range is not there',
      [range('a'), { url: `${A}/v` }],
      { target: '/v', range: 'c' },
      'exact /v',
    ],
    ['not with a part, if it wants the whole', [range('a')], { target: '/v' }, undefined],
  ])('%s', (_, recorded, asked, expected) => {
    expect(find(recorded, asked)).toBe(expected);
  });

  test('in the order in which answers were recorded, the last for ever', () => {
    const recorded = ['one', 'two'].map((kind) => ({ url: `${A}/poll`, kind }));
    expect([0, 1, 2, 9].map((earlier) => find(recorded, { target: '/poll' }, earlier))).toEqual([
      ...['exact /pollone', 'exact /polltwo', 'exact /polltwo', 'exact /polltwo'],
    ]);
  });

  test('soon, among ten thousand', () => {
    const index = indexOf(
      Array.from({ length: 10_000 }, (_, i) => ({ url: `${A}/same?id=${i}&${'x'.repeat(300)}=1` })),
    );
    const usedMs = watchProcessorTime();
    for (let i = 0; i < 5; i += 1)
      findResponse(index, { method: 'GET', origin: A, target: `/same?id=${i}&cb=1&${'x'.repeat(300)}=1` });
    expect(usedMs()).toBeLessThan(4_000);
  });
});

describe('answers of one address that were asked for otherwise', () => {
  const preflight = (method: string, kind: string): Recorded => ({
    url: `${A}/api`,
    method: 'OPTIONS',
    kind,
    requestHeaders: [
      ['origin', 'https://a.test'],
      ['access-control-request-method', method],
    ],
  });
  const ask = (method: string) => ({
    target: '/api',
    method: 'OPTIONS',
    asks: { origin: 'https://a.test', 'access-control-request-method': method },
  });
  test('preflights, by what they ask leave for', () => {
    const recorded = [preflight('PUT', 'Put'), preflight('DELETE', 'Delete')];
    expect(find(recorded, ask('DELETE'))).toBe('exact /apiDelete');
    expect(find(recorded, ask('PUT'))).toBe('exact /apiPut');
    // What was not asked for when it was recorded has the first.
    expect(find(recorded, ask('PATCH'))).toBe('exact /apiPut');
  });
  const picture = (kind: string, origin?: string): Recorded => ({
    url: `${A}/picture`,
    kind,
    requestHeaders: origin === undefined ? [] : [['origin', origin]],
  });
  test('with and without an origin, or from others', () => {
    const recorded = [picture('Plain'), picture('First', A), picture('Second', 'https://b.test')];
    const from = (origin?: string) => find(recorded, { target: '/picture', asks: { origin } });
    expect([from(), from(A), from('https://b.test')]).toEqual([
      'exact /picturePlain',
      'exact /pictureFirst',
      'exact /pictureSecond',
    ]);
    // An origin that has another name in the lab is still one.
    expect(from('https://c.test')).toBe('exact /pictureFirst');
  });
  test('where nobody wrote down who asked, in their order', () => {
    const recorded = [picture('One'), picture('Two')];
    expect(find(recorded, { target: '/picture', asks: { origin: A } }, 1)).toBe('exact /pictureTwo');
  });
});
