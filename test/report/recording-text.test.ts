import { expect, test } from '@jest/globals';
import type { RecordedManifest } from '../../harness/model/recording.ts';
import { renderRecording } from '../../harness/report/recording-text.ts';

const response = (path: string, more: object = {}) => ({
  method: 'GET',
  url: `https://a.test${path}`,
  requestHeaders: [],
  status: 200,
  headers: [],
  bytes: 10,
  encoded: 'as-received',
  kind: 'Other',
  wantedMs: 0,
  ...more,
});

function render(more: object, secretKeys: readonly string[] = []): string {
  const manifest = {
    schema: 1,
    site: 'a',
    url: 'https://a.test/',
    recordedAtMs: 0,
    seed: 1,
    device: 'desktop',
    by: 'Chrome/1',
    secrets: 'removed',
    responses: [response('/')],
    leftOut: [],
    notes: [],
    origins: [
      { origin: 'https://a.test', protocol: 'h2', offersH3: true, address: '1.1.1.1', certificateNames: [], rttMs: 9 },
    ],
    ...more,
  };
  return renderRecording(manifest as unknown as RecordedManifest, { root: '/sites/a', secretKeys });
}

test('a recording in short', () => {
  const text = render({ live: { pltMs: 812.4 } });
  expect(text).toMatch(/^https:\/\/a.test {2}h2, offers h3 {2}1.1.1.1 +9.0 +1 +10$/m);
  expect(text).toContain('1 requests to 1 origins, 10 bytes');
  expect(text).toContain('the page took 812 ms to load');
  expect(text).not.toContain('Not kept');
  expect(text.endsWith('/sites/a')).toBe(true);
});

test.each<[string, object, readonly string[], RegExp]>([
  [
    'that its page was refused',
    { responses: [response('/', { status: 403 })] },
    [],
    /the page itself was answered with 403/,
  ],
  [
    'what was encoded again',
    { responses: [response('/', { encoded: 'again' })] },
    [],
    /1 bodies were known only decoded/,
  ],
  ['what has bodies', { responses: [response('/', { requestBody: 'x' })] }, [], /1 requests with bodies: answered by/],
  ['that secrets are kept', { secrets: 'kept' }, [], /in it as they were \(--keep-secrets\)/],
  ['which addresses give something out', {}, ['token'], /addresses are in it as they were, with values of token/],
  ['what is known besides', { notes: ['it had no end'] }, [], /^ {2}it had no end$/m],
])('it says %s', (_, more, secretKeys, says) => {
  expect(render({})).not.toMatch(says);
  expect(render(more, secretKeys)).toMatch(says);
});

test('what was left out stands below why, ten lines of each', () => {
  const leftOut = [...Array(14).keys()].map((i) => ({ what: `GET /${i}`, why: 'cut short' }));
  const text = render({ leftOut: [...leftOut, { what: 'GET /x', why: 'else' }] });
  expect(text).toContain('Not kept (15):\n  cut short:\n    GET /0\n');
  expect(text).toContain('    GET /9\n    and 4 more, which manifest.json names\n  else:\n    GET /x');
  expect(text).not.toContain('GET /10');
});
