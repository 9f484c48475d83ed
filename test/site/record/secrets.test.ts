import { expect, test } from '@jest/globals';
import type { RecordedManifest } from '../../../harness/model/recording.ts';
import { secretLikeKeys } from '../../../harness/site/record/secrets.ts';

const named = (keys: readonly string[]) =>
  secretLikeKeys({
    responses: keys.map((key) => ({ url: `https://a.test/?x=1&${key}=v`, headers: [] })),
    leftOut: [],
  } as unknown as RecordedManifest);

test('keys whose last word is a secret’s are named', () => {
  const secret = [
    'token',
    'accessToken',
    'id_token',
    'clientSecret',
    'csrftoken',
    'PHPSESSID',
    'JSESSIONID',
    'api-key',
    'apiKey',
  ];
  const others = ['sig', 'X-Amz-Signature', 'X-Amz-Credential', 'auth', 'sid', 'pwd', 'password', 'jwt'];
  expect(named([...secret, ...others])).toEqual([...secret, ...others].toSorted());
});

test('words that only end like one are not', () => {
  expect(named(['monkey', 'keyword', 'author', 'design', 'sidebar', 'tokens_used', 'q', 'v'])).toEqual([]);
});

test('wherever an address is', () => {
  const found = secretLikeKeys({
    responses: [{ url: 'https://a.test/', headers: [['Location', '/x?code=1&id_token=2']] }],
    leftOut: [{ what: 'WebSocket wss://a.test/live?token=abc', why: 'refused' }],
  } as unknown as RecordedManifest);
  expect(found).toEqual(['id_token', 'token']);
});
