import { expect, test } from '@jest/globals';
import { parseRedisAddress, withoutPassword } from '../../harness/workers/address.ts';
import { connect } from '../../harness/workers/redis.ts';

test.each(['redis://lab.example', 'redis://user:secret@lab.example:6380/2', 'rediss://:secret@lab.example'])(
  'an address of Redis: %s',
  (address) => {
    expect(parseRedisAddress(address, '--workers')).toBe(address);
    expect(parseRedisAddress('$', '--workers', { PHOTOFINISH_REDIS_URL: address })).toBe(address);
    expect(withoutPassword(address)).not.toMatch(/secret|user/);
  },
);

test.each(['', 'lab.example', 'http://u:secret@lab.example', 'redis://'])('no address of Redis: %s', (address) => {
  const read = () => parseRedisAddress(address, '--workers');
  expect(read).toThrow(/--workers: this is no address of Redis\. Expected: redis:/);
  expect(read).not.toThrow(/secret/);
});

test('no message names the password of a Redis that cannot be reached', async () => {
  const failed = connect('redis://user:secret@127.0.0.1:1/', 300);
  await expect(failed).rejects.toThrow(/redis:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
  await expect(failed).rejects.not.toThrow(/secret/);
});
