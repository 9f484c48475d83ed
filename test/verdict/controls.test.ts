import { expect, test } from '@jest/globals';
import { type ControlKind, judgeControl } from '../../harness/verdict/controls.ts';
import { recordOf, type Times } from './blocks.ts';

const noisy = [950, 1050, 1000, 1100, 900];

test.each<[string, ControlKind, number, Times, boolean, string, boolean]>([
  ['a twin that is the same', 'aa', 30, 1000, true, 'tie', false],
  ['a twin that nothing is known of yet', 'aa', 5, 1000, true, 'undecided', true],
  ['a twin that cannot be told from its arm', 'aa', 30, noisy, true, 'undecided', false],
  ['a twin that is faster', 'aa', 30, 900, false, 'a', false],
  ['a twin that is slower', 'aa', 30, 1100, false, 'b', false],
  ['a delay that is found', 'planted', 30, 1100, true, 'b', false],
  ['a delay that is not found yet', 'planted', 8, 1100, false, 'undecided', true],
  ['a delay that is missed', 'planted', 30, noisy, false, 'undecided', false],
  ['a delay that makes it faster', 'planted', 30, 900, false, 'a', false],
])('%s', (_, kind, count, times, passed, verdict, open) => {
  const record = recordOf('c', count, { h2: 1000, control: times, h3: 500 });
  const found = judgeControl(
    { kind, condition: 'c', arm: 'h2', control: 'control', stopping: { kind: 'early', cap: 30 } },
    record,
  );
  expect(found).toMatchObject({ kind, passed, open, pair: { a: 'control', b: 'h2', verdict } });
});
