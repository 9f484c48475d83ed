import { expect, test } from '@jest/globals';
import { linksBeyond } from '../../harness/run/capacity.ts';
import { linkOf } from '../links.ts';

const CAPACITIES = [
  { rttMs: 20, kbps: 400_000 },
  { rttMs: 200, kbps: 148_000 },
];

test.each([
  ['rate=200mbit,rtt=200ms', 148_000],
  ['rate=200mbit,rtt=300ms', 148_000],
  ['down=10mbit,up=200mbit,rtt=200ms', 148_000],
  ['rate=500mbit,rtt=10ms', 400_000],
])('%s is beyond what was carried over as long a way', (spec, carriedKbps) => {
  expect(linksBeyond([linkOf(spec)], CAPACITIES)).toMatchObject([{ link: { name: linkOf(spec).name }, carriedKbps }]);
});

test.each(['rate=200mbit,rtt=100ms', 'rate=150mbit,rtt=200ms', 'rate=unlimited,rtt=200ms', 'fibre', '4g'])(
  '%s is not',
  (spec) => expect(linksBeyond([linkOf(spec)], CAPACITIES)).toEqual([]),
);
