import { expect, test } from '@jest/globals';
import { withoutUnworthy } from '../../harness/run/lab-runner.ts';
import { planOf } from '../study/plans.ts';

const plan = planOf({ sites: ['a', 'b'], links: ['fibre', '4g', '3g'] });
const blocks = plan.conditions.map(({ id }) => ({ condition: id, index: 3, order: ['h1', 'h2', 'h3'] }));
const find = (site: string, link: string) => blocks.find(({ condition }) => condition.startsWith(`${site}|${link}|`))!;
const quick = find('a', 'fibre');

/** Whether the quick block over fibre is run, given what a second of each block is worth. */
function runs(
  own: number,
  others: Readonly<Record<string, number>>,
  leavesRoom = ({ condition = '' }) => !condition.includes('fibre'),
) {
  const worths = new Map([
    [quick.condition, own],
    ...Object.entries(others).map(([name, worth]): [string, number] => {
      const [site, link] = name.split(' ') as [string, string];
      return [find(site, link).condition, worth];
    }),
  ]);
  const kept = withoutUnworthy(plan, blocks, { worths: () => worths, leavesRoom });
  expect(kept.filter((block) => block !== quick)).toEqual(blocks.filter((block) => block !== quick));
  return kept.includes(quick);
}

test.each<[string, number, Readonly<Record<string, number>>, boolean]>([
  ['is worth more than what all other links do meanwhile', 0.5, { 'a 4g': 0.2, 'a 3g': 0.2 }, true],
  ['is worth less than that', 0.3, { 'a 4g': 0.2, 'a 3g': 0.2 }, false],
  ['is worth more than the best block of each', 0.31, { 'a 4g': 0.2, 'b 4g': 0.2, 'a 3g': 0.1 }, true],
  ['comes before all that goes by worth', Number.POSITIVE_INFINITY, { 'a 4g': 9 }, true],
  ['has one before it that does', 0.3, { 'a 4g': Number.POSITIVE_INFINITY }, false],
  ['has only its own link beside it', 0.1, { 'b fibre': 9 }, true],
])('a block that leaves no room for others, where it %s', (_, own, others, expected) => {
  expect(runs(own, others)).toBe(expected);
});

test('a block that leaves room is run whatever it is worth, and so is one beside others that leave none', () => {
  expect(runs(0.1, { 'a 4g': 9 }, () => true)).toBe(true);
  expect(runs(0.1, { 'a 4g': 9 }, () => false)).toBe(true);
});

test('where nothing goes by worth all blocks are run', () => {
  const leavesRoom = () => false;
  expect(withoutUnworthy(plan, blocks, { worths: () => new Map(), leavesRoom })).toEqual(blocks);
});
