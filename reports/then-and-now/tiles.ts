import type { CaseAnswer, ClaimFinding } from '../../harness/model/then-and-now.ts';
import { element } from '../elements.ts';

const SIGNS: Readonly<Record<CaseAnswer, string>> = { so: '✓', 'not so': '✕', opposite: '⇄', open: '?' };
const NOT_MEASURED = 'not measured';

/** A tile for each place: so, not so, the opposite, open, or not measured. */
export function drawTiles({ cases, missingCases, measured }: ClaimFinding): HTMLElement {
  const answers = [
    ...(['so', 'opposite', 'not so', 'open'] as const).flatMap((answer) =>
      cases.filter((own) => own.answer === answer).map(() => answer),
    ),
    ...Array.from({ length: missingCases }, () => NOT_MEASURED),
  ];
  return element(
    'div',
    { class: 'tiles', role: 'img', 'aria-label': `Place by place: ${measured}` },
    ...answers.map((answer) => element('i', { class: answer.replace(' ', '-') }, SIGNS[answer as CaseAnswer] ?? '')),
  );
}
