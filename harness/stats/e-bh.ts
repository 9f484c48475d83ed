/**
 * The logarithm that an e-value must reach to be a discovery by e-BH, Infinity where there is none: with r discoveries
 * each is at least hypotheses / (level r), r as large as can be. The mean share of false ones among them is at most
 * `level` whatever the dependence (Wang and Ramdas 2022). E-values that are not given count as 0.
 */
export function discoveryThreshold(logEValues: readonly number[], hypotheses: number, level: number): number {
  // Nothing below this can be a discovery however many there are; most rounds have nothing above it.
  const least = Math.log(hypotheses / (level * logEValues.length));
  const descending = logEValues.filter((each) => each >= least).sort((a, b) => b - a);
  for (let count = descending.length; count > 0; count -= 1) {
    const threshold = Math.log(hypotheses / (level * count));
    if (descending[count - 1]! >= threshold) return threshold;
  }
  return Number.POSITIVE_INFINITY;
}
