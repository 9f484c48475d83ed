import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';
import { PROJECT } from '../../harness/system/tools.ts';

const AXE = readFileSync(`${PROJECT}node_modules/axe-core/axe.min.js`, 'utf8');

/** What an automatic judge of WCAG 2.2 AA finds, with everything unfolded. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}
