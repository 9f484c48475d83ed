import { expect } from '@jest/globals';
import { lighthouseScoreOf } from '../../../harness/measurement/lighthouse.ts';
import { openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { labTest } from '../lab.ts';

const HELD_MS = 8_000;

labTest(
  'Lighthouse scores a page over the link as it is, by the protocol of the arm',
  async () => {
    await using lab = await openLab({ sites: [findSite('global-master')] });
    await lab.setLink(linkOf('rate=10mbit,rtt=40ms'));
    for (const [protocol, device] of [
      ['h1', 'desktop'],
      ['h3', 'mobile'],
    ] as const) {
      // What an earlier load was held back by must not hold back this one.
      await lab.load({ site: 'global-master', protocol, visit: 'cold', device, timeoutMs: 60_000, holdMs: HELD_MS });
      const capture = await inPeace(async () => {
        const judged = await lab.judge({ site: 'global-master', protocol, visit: 'cold', device, timeoutMs: 60_000 });
        const score = lighthouseScoreOf(judged);
        if (score.status !== 'ok') throw new Error(score.says);
        expect(score.score).toBeGreaterThan(0.3);
        // 1 MB takes 0.8 s at this rate: what is simulated knows nothing of it.
        expect(score.metrics.lcpMs).toBeGreaterThan(100);
        expect(score.metrics.fcpMs).toBeLessThanOrEqual(score.metrics.lcpMs!);
        expect(score.metrics.fcpMs).toBeLessThan(HELD_MS);
        return judged;
      });
      const { configSettings } = JSON.parse(capture.report) as { configSettings: Record<string, unknown> };
      expect(configSettings).toMatchObject({ throttlingMethod: 'provided', formFactor: device });
      const wrong = { ...capture, requests: [{ url: `${capture.page.url}/x`, protocol: 'h2' }] };
      expect(lighthouseScoreOf(wrong)).toMatchObject({ status: 'failed' });
    }
  },
  180_000,
);
