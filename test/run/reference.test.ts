import { expect, test } from '@jest/globals';
import { LabError } from '../../harness/model/errors.ts';
import { openReferences, type ReferenceShelf } from '../../harness/run/reference.ts';
import { readCapture } from '../fixtures/captures.ts';
import { planOf } from '../study/plans.ts';

const NEVER = new AbortController().signal;
const EMPTY: ReferenceShelf = { has: () => false, find: () => undefined, add: () => {} };

test('reference loads that failed with their lab are made again by the next block', async () => {
  const plan = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });
  const [condition] = plan.conditions;
  const references = openReferences(plan, EMPTY, () => {}, NEVER);
  const dies = () => Promise.reject(new LabError('the browser ended'));
  await expect(references.make(condition!, (_, work) => work(dies))).rejects.toThrow('the browser ended');
  const { batches, alone } = machine();
  await references.make(condition!, alone);
  expect(batches).toEqual([plan.arms.map(({ protocol }) => `a ${protocol}`)]);
});

test.each([
  ['whole, watched and not', [true, false], 0],
  ['whole but for the watched one, which alone shows a flaw', [false], 1],
  ['whole but for the unwatched one, which tells the floor', [true], 1],
])('loads of an earlier session that were %s: %j; they are made %d times', async (_, whole, times) => {
  const plan = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });
  const capture = readCapture('h2-cold');
  const shelf: ReferenceShelf = {
    has: (_page, _arm, watched) => whole.includes(watched),
    find: (_page, _arm, watched) => (whole.includes(watched) ? capture : undefined),
    add: () => {},
  };
  const { batches, alone } = machine();
  await openReferences(plan, shelf, () => {}, NEVER).make(plan.conditions[0]!, alone);
  expect(batches).toHaveLength(times);
});

test('those of all pages are made at once, up to a dozen loads', async () => {
  const sites = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const plan = planOf({ sites, links: ['4g', 'fibre'], stopping: { kind: 'exactly', blocks: 3 } });
  const references = openReferences(plan, EMPTY, () => {}, NEVER);
  const { batches, alone } = machine();
  const conditionOf = (site: string) => plan.conditions.find((each) => each.site === site)!;
  await Promise.all(['d', 'd', 'a', 'f'].map((site) => references.make(conditionOf(site), alone)));
  await references.make(conditionOf('g'), alone);
  expect(batches.map((batch) => [...new Set(batch.map((load) => load.split(' ')[0]))])).toEqual([
    ['d', 'a', 'b', 'c'],
    ['f', 'e', 'g'],
  ]);
  expect(batches.flat()).toHaveLength(sites.length * plan.arms.length);
});

test('those of a batch that were made before its lab died are kept', async () => {
  const { references, a, b, batches, alone } = ofTwoPages({ diesAt: 'b h2' });
  await expect(references.make(a, alone)).rejects.toThrow('the browser ended');
  await references.make(a, alone);
  await references.make(b, alone);
  expect(batches).toEqual([
    ['a h1', 'a h2', 'a h3', 'b h1', 'b h2'],
    ['b h2', 'b h3'],
  ]);
});

test('a lab that dies takes nothing from those that wait for what it was to make', async () => {
  const { references, a, b, batches, alone } = ofTwoPages({ diesAt: 'b h1' });
  const [first, second] = await Promise.allSettled([references.make(a, alone), references.make(b, alone)]);
  expect([first!.status, second!.status]).toEqual(['rejected', 'fulfilled']);
  expect(batches).toEqual([
    ['a h1', 'a h2', 'a h3', 'b h1'],
    ['b h1', 'b h2', 'b h3'],
  ]);
  expect(references.find(a, 'h3')).toBeDefined();
});

test('once the study is to stop, only those are made that a block waits for', async () => {
  const stop = new AbortController();
  const { references, a, batches, alone } = ofTwoPages({}, stop.signal);
  stop.abort();
  await references.make(a, alone);
  expect(batches).toEqual([['a h1', 'a h2', 'a h3']]);
});

/** The references of a study of two pages, none of which is there yet. */
function ofTwoPages(death: Parameters<typeof machine>[0], stop = NEVER) {
  const plan = planOf({ sites: ['a', 'b'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });
  const [a, b] = plan.conditions;
  return { references: openReferences(plan, EMPTY, () => {}, stop), a: a!, b: b!, ...machine(death) };
}

/** A machine that has nothing else to do: the loads that were made there, batch by batch. It dies once, at a load. */
function machine({ diesAt }: { readonly diesAt?: string } = {}) {
  const batches: string[][] = [];
  let dies = diesAt;
  const alone: Parameters<ReturnType<typeof openReferences>['make']>[1] = async (_, work) => {
    const batch: string[] = [];
    batches.push(batch);
    await work(async ({ site, protocol }) => {
      const name = `${site} ${protocol}`;
      batch.push(name);
      if (name === dies) {
        dies = undefined;
        throw new LabError('the browser ended');
      }
      return [readCapture(`${protocol}-cold` as 'h1-cold'), readCapture(`${protocol}-bare` as 'h1-bare')];
    });
  };
  return { batches, alone };
}
