import { expect, test } from '@jest/globals';
import { followRedirects, openedUrl } from '../../../harness/site/record/redirects.ts';

const get = (url: string, to?: string) => ({
  method: 'GET',
  url,
  status: to === undefined ? 200 : 302,
  headers: to === undefined ? [] : ([['Location', to]] as const),
});

test('an address that redirects come back to has its next answer', () => {
  const answers = [
    get('http://shop.test/', 'https://shop.test/'),
    get('https://shop.test/', 'https://id.test/set'),
    get('https://id.test/set', 'https://shop.test/#top'),
    get('https://shop.test/'),
  ];
  const { url, answer } = followRedirects('http://shop.test/', answers);
  expect([url, answer?.status]).toEqual(['https://shop.test/', 200]);
});

test('a circle without an end ends', () => {
  const answers = [get('https://a.test/', '/b'), get('https://a.test/b', '/')];
  expect(followRedirects('https://a.test/', answers).answer?.status).toBe(302);
});

test('what leads to where nothing answered is where it ends', () => {
  expect(followRedirects('https://a.test/', [get('https://a.test/', 'https://gone.test/')]).url).toBe(
    'https://a.test/',
  );
  expect(followRedirects('https://a.test/', [])).toEqual({ url: 'https://a.test/' });
});

test('what was asked for in the clear may have been opened over TLS', () => {
  expect(openedUrl('http://a.test', [get('https://a.test/')])).toBe('https://a.test/');
  expect(openedUrl('http://a.test', [get('http://a.test/'), get('https://a.test/')])).toBe('http://a.test/');
  expect(openedUrl('https://a.test', [get('https://b.test/')])).toBe('https://a.test/');
});
