import { meaningOf } from '../harness/findings/lead.ts';
import { SURENESS, type Sureness } from '../harness/model/answer.ts';
import { element } from './elements.ts';
import type { Report } from './report.ts';
import { openNotes } from './tooltip.ts';
import { unbroken } from './wording.ts';

/** What each word for sureness means, as a sentence. */
export function meansOf({ data }: Report, sureness: Sureness): string {
  return unbroken(meaningOf(sureness, data.summary.rule));
}

/** A word for sureness; pointing at it, or giving it the focus, shows what each of these words means. */
export function sureWord(report: Report, sureness: Sureness): HTMLElement {
  const word = element('button', { type: 'button', class: `sure-word ${sureness}` }, sureness);
  openNotes()(word, () => [
    element(
      'dl',
      { class: 'meanings' },
      ...SURENESS.flatMap((each) => [
        element('dt', {}, each === sureness ? element('b', {}, each) : each),
        element('dd', {}, meansOf(report, each)),
      ]),
    ),
  ]);
  return word;
}
