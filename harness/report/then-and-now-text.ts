import type { ClaimFinding, ClaimStanding, ThenAndNow } from '../model/then-and-now.ts';
import { inWords } from '../model/wording.ts';
import { describeMachinesPart } from '../replication/wording.ts';
import { wrapped } from './wrapped.ts';

/** What may become of a claim, in the order in which it is told. */
export const STANDINGS = [
  'holds',
  'reversed',
  'no longer',
  'not comparable',
] as const satisfies readonly ClaimStanding[];

/** What became of a paper's claims, as text on the terminal; of those that cannot be compared, how many. */
export function renderThenAndNow({ short, claims }: ThenAndNow): string {
  const told = claims.filter(({ standing }) => standing !== 'not comparable');
  const left = claims.length - told.length;
  return [
    wrapped(`Then and now: of the ${claims.length} claims of ${short} ${describeCounts(claims)}.`),
    ...told.flatMap(renderClaim),
    ...(left > 0 ? [wrapped(`  ${left} not comparable, for want of measurements: the report says which.`, '  ')] : []),
  ].join('\n');
}

/** How many of each standing there are. */
export function describeCounts(claims: readonly Pick<ClaimFinding, 'standing' | 'sureness' | 'missing'>[]): string {
  const counts = STANDINGS.flatMap((standing) => {
    const own = claims.filter((claim) => claim.standing === standing);
    if (own.length === 0) return [];
    const partly = own.filter(({ missing }) => missing.length > 0).length;
    const likely = own.filter(({ sureness }) => sureness === 'likely').length;
    const limits = [
      ...(standing !== 'not comparable' && partly > 0 ? [`${partly} as far as measured`] : []),
      ...(likely > 0 ? [`${likely} likely`] : []),
    ];
    return [`${tell(own.length, standing)}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`];
  });
  return inWords(counts, 'and');
}

function tell(count: number, standing: ClaimStanding): string {
  if (standing === 'holds') return count === 1 ? '1 holds' : `${count} hold`;
  if (standing === 'no longer') return count === 1 ? '1 no longer does' : `${count} no longer do`;
  return `${count} ${count === 1 ? 'is' : 'are'} ${standing}`;
}

const INDENT = ' '.repeat(13);

function renderClaim(claim: ClaimFinding): string[] {
  const { standing, sureness, says, published, measured, missingCases, cases } = claim;
  const part = missingCases > 0 ? ` (${cases.length} of ${cases.length + missingCases} measured)` : '';
  const machine = describeMachinesPart(claim);
  const doubt = sureness === 'likely' ? ' (likely)' : '';
  const [first = '', ...others] = wrapped(`${INDENT}${says}`, INDENT).split('\n');
  return [
    `  ${standing.padEnd(11)}${first.trimStart()}`,
    ...others,
    wrapped(`${INDENT}then: ${published}; now: ${measured}${part}${doubt}`, INDENT),
    ...(machine ? [wrapped(`${INDENT}${machine}`, INDENT)] : []),
  ];
}
