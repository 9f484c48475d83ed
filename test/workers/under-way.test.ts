import { expect, test } from '@jest/globals';
import { openUnderWay } from '../../harness/workers/under-way.ts';

test('what is under way is not begun again, and both who asked get what comes of it; later it is done anew', async () => {
  const once = openUnderWay<number>();
  let begun = 0;
  const ends = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const work = () => ends[begun++]!.promise;
  const both = [once('block 1', work), once('block 1', work)];
  expect(begun).toBe(1);
  ends[0]!.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  const later = once('block 1', work);
  expect(begun).toBe(2);
  ends[1]!.resolve(8);
  expect(await later).toBe(8);
});

test('what fails fails for both, and may be tried again; something else is done meanwhile', async () => {
  const once = openUnderWay<string>();
  const end = Promise.withResolvers<string>();
  const both = [once('block 1', () => end.promise), once('block 1', async () => 'begun again')];
  expect(await once('block 2', async () => 'done')).toBe('done');
  end.reject(new Error('no link'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await once('block 1', async () => 'tried again')).toBe('tried again');
});
