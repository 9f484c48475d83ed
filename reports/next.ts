import type { NextStep } from '../harness/report/next-steps.ts';
import { element, section } from './elements.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { unbroken } from './wording.ts';

/** What to do now, the most useful first, each with its command. */
export function drawNext(first: Report): Part | undefined {
  const place = openPlace();
  const node = section('next', 'Next', place.node);
  const update = ({ data: { answer } }: Report) => {
    place.fill(answer.next, () => (answer.next.length > 0 ? [listOf(answer.next)] : []));
    node.hidden = place.node.hidden;
  };
  update(first);
  return node.hidden ? undefined : { node, title: 'Next', show: () => {}, update };
}

function listOf(next: readonly NextStep[]): HTMLElement {
  return element(
    'ol',
    { 'aria-labelledby': 'next-title' },
    ...next.map(({ step, says, command }) =>
      element('li', { 'data-step': step }, `${unbroken(says)}: `, element('code', {}, command)),
    ),
  );
}
