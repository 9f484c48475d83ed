import type { Claim, Rule } from '../model/comparison.ts';
import { logEvidence } from '../stats/evidence.ts';

/** How often each of two arms beat the other, of so many blocks. */
export interface Tally {
  readonly blocks: number;
  readonly aWon: number;
  readonly bWon: number;
}

/**
 * The logarithms of the e-values of what two arms may be to each other. A tie is "neither beats the other": that a's
 * share of blocks is at most the rule's, and that b's is; as both must be shown, its e-value is the smaller of the two.
 * At most one of the three can grow, since what is evidence for one has a likelihood ratio of at most 1 for the others.
 */
export function claimEvidence({ blocks, aWon, bWon }: Tally, { share }: Rule): Readonly<Record<Claim, number>> {
  return {
    a: logEvidence(blocks, aWon, share),
    b: logEvidence(blocks, bWon, share),
    tie: Math.min(logEvidence(blocks, blocks - aWon, 1 - share), logEvidence(blocks, blocks - bWon, 1 - share)),
  };
}

/** The claim that most speaks for, with the logarithm of its e-value. */
export function strongestClaim(tally: Tally, rule: Rule): readonly [claim: Claim, logEValue: number] {
  const evidence = claimEvidence(tally, rule);
  const claim = evidence.a >= evidence.b ? 'a' : 'b';
  return evidence.tie > evidence[claim] ? ['tie', evidence.tie] : [claim, evidence[claim]];
}

/** The logarithm of the largest e-value that any claim could still come to by a number of blocks. */
export function mostEvidence({ blocks, aWon, bWon }: Tally, rule: Rule, atBlocks: number): number {
  const left = atBlocks - blocks;
  // Each further block that agrees with a claim makes its e-value larger, so the best end is the unanimous one.
  const ends = [
    { blocks: atBlocks, aWon: aWon + left, bWon },
    { blocks: atBlocks, aWon, bWon: bWon + left },
    { blocks: atBlocks, aWon, bWon },
  ];
  return Math.max(...ends.map((end) => strongestClaim(end, rule)[1]));
}
