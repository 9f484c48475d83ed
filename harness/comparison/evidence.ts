import type { Claim, Rule } from '../model/comparison.ts';
import { logEvidence, successesNeeded } from '../stats/evidence.ts';

/** How often each of two arms beat the other, and in how many blocks. */
export interface Tally {
  readonly blocks: number;
  readonly aWon: number;
  readonly bWon: number;
  /** Blocks in which both failed: neither won, and they were not equally fast either. Absent where there is none. */
  readonly bothFailed?: number | undefined;
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

/**
 * The logarithm of the e-value of "no other arm beats this one": of each other arm that its share of blocks is at most
 * the rule's. All of that must be shown, so it is the smallest of those e-values. Blocks in which both failed do not count
 * for it.
 */
export function withinEvidence(
  arm: string,
  pairs: readonly (Tally & { readonly a: string; readonly b: string })[],
  { share }: Rule,
): number {
  const own = pairs.filter(({ a, b }) => a === arm || b === arm);
  return Math.min(
    ...own.map((pair) => logEvidence(pair.blocks, notWon(pair, pair.a === arm ? pair.bWon : pair.aWon), 1 - share)),
  );
}

/** Whether the blocks up to a cap could still prove that no other arm beats this one, at this threshold. */
export function isWithinReachable(
  arm: string,
  pairs: readonly (Tally & { readonly a: string; readonly b: string })[],
  { rule: { share }, cap, logThreshold }: { readonly rule: Rule; readonly cap: number; readonly logThreshold: number },
): boolean {
  const needed = successesNeeded(cap, 1 - share, logThreshold);
  return pairs
    .filter(({ a, b }) => a === arm || b === arm)
    .every((pair) => notWon(pair, pair.a === arm ? pair.bWon : pair.aWon) + cap - pair.blocks >= needed);
}

/**
 * The fewest blocks that can prove that no other arm beats one: all of them agree, and every other claim of the study
 * that can be true is proven as well.
 */
export function fewestBlocks({ share }: Rule, falseDiscoveryRate: number): number {
  // Two arms have five claims (three of the pair, one of each arm), and three can be true; with more arms, fewer.
  const threshold = Math.log(5 / (3 * falseDiscoveryRate));
  const reaches = (blocks: number) => logEvidence(blocks, blocks, 1 - share) >= threshold;
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
