import { mkdtempSync, rmSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { Plan } from '../../../harness/model/study.ts';
import { measurementsOf, runBlock } from '../../../harness/run/block.ts';
import { openLab } from '../../../harness/run/lab.ts';
import { factsOf, findSite } from '../../../harness/run/sites.ts';
import { planStudy } from '../../../harness/study/plan.ts';
import { inPeace } from '../../in-peace.ts';
import { studyOf } from '../../study/plans.ts';
import { measuredAgain } from '../figures.ts';
import { labTest } from '../lab.ts';

const SITES = ['few-small', 'few-large'].map((name) => findSite(name));

function planWith(site: string, link: string, arms: Plan['arms']): Plan {
  const own = SITES.find(({ manifest }) => manifest.site === site)!;
  return planStudy(studyOf({ sites: [site], links: [link], arms }), () => factsOf(own));
}

labTest(
  'an arm may be any one difference: a congestion control, a browser’s argument, a kind of visit',
  async () => {
    const folder = mkdtempSync('/var/tmp/photofinish-arms-');
    await using undo = new AsyncDisposableStack();
    undo.defer(() => rmSync(folder, { recursive: true }));
    await using lab = await openLab({ sites: SITES });
    const measure = async (plan: Plan) => {
      const { id, link } = plan.conditions[0]!;
      await lab.setLink(link);
      const block = { condition: id, index: 0, order: plan.arms.map(({ name }) => name) };
      return measuredAgain(async () => measurementsOf(await runBlock(plan, lab, { block, serial: 1, folder })));
    };

    // Loss holds CUBIC back; BBR takes no notice of it.
    await inPeace(async () => {
      const [cubic, bbr] = await measure(
        planWith('few-large', 'rate=50mbit,rtt=80ms,loss=5%', [
          { name: 'h2', protocol: 'h2' },
          { name: 'h2-bbr', protocol: 'h2', congestion: 'bbr' },
        ]),
      );
      expect([cubic, bbr]).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
      expect(2 * (bbr as { pltMs: number }).pltMs).toBeLessThan((cubic as { pltMs: number }).pltMs);
    });

    const near = 'rate=20mbit,rtt=20ms';
    const plain = { name: 'h3', protocol: 'h3' } as const;
    const blind = { ...plain, name: 'h3-blind', browserFlags: ['--blink-settings=imagesEnabled=false'] };
    expect(await measure(planWith('few-small', near, [plain, blind, { ...plain, name: 'h3-again' }]))).toMatchObject([
      { arm: 'h3', status: 'ok' },
      { arm: 'h3-blind', status: 'failed', reason: 'object' },
      { arm: 'h3-again', status: 'ok' },
    ]);

    const back = { ...plain, name: 'h3-back', visit: 'resumed' } as const;
    expect(await measure(planWith('few-small', near, [plain, back]))).toMatchObject([
      { arm: 'h3', status: 'ok', earlyRequests: 0 },
      { arm: 'h3-back', status: 'ok', resumedConnections: 1 },
    ]);
  },
  120_000,
);
