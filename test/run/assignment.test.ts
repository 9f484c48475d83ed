import { expect, test } from '@jest/globals';
import { assign, type LabsAtWork } from '../../harness/run/assignment.ts';

type Known = Readonly<Record<number, readonly string[]>>;

const homes = new Map([
  ['a', 0],
  ['b', 1],
  ['c', 2],
  ['d', 0],
]);

/** Blocks `link condition` in their order, and which lab each goes to. */
function assigned(wanted: readonly string[], known: Known, more: Partial<LabsAtWork> = {}): string[] {
  const blocks = wanted.map((condition) => ({ condition, index: 0, order: [] }));
  const links = new Map(Object.entries(known).map(([number, own]) => [Number(number), new Set(own)]));
  const at = {
    most: 3,
    busy: new Set<number>(),
    conditions: new Set<string>(),
    links,
    homes,
    leavesRoom: () => true,
    staysHome: () => false,
    mayHelp: true,
    ...more,
  };
  return assign(blocks, ({ condition }) => condition.split(' ')[0]!, at).map(
    ({ block, lab }) => `${block.condition}: ${lab}`,
  );
}

test.each<[string, readonly string[], Known, Partial<LabsAtWork>, string[]]>([
  ['links go to their homes', ['a 1', 'b 1', 'c 1', 'd 1'], {}, {}, ['a 1: 0', 'b 1: 1', 'c 1: 2']],
  ['one link is measured in one lab at first', ['a 1', 'a 2', 'b 1'], {}, {}, ['a 1: 0', 'b 1: 1']],
  ['the most urgent block comes first', ['d 2', 'a 1'], {}, {}, ['d 2: 0']],
  ['no condition is measured twice at once', ['a 1'], { 0: ['a'] }, { conditions: new Set(['a 1']) }, []],
  [
    'a lab without work of its own takes over, although the link must be measured there again',
    ['a 1', 'a 2'],
    { 0: ['a'], 1: ['b'] },
    { most: 2 },
    ['a 1: 0', 'a 2: 1'],
  ],
  [
    'shortly before the end, or while labs wait for the processor, no lab measures a link that another one has measured',
    ['a 1', 'a 2', 'c 1'],
    { 0: ['a'], 1: ['b'] },
    { mayHelp: false },
    ['a 1: 0', 'c 1: 2'],
  ],
  [
    'first the one that has measured that link before',
    ['a 1', 'a 2'],
    { 0: ['a'], 1: ['b'], 2: ['a', 'c'] },
    {},
    ['a 1: 0', 'a 2: 2'],
  ],
  [
    'a second lab takes over only what leaves the processor room for others',
    ['a 1', 'a 2', 'a 3'],
    { 0: ['a'], 1: ['b'] },
    { leavesRoom: ({ condition }) => condition === 'a 3' },
    ['a 1: 0', 'a 3: 1'],
  ],
  [
    'what has browsers of its own waits for its home, and takes no lab from others',
    ['a 1', 'a 2', 'b 1'],
    { 0: ['a'], 1: ['a', 'b'], 2: ['c'] },
    { busy: new Set([0]), staysHome: ({ condition }) => condition === 'a 1' },
    ['a 2: 1', 'b 1: 2'],
  ],
  ['a lab at work gets nothing', ['a 1'], { 0: ['a'] }, { most: 1, busy: new Set([0]) }, []],
])('%s', (_, wanted, known, more, expected) => {
  expect(assigned(wanted, known, more)).toEqual(expected);
});
