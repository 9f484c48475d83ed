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

test('the first page has the machine to itself, then all others at once, up to a dozen loads', async () => {
  const sites = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const plan = planOf({ sites, links: ['4g', 'fibre'], stopping: { kind: 'exactly', blocks: 3 } });
  const references = openReferences(plan, EMPTY, () => {}, NEVER);
  const { batches, alone } = machine();
  const conditionOf = (site: string) => plan.conditions.find((each) => each.site === site)!;
  await Promise.all(['a', 'a'].map((site) => references.make(conditionOf(site), alone)));
  await Promise.all(['d', 'b', 'c'].map((site) => references.make(conditionOf(site), alone)));
  await references.make(conditionOf('g'), alone);
  expect(batches.map((batch) => [...new Set(batch.map((load) => load.split(' ')[0]))])).toEqual([
    ['a'],
    ['d', 'b', 'c', 'e'],
    ['g', 'f'],
  ]);
  expect(batches.flat()).toHaveLength(sites.length * plan.arms.length);
});

test('those of a batch that were made before its lab died are kept', async () => {
  const { references, b, c, batches, alone } = await afterFirstOfThree({ diesAt: 'c h2' });
  await expect(references.make(b, alone)).rejects.toThrow('the browser ended');
  await references.make(b, alone);
  await references.make(c, alone);
  expect(batches).toEqual([
    ['a h1', 'a h2', 'a h3'],
    ['b h1', 'b h2', 'b h3', 'c h1', 'c h2'],
    ['c h2', 'c h3'],
  ]);
});

test('a lab that dies takes nothing from those that wait for what it was to make', async () => {
  const { references, b, c, batches, alone } = await afterFirstOfThree({ diesAt: 'c h1' });
  const [first, second] = await Promise.allSettled([references.make(b, alone), references.make(c, alone)]);
  expect([first!.status, second!.status]).toEqual(['rejected', 'fulfilled']);
  expect(batches.slice(1)).toEqual([
    ['b h1', 'b h2', 'b h3', 'c h1'],
    ['c h1', 'c h2', 'c h3'],
  ]);
  expect(references.find(b, 'h3')).toBeDefined();
});

test('once the study is to stop, only those are made that a block waits for', async () => {
  const stop = new AbortController();
  const { references, b, batches, alone } = await afterFirstOfThree({}, stop.signal);
  stop.abort();
  await references.make(b, alone);
  expect(batches[1]).toEqual(['b h1', 'b h2', 'b h3']);
});

/** A study of three pages whose first one has its references. */
async function afterFirstOfThree(death: Parameters<typeof machine>[0], stop = NEVER) {
  const plan = planOf({ sites: ['a', 'b', 'c'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });
  const references = openReferences(plan, EMPTY, () => {}, stop);
  const [a, b, c] = plan.conditions;
  const { batches, alone } = machine(death);
  await references.make(a!, alone);
  return { references, b: b!, c: c!, batches, alone };
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
