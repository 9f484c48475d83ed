import { expect, test } from '@jest/globals';
import { featuresOf } from '../../harness/tree/features.ts';
import { linkOf } from '../links.ts';

const site = { objects: 2, bytes: 4000 };

test('the link downwards, what a load brings, and the visit', () => {
  const link = linkOf('down=2mbit,up=1mbit,rtt=218ms,down.loss=2%');
  expect(featuresOf({ link, visit: 'cold' }, site)).toEqual({
    rateKbps: 2000,
    rttMs: 218,
    lossPercent: 2,
    objects: 2,
    bytesPerObject: 2000,
    totalBytes: 4000,
    queuePackets: 36,
    visit: 'cold',
  });
});

test('a rate without a limit is above any other', () => {
  const link = linkOf('rtt=10ms');
  expect(featuresOf({ link, visit: 'repeat' }, site).rateKbps).toBe(Number.POSITIVE_INFINITY);
});
