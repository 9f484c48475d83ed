import { expect, test } from '@jest/globals';
import { LabError } from '../../harness/model/errors.ts';
import { openReferences, type ReferenceShelf } from '../../harness/run/reference.ts';
import { readCapture } from '../fixtures/captures.ts';
import { planOf } from '../study/plans.ts';

const EMPTY: ReferenceShelf = { has: () => false, find: () => undefined, add: () => {} };

test('reference loads that failed with their lab are made again by the next block', async () => {
  const plan = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'exactly', blocks: 3 } });
  const [condition] = plan.conditions;
  const references = openReferences(plan, EMPTY, () => {});
  const dies = () => Promise.reject(new LabError('the browser ended'));
  await expect(references.make(condition!, dies)).rejects.toThrow('the browser ended');
  const loaded: string[] = [];
  await references.make(condition!, async ({ protocol }) => {
    loaded.push(protocol);
    return [readCapture(`${protocol}-cold` as 'h1-cold'), readCapture(`${protocol}-bare` as 'h1-bare')];
  });
  expect(loaded).toEqual(plan.arms.map(({ protocol }) => protocol));
});
