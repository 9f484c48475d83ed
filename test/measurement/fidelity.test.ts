import { expect, test } from '@jest/globals';
import { compareRequests } from '../../harness/measurement/fidelity.ts';
import type { RecordedManifest, ReplayNote } from '../../harness/model/recording.ts';
import { isFaithful, renderVerified } from '../../harness/report/fidelity-text.ts';

const get = (path: string, method = 'GET') => ({ method, url: `https://a.test${path}` });
const recording = (paths: readonly string[], leftOut: readonly string[] = []) =>
  ({
    responses: paths.map((path) => get(path)),
    leftOut: leftOut.map((what) => ({ what, why: 'it is a stream' })),
  }) as unknown as RecordedManifest;
const near = (asked: string, recorded: string): ReplayNote => ({
  ...get(asked),
  answer: 'near',
  recorded: `https://a.test${recorded}`,
});

const CASES: readonly (readonly [string, ReturnType<typeof compareRequests>, object])[] = [
  [
    'the same, in another order',
    compareRequests(
      recording(['/', '/a', '/a']),
      ['/a', '/', '/a'].map((path) => get(path)),
      [],
    ),
    { recorded: 3, again: 3, nearly: 0, missing: [], further: [] },
  ],
  [
    'what is made anew for each load is what it was answered with',
    compareRequests(
      recording(['/', '/a?t=1']),
      ['/', '/a?t=2'].map((path) => get(path)),
      [near('/a?t=2', '/a?t=1')],
    ),
    { again: 2, nearly: 1, missing: [], further: [] },
  ],
  [
    'less often, and something else',
    compareRequests(
      recording(['/', '/a', '/a']),
      [get('/'), get('/a'), get('/a', 'POST'), get('/b')],
      [{ ...get('/b'), answer: 'none' }],
    ),
    {
      again: 2,
      nearly: 0,
      missing: ['GET https://a.test/a'],
      further: ['POST https://a.test/a', 'GET https://a.test/b'],
    },
  ],
  [
    'a stream that was not kept is refused, which is no difference',
    compareRequests(
      recording(['/', '/events'], ['WebSocket wss://a.test/socket', 'GET https://a.test/events']),
      ['/', '/events', '/socket'].map((path) => get(path)),
      [],
    ),
    { again: 2, missing: [], further: [] },
  ],
];

test.each(CASES)('%s', (_, fidelity, expected) => {
  expect(fidelity).toMatchObject(expected);
});

test('what is said of it, for people', () => {
  const verified = {
    fidelity: { recorded: 9, again: 8, nearly: 2, missing: ['GET https://a.test/x'], further: [], lost: [] },
    link: 'rate=8mbit,rtt=20ms',
    linkIs: 'estimated' as const,
    liveMs: 1_000,
    liveLoads: 7,
    replayMs: 1_100,
    replayLoads: 6,
    mishaps: ['failed: /a is missing'],
  };
  expect(renderVerified(verified)).toBe(`Replayed:
  8 of 9 recorded requests were made again, 2 of them with values that each load makes itself (times, random numbers)
  recorded, and not asked for (1):
    GET https://a.test/x
  over rate=8mbit,rtt=20ms (estimated): 1100 ms (median of 6); live 1000 ms (median of 7): 10.0 % apart, within 15 % or 50 ms
  loads that do not count (1):
    failed: /a is missing
  The replay is not as good as the page: read its figures with that in mind.`);
  expect(isFaithful(verified)).toBe(false);
  const whole = { ...verified, fidelity: { ...verified.fidelity, missing: [], again: 9 } };
  expect(isFaithful(whole)).toBe(true);
  expect(isFaithful({ ...whole, replayMs: 1_160 })).toBe(false);
  expect(isFaithful({ ...whole, replayMs: 840 })).toBe(false);
  expect(isFaithful({ ...whole, liveMs: 100, replayMs: 149 })).toBe(true);
  expect(isFaithful({ ...whole, liveMs: 100, replayMs: 151 })).toBe(false);
});
