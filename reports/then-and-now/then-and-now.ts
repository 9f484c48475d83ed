import type { ClaimFinding, ThenAndNow } from '../../harness/model/then-and-now.ts';
import { STANDINGS } from '../../harness/report/then-and-now-text.ts';
import { type Child, element, lead, section, unfolding } from '../elements.ts';
import type { Deeds, Part } from '../part.ts';
import { openPlace } from '../place.ts';
import type { Report } from '../report.ts';
import { count, figure } from '../wording.ts';
import { drawClaim, drawLackingClaim, SIGNS } from './claim.ts';
import { drawLeaves } from './leaves.ts';
import { drawPublished } from './published.ts';

/** What a paper found beside what this study did, claim by claim and figure by figure; only where it repeats one. */
export function drawThenAndNow(first: Report, deeds: Deeds): Part | undefined {
  const place = openPlace();
  const update = (report: Report) => {
    const { thenAndNow } = report.data.summary;
    place.fill(thenAndNow, () => (thenAndNow ? partsOf(thenAndNow, report, deeds) : []));
  };
  if (!first.data.summary.thenAndNow) return undefined;
  update(first);
  return {
    node: section('then-and-now', 'Then and now', place.node),
    title: 'Then and now',
    show: () => {},
    update,
  };
}

function partsOf(thenAndNow: ThenAndNow, report: Report, deeds: Deeds): Child[] {
  const { citation, task, claims, tables, tree, notes } = thenAndNow;
  const lacking = claims.filter(({ standing }) => standing === 'not comparable');
  const told = claims.filter((claim) => !lacking.includes(claim));
  return [
    lead('This study repeats a published one. ', element('cite', {}, citation)),
    element('p', { class: 'quiet task' }, task),
    drawCounts(claims),
    ...(told.length > 0
      ? [drawKey(), element('ul', { class: 'claims' }, ...told.map((claim) => drawClaim(claim, report, deeds)))]
      : []),
    ...(lacking.length > 0
      ? [
          element('h3', {}, `Not comparable here: ${count(lacking.length, 'claim')}`),
          element('ul', { class: 'claims lacking' }, ...lacking.map((claim) => drawLackingClaim(claim, report, deeds))),
        ]
      : []),
    tree && drawLeaves(tree, report, deeds),
    ...tables.map((table) => drawPublished(table, report, deeds)),
    element('h3', {}, 'To know when comparing'),
    element('ul', { class: 'paper-notes' }, ...notes.map((note) => element('li', {}, note))),
    unfolding('How a claim is judged', drawRules),
  ];
}

/** How many claims came to what. */
function drawCounts(claims: readonly ClaimFinding[]): HTMLElement {
  return element(
    'ul',
    { class: 'standings', 'aria-label': 'What became of the claims' },
    ...STANDINGS.map((standing) => {
      const own = claims.filter((claim) => claim.standing === standing).length;
      const { className, sign } = SIGNS[standing];
      return element(
        'li',
        { class: className, 'data-standing-count': standing },
        element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
        element('b', { class: 'big' }, figure(own, 0)),
        ' ',
        element('span', {}, standing),
      );
    }),
  );
}

function drawKey(): HTMLElement {
  return element(
    'ul',
    { class: 'key' },
    element('li', {}, element('i', { class: 'claimed-sample' }), 'what the claim says'),
    element('li', {}, element('i', { class: 'measured-sample' }), 'what was measured, with its 95 % interval'),
    element('li', {}, element('i', { class: 'equal-sample' }), 'no difference'),
    element('li', {}, element('i', { class: 'dot-sample' }), 'true'),
    element('li', {}, element('i', { class: 'dot-sample square' }), 'false'),
    element('li', {}, element('i', { class: 'dot-sample hollow' }), 'too little to tell'),
  );
}

const RULES = [
  'A claim asks one thing of each of its places. The number that answers it is computed block by block and estimated as the study’s own ratios are, with a 95 % interval.',
  'A claim is true in a place if the whole interval lies within what is claimed. It is false if all of the interval lies outside, or among what counts as alike. Otherwise the place is open.',
  'If several things must be true in a place, only a wider interval makes one of them false.',
  'holds: true in each place, or in as many places as the claim is about.',
  'reversed: the opposite is true, by more than what counts as a difference.',
  'no longer: the claim is false, and so is its opposite.',
  'not comparable: nothing of it was measured here, or too little to tell.',
  'proven: told by the intervals alone, which hold however often one looks.',
  'sure and likely: told by 1,000 draws of what the typical figures may be. The chance that the answer is wrong is below 5 %, or below 20 %.',
  'Each claim is judged by itself.',
];

function drawRules(): HTMLElement {
  return element('ul', { class: 'paper-notes' }, ...RULES.map((rule) => element('li', {}, rule)));
}
