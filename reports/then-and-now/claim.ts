import type { CaseFinding, CaseNumber, ClaimFinding, ClaimStanding } from '../../harness/model/then-and-now.ts';
import { withCapital } from '../../harness/model/wording.ts';
import { ANSWERS, describeInterval, describeMachinesPart, describeValue } from '../../harness/replication/wording.ts';
import { type Child, element, htmlTable, named, unfolding } from '../elements.ts';
import type { Deeds } from '../part.ts';
import type { Report } from '../report.ts';
import { unbroken } from '../wording.ts';
import { linksToConditions, linkToCondition } from './links.ts';
import { drawStrip } from './strip.ts';
import { drawTiles } from './tiles.ts';

/** What became of a claim, by sign, word and colour. */
export const SIGNS: Readonly<Record<ClaimStanding, { readonly className: string; readonly sign: string }>> = {
  holds: { className: 'holds', sign: '✓' },
  reversed: { className: 'reversed', sign: '⇄' },
  'no longer': { className: 'no-longer', sign: '✕' },
  'not comparable': { className: 'not-comparable', sign: '–' },
};

/** A claim, what the paper found, and what was measured here. */
export function drawClaim(claim: ClaimFinding, report: Report, deeds: Deeds): HTMLElement {
  const { id, standing, sureness, says, published, where, measured } = claim;
  const { className, sign } = SIGNS[standing];
  return element(
    'li',
    { class: `claim ${className}`, 'data-claim': id, 'data-standing': standing },
    element(
      'p',
      { class: 'stands' },
      element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      element('b', {}, standing),
      sureness && element('span', { class: 'quiet' }, sureness),
    ),
    element(
      'div',
      {},
      element('p', { class: 'claim-says' }, says),
      element(
        'dl',
        { class: 'then-now' },
        element(
          'div',
          {},
          element('dt', {}, 'Then'),
          element('dd', {}, published, element('span', { class: 'quiet' }, ` (${where})`)),
        ),
        element('div', {}, element('dt', {}, 'Now'), element('dd', {}, unbroken(measured), coverageOf(claim))),
      ),
      drawStrip(claim) ?? drawTiles(claim),
      ...remarksOf(claim),
      ...linksToConditions(claim, report, deeds),
      drawDetails(claim, report, deeds),
    ),
  );
}

/** A claim that nothing here can be said of, and why. */
export function drawLackingClaim(claim: ClaimFinding, report: Report, deeds: Deeds): HTMLElement {
  const { id, says, published, where, lacks } = claim;
  return element(
    'li',
    { class: 'claim not-comparable', 'data-claim': id, 'data-standing': 'not comparable' },
    element(
      'div',
      {},
      element('p', { class: 'claim-says' }, says),
      element('p', { class: 'quiet' }, `Then: ${published} (${where}). `, named(withCapital(lacks ?? ''), 400), '.'),
      ...remarksOf(claim),
      drawDetails(claim, report, deeds),
    ),
  );
}

function coverageOf({ cases, missingCases }: ClaimFinding): Child {
  if (missingCases === 0) return undefined;
  return element('span', { class: 'quiet' }, ` (${cases.length} of ${cases.length + missingCases} measured)`);
}

/** What contradicts the claim in the paper itself, and what else than the protocols had a part in what was measured. */
function remarksOf(claim: ClaimFinding): HTMLElement[] {
  const { ownFigures, notes } = claim;
  const remarks = [
    ...(ownFigures ? contradictionsOf(ownFigures) : []),
    ...notes,
    describeMachinesPart(claim) ?? [],
  ].flat();
  if (remarks.length === 0) return [];
  return [element('ul', { class: 'remarks' }, ...remarks.map((remark) => element('li', {}, unbroken(remark))))];
}

function contradictionsOf({ agree, exceptions, says }: NonNullable<ClaimFinding['ownFigures']>): string[] {
  if (!agree) return [`The paper’s own figures say otherwise: ${says}.`];
  return exceptions > 0 ? [`By the paper’s own figures not everywhere: ${says}.`] : [];
}

/** The question as it was asked, and what answers it, place by place. */
function drawDetails(claim: ClaimFinding, report: Report, deeds: Deeds): HTMLElement {
  return unfolding(
    'Asked exactly, place by place',
    () =>
      element(
        'div',
        {},
        element('p', { class: 'asked' }, unbroken(`${withCapital(claim.asks)}.`)),
        claim.ownFigures &&
          element('p', { class: 'quiet' }, unbroken(`By the paper’s own figures: ${claim.ownFigures.says}.`)),
        claim.cases.length > 0 && caseTable(claim, report, deeds),
        claim.missing.length > 0 && element('p', { class: 'quiet' }, `Not measured here: ${claim.missing.join('; ')}.`),
      ),
    { 'data-key': `claim ${claim.id}` },
  );
}

interface CaseRow {
  readonly own: CaseFinding;
  readonly number: CaseNumber;
}

function caseTable({ cases, says }: ClaimFinding, report: Report, deeds: Deeds): HTMLElement {
  return htmlTable<CaseRow>(
    `Places of: ${says}`,
    [
      { title: 'Place', cell: ({ own }) => named(own.title, 100) },
      { title: 'Of', cell: ({ number }) => named(number.says, 80) },
      { title: 'Measured', numeric: true, cell: ({ number }) => unbroken(describeValue(number)) },
      { title: '95 % interval', numeric: true, cell: ({ number }) => unbroken(describeInterval(number) || '–') },
      { title: 'Blocks', numeric: true, cell: ({ number }) => `${number.blocks}` },
      { title: 'Result', cell: ({ own }) => ANSWERS[own.answer] },
      {
        title: 'Loads',
        cell: ({ own }) =>
          element(
            'span',
            { class: 'chips' },
            ...own.conditions.slice(0, 2).map((id) => linkToCondition(id, 'open', report, deeds)),
          ),
      },
    ],
    cases.flatMap((own) => own.numbers.map((number) => ({ own, number }))),
  );
}
