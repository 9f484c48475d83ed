import { sumOf } from './order.ts';

/** Jain's index of how evenly something is shared: 1 where all have the same, 1/n where one has all of it. */
export function jainIndex(shares: readonly number[]): number {
  const sum = sumOf(shares);
  const squares = shares.reduce((all, share) => all + share ** 2, 0);
  return squares === 0 ? 1 : sum ** 2 / (shares.length * squares);
}
