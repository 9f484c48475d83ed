import { expect, test } from '@jest/globals';
import { RULES } from '../../harness/comparison/rules.ts';
import { firstDifference } from '../../harness/gate/same-plan.ts';
import type { Plan } from '../../harness/model/study.ts';
import { planOf } from '../study/plans.ts';

const PLAN = planOf({ sites: ['shop'], links: ['4g', 'dsl'] });
const h2 = { name: 'h2', protocol: 'h2' } as const;

test.each<[string, Partial<Plan>, string | undefined]>([
  ['nothing', {}, undefined],
  [
    'the seed, the name and the number of blocks',
    { seed: 8, study: 'x', stopping: { kind: 'exactly', blocks: 5 } },
    undefined,
  ],
  ['the page', { sites: { shop: { objects: 7, bytes: 5, digest: 'other' } } }, undefined],
  ['the order of conditions', { conditions: PLAN.conditions.toReversed() }, undefined],
  ['the metric', { metric: 'lcp' }, 'it has metric plt, it lacks metric lcp'],
  ['the rule', { rule: RULES.kramer2015 }, 'it has rule 3 % in more than 50 %, it lacks rule 10 % in more than 70 %'],
  ['an arm fewer', { arms: PLAN.arms.slice(1) }, 'it has arm h1'],
  ['an arm more', { arms: [...PLAN.arms, { ...h2, name: 'bbr', congestion: 'bbr' }] }, 'it lacks arm bbr'],
  [
    'an arm of the same name',
    { arms: PLAN.arms.map((arm) => (arm.name === 'h2' ? { ...h2, congestion: 'bbr' } : arm)) },
    'arm h2 is another',
  ],
  ['a condition fewer', { conditions: PLAN.conditions.slice(1) }, 'it has link 4g'],
  [
    'another site',
    planOf({ sites: ['blog'], links: ['4g', 'dsl'] }),
    'it has condition shop over 4g, it lacks condition blog over 4g',
  ],
  [
    'how recorded pages are served',
    { thinkTimes: false },
    'it has recorded pages with think times, it lacks recorded pages without think times',
  ],
  ['how loads were watched', { har: 'full' }, 'it has loads that were not watched, it lacks loads that were watched'],
  [
    'the device',
    { conditions: PLAN.conditions.map((each) => ({ ...each, device: 'mobile' })) },
    'it has device desktop, it lacks device mobile',
  ],
  [
    'a link that is called the same',
    {
      conditions: PLAN.conditions.map((each) => ({
        ...each,
        link: { ...each.link, up: { ...each.link.up, delayMs: 1 } },
      })),
    },
    'link 4g is another',
  ],
])('%s', (_, now, difference) => {
  expect(firstDifference({ before: PLAN, now: { ...PLAN, ...now } })).toBe(difference);
});
