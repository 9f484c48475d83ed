import { expect, test } from '@jest/globals';
import { titleOf, withoutLink } from '../../harness/model/condition-title.ts';
import type { Condition, Plan } from '../../harness/model/study.ts';

const condition = (site: string, link: string, visit = 'cold') =>
  ({ site, link: { name: link }, server: 'nginx', visit, timeoutMs: 1, device: 'desktop' }) as unknown as Condition;

test('a page has the same title over every link, whether the link has a name of its own or not', () => {
  const conditions = ['fibre', 'rate=50mbit,rtt=18ms,loss=0%', '4g,loss=1%'].flatMap((link) => [
    condition('few-small', link),
    condition('few-small', link, 'repeat'),
  ]);
  const plan = { conditions } as unknown as Plan;
  const titles = conditions.map((each) => withoutLink(titleOf(each, plan), each.link.name));
  expect([...new Set(titles)]).toEqual(['few-small (cold)', 'few-small (repeat)']);
});
