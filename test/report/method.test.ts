import { expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import { describeMethod } from '../../harness/report/view-model-method.ts';
import { smallSource } from './pages.ts';

test('how long the lab’s certificates are is told where it was kept', () => {
  const { found } = smallSource();
  const certificate = (certificateBytes?: number) => {
    const links = found.links.map((link) => ({
      ...link,
      lab: certificateBytes === undefined ? link.lab : { ...link.lab, certificateBytes },
    }));
    const { facts } = describeMethod({ ...found, links }, summarizeStudy(found).provenance, {
      again: { command: '' },
      netLogs: 0,
    });
    return facts.find(({ name }) => name === 'Certificate')?.value;
  };
  expect(certificate()).toBeUndefined();
  expect(certificate(2_803)).toMatch(/a leaf and an intermediate, both by ECDSA, 2803 bytes together/);
});

test('what a link lost is not told where it duplicates, in that direction alone', () => {
  const { found } = smallSource();
  const conditions = found.plan.conditions.map((each) => {
    const down = { ...each.link.down, duplicatePercent: each.link.name === 'fibre' ? 1 : 0 };
    return { ...each, link: { ...each.link, down } };
  });
  const { calibrations } = describeMethod(
    { ...found, plan: { ...found.plan, conditions } },
    summarizeStudy(found).provenance,
    { again: { command: '' }, netLogs: 0 },
  );
  const { carried } = calibrations.find(({ link }) => link === 'fibre')!;
  expect(carried).toEqual({ down: { sent: 1_200, lost: undefined }, up: { sent: 960, lost: 0 } });
  expect(calibrations.find(({ link }) => link === '4g')!.carried!.down.lost).toBeGreaterThan(0);
});
