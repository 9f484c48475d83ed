import type { Claim, Rule } from '../model/comparison.ts';
import { logEvidence, successesNeeded } from '../stats/evidence.ts';

/** How often each of two arms beat the other, of so many blocks. */
export interface Tally {
  readonly blocks: number;
  readonly aWon: number;
  readonly bWon: number;
  /** Blocks in which both failed: neither won, and they were not equally fast either. Absent where there is none. */
  readonly bothFailed?: number;
}

/** The blocks that speak for a tie as far as one of the arms is concerned: it finished or the other did, and it did not win. */
export function notWon({ blocks, bothFailed = 0 }: Tally, won: number): number {
  return blocks - won - bothFailed;
}

/**
 * The logarithms of the e-values of what two arms may be to each other. A tie is "neither beats the other": that a's
 * share of blocks is at most the rule's, and that b's is; as both must be shown, its e-value is the smaller of the two.
 * A block in which both failed is held against it: pages that do not load are not equally fast.
 * At most one of the three can grow, since what is evidence for one has a likelihood ratio of at most 1 for the others.
 */
export function claimEvidence(tally: Tally, { share }: Rule): Readonly<Record<Claim, number>> {
  const { blocks, aWon, bWon } = tally;
  return {
    a: logEvidence(blocks, aWon, share),
    b: logEvidence(blocks, bWon, share),
    tie: logEvidence(blocks, notWon(tally, Math.max(aWon, bWon)), 1 - share),
  };
}

/** How many blocks any claim takes, at least: so many that all agree, and every other claim of the study true as well. */
export function fewestBlocks(rule: Rule, falseDiscoveryRate: number): number {
  // Of the three that are claimed of a pair, one can be true.
  const threshold = Math.log(3 / falseDiscoveryRate);
  const reaches = (blocks: number) => strongestClaim({ blocks, aWon: blocks, bWon: 0 }, rule)[1] >= threshold;
  let blocks = 1;
  while (blocks < 1000 && !reaches(blocks)) blocks += 1;
  return blocks;
}

/** The claim that there is most evidence for, with the logarithm of its e-value. */
export function strongestClaim(tally: Tally, rule: Rule): readonly [claim: Claim, logEValue: number] {
  const evidence = claimEvidence(tally, rule);
  const claim = evidence.a >= evidence.b ? 'a' : 'b';
  return evidence.tie > evidence[claim] ? ['tie', evidence.tie] : [claim, evidence[claim]];
}

/** How many blocks of so many must agree with a claim, at least, for its e-value to reach a threshold. */
export interface Needed {
  readonly blocks: number;
  /** Blocks that a, or b, must win. */
  readonly wins: number;
  /** Blocks that each must fail to win, without both failing, for a tie. */
  readonly failures: number;
}

/** What e-values of a number of blocks need. */
export function neededFor(blocks: number, { share }: Rule, logThreshold: number): Needed {
  return {
    blocks,
    wins: successesNeeded(blocks, share, logThreshold),
    failures: successesNeeded(blocks, 1 - share, logThreshold),
  };
}

/** Whether some outcome of the blocks that are left could still bring a claim as far as is needed. */
export function isReachable(tally: Tally, needed: Needed): boolean {
  const { blocks, aWon, bWon } = tally;
  const left = needed.blocks - blocks;
  return Math.max(aWon, bWon) + left >= needed.wins || notWon(tally, Math.max(aWon, bWon)) + left >= needed.failures;
}
