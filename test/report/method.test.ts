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
