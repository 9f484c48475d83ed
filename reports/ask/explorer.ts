import type { Features } from '../../harness/model/tree.ts';
import { element, lead, section } from '../elements.ts';
import type { Deeds, Part } from '../part.ts';
import { openPlace } from '../place.ts';
import { asksFor } from '../question.ts';
import type { Report } from '../report.ts';
import { completed } from '../state.ts';
import { DIALS, drawChooser, drawDial, visitChooser } from './controls.ts';
import { answerTo, drawResult } from './result.ts';
import { drawMix } from './traffic.ts';

/** Ask it: what to serve any page to any visitor, and what each choice costs at the nearest that was measured. */
export function drawExplorer(first: Report, deeds: Deeds): Part | undefined {
  if (!first.data.summary.tree) return undefined;
  let report = first;
  let asked: Features | undefined;
  const change = (part: Partial<Features>) => {
    // A link whose rate or delay is another one has a queue of its own.
    const isOtherLink = 'rateKbps' in part || 'rttMs' in part;
    if (asked) deeds.change({ asked: completed({ ...asked, ...part }, !isOtherLink || 'queuePackets' in part) });
  };
  const dials = DIALS.map((dial) => ({ ...drawDial(dial, (value) => change({ [dial.feature]: value })), dial }));
  const choosers = [
    drawChooser(report, 'link', change),
    drawChooser(report, 'site', change),
    ...visitChooser(report, change),
  ];
  const result = openPlace({ class: 'result', 'aria-live': 'polite', id: 'explorer-result' });
  const mix = drawMix(report, deeds);
  const update = (next: Report) => {
    report = next;
    mix.update(report);
  };
  update(first);
  return {
    node: section(
      'ask',
      'Ask about your page',
      lead(
        'Describe a page and its visitors. If exactly this was measured, the answer comes from its own loads. Otherwise the tree predicts it. The address of this page keeps your question.',
      ),
      element(
        'div',
        { class: 'explorer' },
        element(
          'form',
          { class: 'dials', 'aria-label': 'Page and visitors', submit: (event: Event) => event.preventDefault() },
          element('div', { class: 'choosers' }, ...choosers.map((each) => each.node)),
          ...dials.map((each) => each.node),
        ),
        result.node,
      ),
      mix.node,
    ),
    title: 'Your page',
    show(state) {
      mix.show(state);
      if (state.asked !== asked) for (const part of [...dials, ...choosers]) part.show(state.asked);
      asked = state.asked;
      const { tree } = report.concludeFor(state.mix);
      for (const { node, dial } of dials) node.hidden = dial.feature === 'queuePackets' && !asksFor(tree, dial.feature);
      const answer = answerTo(report, asked, state.mix);
      result.fill(answer, () => drawResult(report, answer, deeds.open));
    },
    update,
  };
}
