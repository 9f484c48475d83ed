import { expect, test } from '@jest/globals';
import { weigh } from '../../harness/model/traffic.ts';

test('a profile’s share is spread over its conditions, evenly unless they say their parts of it', () => {
  const weightsOf = (conditions: readonly { readonly profile: string; readonly part?: number }[]) =>
    weigh(conditions, { '4g': 0.8, cable: 0.2 }).map(({ weight }) => Math.round(1000 * weight));
  const even = [{ profile: '4g' }, { profile: '4g' }, { profile: 'cable' }];
  expect(weightsOf(even)).toEqual([400, 400, 200]);
  const parts = [{ profile: '4g', part: 0.3 }, { profile: '4g', part: 0.1 }, { profile: 'cable' }];
  expect(weightsOf(parts)).toEqual([600, 200, 200]);
  expect(weightsOf([{ profile: '4g', part: 0 }, { profile: 'cable' }])).toEqual([0, 200]);
});
