import { expect, test } from '@jest/globals';
import { parseCores } from '../../harness/system/host-load.ts';

test('ticks of each core: free for others, and all, guests counted once', () => {
  const text = 'cpu  30 0 10 200 4 0 2 1 5 0\ncpu0 10 1 5 100 2 0 1 0 5 0\ncpu1 20 0 5 100 2 0 1 1 0 0\nintr 1\n';
  expect(parseCores(text)).toEqual([
    { idle: 103, stolen: 0, all: 119 },
    { idle: 102, stolen: 1, all: 129 },
  ]);
});
