import { describe, expect, test } from '@jest/globals';
import type { Header } from '../../../harness/model/recording.ts';
import { cutRange, isNotModified, replayHeaders, TIMING_FOR_ALL } from '../../../harness/site/replay/replay-headers.ts';

const THEN = 'Sat, 21 Nov 2026 12:00:00 GMT';
const NOW_MS = Date.parse('Mon, 23 Nov 2026 18:00:00 GMT');

describe('a recorded header', () => {
  test.each<[string, Header, Header | undefined]>([
    ['is sent as it was', ['X-Any', 'a; "b" $c }'], ['X-Any', 'a; "b" $c }']],
    ['of preloads is sent', ['Link', '</a>; rel=preload'], ['Link', '</a>; rel=preload']],
    ['of the coding is sent', ['Content-Encoding', 'br'], ['Content-Encoding', 'br']],
    [
      'of transport security is sent',
      ['Strict-Transport-Security', 'max-age=9'],
      ['Strict-Transport-Security', 'max-age=9'],
    ],
    ['of cookies is sent', ['Set-Cookie', 'a=xx'], ['Set-Cookie', 'a=xx']],
    ['of the last change is sent', ['Last-Modified', THEN], ['Last-Modified', THEN]],
    ['of the date is the server’s', ['DATE', THEN], undefined],
    ['of the length is the server’s', ['Content-Length', '1'], undefined],
    ['of chunks is the server’s', ['Transfer-Encoding', 'chunked'], undefined],
    ['of the connection is the server’s', ['Connection', 'close'], undefined],
    ['of H3 is the arm’s', ['Alt-Svc', 'h3=":443"'], undefined],
    ['that orders nginx about is not sent', ['X-Accel-Redirect', '/etc/passwd'], undefined],
    ['that has reports sent means nothing, at the same length', ['NEL', '{}'], ['nol', '{}']],
    ['of where reports go means nothing, at the same length', ['Report-To', '{}'], ['no-report', '{}']],
    [
      'of when it expires moves along',
      ['Expires', 'Sat, 21 Nov 2026 13:00:00 GMT'],
      ['Expires', 'Mon, 23 Nov 2026 19:00:00 GMT'],
    ],
    ['of when it expired stays', ['Expires', '0'], ['Expires', '0']],
  ])('%s', (_, header, expected) => {
    const sent = replayHeaders([header, ['Date', THEN]], NOW_MS);
    expect(sent).toEqual([...(expected ? [expected] : []), TIMING_FOR_ALL]);
    if (expected) expect(expected[0]).toHaveLength(header[0].length);
  });

  test('that came several times comes as often, in order', () => {
    const headers: Header[] = [
      ['Link', 'a'],
      ['X', '1'],
      ['Link', 'b'],
    ];
    expect(replayHeaders(headers, NOW_MS)).toEqual([...headers, TIMING_FOR_ALL]);
  });

  test('of who may read times is everybody’s, once, whatever it was', () => {
    for (const headers of [[], [['Timing-Allow-Origin', 'https://a.test']]] satisfies Header[][])
      expect(replayHeaders(headers, NOW_MS)).toEqual([['timing-allow-origin', '*']]);
  });
});

test.each([
  [{ ifNoneMatch: '"a"' }, true],
  [{ ifNoneMatch: 'W/"b", W/"a"' }, true],
  [{ ifNoneMatch: '*' }, true],
  [{ ifNoneMatch: '"b"' }, false],
  [{ ifNoneMatch: '"b"', ifModifiedSince: THEN }, false],
  [{ ifModifiedSince: THEN }, true],
  [{ ifModifiedSince: 'Sun, 22 Nov 2026 12:00:00 GMT' }, false],
  [{}, false],
])('whoever asks with %j has it: %s', (asked, has) => {
  expect(
    isNotModified(
      [
        ['ETag', '"a"'],
        ['Last-Modified', THEN],
      ],
      asked,
    ),
  ).toBe(has);
  expect(isNotModified([], asked)).toBe(false);
});

test.each([
  [undefined, undefined],
  ['bytes=0-', { first: 0, last: 9 }],
  ['bytes=2-3', { first: 2, last: 3 }],
  ['bytes=2-99', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=1-2', undefined],
])('of ten bytes %j are %j', (range, expected) => {
  expect(cutRange(range, 10)).toEqual(expected);
});
