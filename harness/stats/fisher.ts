/**
 * Fisher's method: the chance that some independent doubts are as small as these together, or smaller, where each is as likely to have
 * one size as any other from 0 to 1.
 */
export function combinedDoubt(doubts: readonly number[]): number {
  // Half of a chi-square variable with twice as many degrees of freedom as there are doubts.
  const half = doubts.reduce((sum, doubt) => sum - Math.log(doubt), 0);
  if (half === Number.POSITIVE_INFINITY) return 0;
  let term = Math.exp(-half);
  let sum = term;
  for (let k = 1; k < doubts.length; k += 1) {
    term *= half / k;
    sum += term;
  }
  return Math.min(1, sum);
}
