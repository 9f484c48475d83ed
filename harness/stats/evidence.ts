/**
 * The natural logarithm of the evidence, after `trials` of which `successes` succeeded, that successes are commoner
 * than `share`: an e-process, so a true "no" keeps its mean at most 1 whenever one stops.
 *
 * It is the likelihood ratio of p to `share`, averaged over p uniform on (share, 1]. For each such p it is a product
 * of factors whose mean, given all that went before, is at most 1 where a success has at most the chance `share`; so
 * the average is a nonnegative supermartingale, and by Ville's inequality it ever reaches c with probability 1/c at
 * most (Howard, Ramdas, McAuliffe, Sekhon 2021; Waudby-Smith and Ramdas 2024). A prior that reached below `share`
 * would lose this. Uniform, because nothing is known of p beforehand: an ever smaller share costs ever more trials
 * (log n / 2 beyond what knowing p would), and none is singled out.
 */
export function logEvidence(trials: number, successes: number, share: number): number {
  const known = rowOf(share, trials);
  known[successes] ??= computeLogEvidence(trials, successes, share);
  return known[successes];
}

/**
 * The fewest successes in `trials` whose evidence against `share` reaches this logarithm; more than `trials` where
 * even all of them would not do.
 */
export function successesNeeded(trials: number, share: number, logThreshold: number): number {
  let low = 0;
  let high = trials + 1;
  // At a given number of trials the evidence grows with every success.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (logEvidence(trials, middle, share) >= logThreshold) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The evidence depends on nothing but three numbers, and simulations ask for the same ones millions of times.
const tables = new Map<number, number[][]>();

function rowOf(share: number, trials: number): number[] {
  const table = tables.get(share) ?? [];
  if (table.length === 0) tables.set(share, table);
  table[trials] ??= [];
  return table[trials];
}

const SCALE = 1e200;

/**
 * The integral is a beta function times a binomial tail, since all parameters are whole; written out it is
 *
 *     Σ C(n+1, j) / ((n+1) C(n, k)) · ((1 - share) / share)^(k - j)   over j from 0 to k,
 *
 * a sum of positive terms, so it is exact to the last digits; it is summed from j = k down.
 */
function computeLogEvidence(trials: number, successes: number, share: number): number {
  const odds = (1 - share) / share;
  let term = 1 / (trials + 1 - successes);
  let sum = term;
  let logScale = 0;
  for (let j = successes; j > 0; j -= 1) {
    const ratio = (odds * j) / (trials + 2 - j);
    term *= ratio;
    sum += term;
    if (ratio < 1 && term < sum * Number.EPSILON) break;
    if (sum > SCALE) {
      sum /= SCALE;
      term /= SCALE;
      logScale += Math.log(SCALE);
    }
  }
  return Math.log(sum) + logScale;
}
