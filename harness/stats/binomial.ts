/** The probability of at most `count` successes in `trials` of probability `share` each. */
export function binomialCdf(count: number, trials: number, share: number): number {
  if (count < 0) return 0;
  if (count >= trials) return 1;
  if (share <= 0) return 1;
  if (share >= 1) return 0;
  // Terms by their logarithms, from the first: (1-p)^n alone underflows for the numbers of a calibration.
  const logOdds = Math.log(share) - Math.log1p(-share);
  let logTerm = trials * Math.log1p(-share);
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k += 1) {
    logTerm += Math.log((trials - k + 1) / k) + logOdds;
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/** The counts that a binomial variable stays within with at least this confidence, the rest split evenly. */
export function binomialInterval(
  trials: number,
  share: number,
  confidence: number,
): readonly [low: number, high: number] {
  const tail = (1 - confidence) / 2;
  return [
    firstWith((count) => binomialCdf(count, trials, share) > tail, trials),
    firstWith((count) => binomialCdf(count, trials, share) >= 1 - tail, trials),
  ];
}

function firstWith(holds: (count: number) => boolean, trials: number): number {
  let low = 0;
  let high = trials;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
