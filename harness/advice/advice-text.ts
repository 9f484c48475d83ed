import type { Advice, Gain, Risk, TrafficShares } from '../model/advice.ts';
import { profilesOf, verdictOnServed, type WeightedCondition } from './duel.ts';

/** Advice in a sentence: what a verdict says is called proven, everything else undecided. */
export function writeAdvice(advice: Omit<Advice, 'text'>, weighted: readonly WeightedCondition[]): string {
  const parts = [
    advice.against === undefined ? writeEqual(advice.serve, weighted) : writeChoice(advice, weighted),
    ...writeRisks(advice, weighted),
    ...(advice.unmeasured.length > 0 ? [`nothing is known of ${list(advice.unmeasured, 'and')}`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** Where no verdict tells anything from what is served. */
function writeEqual(serve: readonly string[], weighted: readonly WeightedCondition[]): string {
  const [first] = serve;
  const compared = new Set(weighted.flatMap(({ comparisons }) => comparisons.flatMap(({ a, b }) => [a, b])));
  if (compared.size === 0) return `Serve ${first}: nothing else was measured`;
  const undecided = undecidedShare([first!, ...[...compared].filter((arm) => arm !== first)], weighted);
  if (undecided === 0) return `Serve ${list(serve, 'or')}, whichever is easiest: they tie for all of this traffic`;
  return `No reason to change what is served: nothing is proven faster than ${first} for any of this traffic, and for ${percent(100 * undecided)} of it something is undecided`;
}

function writeChoice(
  { serve, against, shares, gain }: Omit<Advice, 'text'>,
  weighted: readonly WeightedCondition[],
): string {
  const alike = undecidedShare(serve, weighted) === 0 ? 'which tie' : 'between which nothing is proven';
  const what = serve.length === 1 ? serve[0]! : `${list(serve, 'or')}, ${alike},`;
  return `Serve ${what} rather than ${against}: ${writeShares(serve[0]!, against!, shares!, weighted)}; ${writeGain(gain!)}`;
}

function writeShares(
  served: string,
  against: string,
  shares: TrafficShares,
  weighted: readonly WeightedCondition[],
): string {
  const measured = profilesOf(weighted).length;
  const said = STANDINGS.filter(([which]) => shares[which] > 0).map(([which, words], index) => {
    const there = weighted.filter((condition) => verdictOnServed(condition, served, against) === which);
    const profiles = profilesOf(there);
    const where = profiles.length > MOST_NAMED ? `${profiles.length} of ${measured} links` : profiles.join(', ');
    const part = percent(100 * shares[which]) + (index === 0 ? ' of the traffic' : '');
    return `${words} for ${part} (${where})`;
  });
  return `${served} is ${list(said, 'and')}`;
}

/** More links than these are counted: nobody reads so many names in a sentence, and the table has them. */
const MOST_NAMED = 5;

const STANDINGS = [
  ['faster', 'proven faster'],
  ['tie', 'as fast'],
  ['slower', 'proven slower'],
  ['undecided', 'undecided'],
] as const;

function writeGain({ medianPercent, p95Percent }: Gain): string {
  return `on average over the traffic the median load ${change(medianPercent)} and the 95th percentile ${change(p95Percent)}`;
}

function change(saved: number): string {
  if (Number.isNaN(saved)) return 'cannot be told for loads that fail';
  if (saved === Number.NEGATIVE_INFINITY) return 'no longer finishes everywhere';
  if (Math.abs(saved) < 0.5) return 'stays as it is';
  return saved > 0 ? `takes ${percent(saved)} less time` : `takes ${percent(-saved)} more time`;
}

function writeRisks({ risk, possibleRisk }: Omit<Advice, 'text'>, weighted: readonly WeightedCondition[]): string[] {
  const titleOf = (id: string) => weighted.find((condition) => condition.id === id)!.title;
  const isEndless = ({ percent: much }: Risk) => much === Number.POSITIVE_INFINITY;
  return [
    ...(risk && isEndless(risk) ? [`the risk: it fails in ${titleOf(risk.condition)} where another does not`] : []),
    ...(risk && !isEndless(risk)
      ? [`the risk: ${percent(risk.percent)} longer than the best in ${titleOf(risk.condition)}`]
      : []),
    ...(possibleRisk && isEndless(possibleRisk)
      ? [`how much longer it may take in ${titleOf(possibleRisk.condition)} cannot be told yet`]
      : []),
    ...(possibleRisk && !isEndless(possibleRisk)
      ? [`in ${titleOf(possibleRisk.condition)} up to ${percent(possibleRisk.percent)} longer cannot be ruled out yet`]
      : []),
  ];
}

/** The part of the traffic in which the first of some arms is not decided against another of them. */
function undecidedShare([first, ...others]: readonly string[], weighted: readonly WeightedCondition[]): number {
  return weighted
    .filter((condition) => others.some((other) => verdictOnServed(condition, first!, other) === 'undecided'))
    .reduce((sum, condition) => sum + condition.weight, 0);
}

/** Whole percents, and tenths below ten. */
function percent(value: number): string {
  return `${Number(value.toFixed(value < 9.95 ? 1 : 0))} %`;
}

function list(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
