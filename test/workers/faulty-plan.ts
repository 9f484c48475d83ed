import { planOf } from '../study/plans.ts';

/** What is run while something goes wrong: 60 blocks, and some of the control. */
export const FAULTY_PLAN = planOf({
  sites: ['a'],
  links: ['fibre', '4g', 'dsl'],
  stopping: { kind: 'exactly', blocks: 20 },
});
