import type { Advice, AdviceCondition, Worst } from '../model/advice.ts';
import type { Rule } from '../model/comparison.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords, percentInWords } from '../model/wording.ts';

/** What advice in words needs to know besides: what conditions and arms are called. */
export interface AdviceNames {
  readonly conditions: readonly Pick<AdviceCondition, 'id' | 'title'>[];
  readonly arms: readonly { readonly name: string; readonly title: string }[];
  readonly rule: Rule;
}

/** Advice in plain sentences: what to serve, what it gains, where it does worst, and what is still open. */
export function writeAdvice(advice: Omit<Advice, 'text'>, names: AdviceNames): string {
  const sentences = [
    writeChoice(advice, names),
    ...writeDoubt(advice),
    ...writeGain(advice, names),
    ...(advice.worst ? [writeWorst(advice.worst, names)] : []),
    ...writeByTree(advice),
    ...(advice.assumesKnownH3 ? [KNOWN_H3] : []),
    ...(advice.unmeasured.length > 0
      ? [`Not measured: ${inWords(advice.unmeasured.map(titleOfLink), 'and')}, which your traffic has too.`]
      : []),
    writeOpen(advice),
  ];
  return sentences.join(' ');
}

/** What advice for HTTP/3 counts on. */
export const KNOWN_H3 =
  'This assumes browsers that know of HTTP/3 before they visit; --study switch-on shows what all visitors get.';

function titleOf(arm: string, { arms }: AdviceNames): string {
  return arms.find(({ name }) => name === arm)?.title ?? arm;
}

function writeChoice({ serve, asGood, gain }: Omit<Advice, 'text'>, names: AdviceNames): string {
  const { rule, arms } = names;
  const title = titleOf(serve, names);
  if (arms.length === 1) return `Serve ${title}: nothing else was measured.`;
  const others = asGood.map((arm) => titleOf(arm, names));
  const margin = `within ${percentInWords(100 * rule.advantage)} of the best`;
  if (serve === gain.over) {
    const too = `${inWords(others, 'and')} ${others.length > 1 ? 'are' : 'is'} ${margin} too`;
    return others.length === 0 ? `Keep ${title}.` : `Keep ${title}: ${too}.`;
  }
  if (others.length === 0) return `Serve ${title}.`;
  return `Serve ${inWords([title, ...others], 'or')}: ${others.length > 1 ? 'all' : 'both'} are ${margin}.`;
}

/** What is sure needs no word. */
function writeDoubt({ sureness }: Omit<Advice, 'text'>): readonly string[] {
  if (sureness === 'likely') return ['This is likely, but not sure yet.'];
  return sureness === 'open' ? ['This is far from sure yet.'] : [];
}

function writeGain({ serve, asGood, gain }: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  if (serve === gain.over || !names.arms.some(({ name }) => name === gain.over)) return [];
  // Beside others it is said whose gain this is.
  const by = asGood.length > 0 ? ` with ${titleOf(serve, names)}` : '';
  const over = titleOf(gain.over, names);
  const [low, high] = gain.interval;
  const range = `95 % interval ${intervalInWords(low, high)}`;
  if (Math.abs(gain.percent) < 0.5)
    return [`Over your traffic pages load about as fast${by} as with ${over} (${range} faster).`];
  if (gain.percent > 0)
    return [`Over your traffic pages load ${percentInWords(gain.percent)} faster${by} than with ${over} (${range}).`];
  const slower = `95 % interval ${intervalInWords(0 - high, 0 - low)}`;
  return [`Over your traffic pages load ${percentInWords(-gain.percent)} slower${by} than with ${over} (${slower}).`];
}

/** An interval of percents: `8 to 15 %`. */
export function intervalInWords(low: number, high: number): string {
  const [from, to] = [percentInWords(low), percentInWords(high)];
  return `${from.replace(/ %$/, '')} to ${to}`;
}

function writeWorst({ condition, percent, than }: Worst, names: AdviceNames): string {
  const title = names.conditions.find(({ id }) => id === condition)?.title ?? condition;
  return `Worst case: ${title}, ${percentInWords(percent)} slower than with ${titleOf(than, names)}.`;
}

/** That one protocol for all is a compromise, where it is one; in words that the page has too. */
export function writeByTree({ regretPercent, byTreePercent }: Omit<Advice, 'text'>): readonly string[] {
  if (byTreePercent === undefined) return [];
  return [
    `One protocol for everything is a compromise: pages take ${percentInWords(regretPercent)} longer than with the best one for each page and link.`,
    `If you can choose by page or visitor, follow the decision tree: with it they take ${percentInWords(byTreePercent)} longer.`,
  ];
}

function writeOpen({ open }: Omit<Advice, 'text'>): string {
  const { conditions, of, unmeasured, worthPercent } = open;
  if (conditions === 0) return 'Every answer is settled.';
  const some = `Still open: ${conditions} of ${of} ${of === 1 ? 'condition' : 'conditions'}`;
  if (unmeasured === conditions) return `${some}, not measured yet.`;
  const worth = `would save at most ${percentInWords(Math.max(0.1, worthPercent))}`;
  if (unmeasured === 0) return `${some}. Settling ${conditions === 1 ? 'it' : 'them'} ${worth}.`;
  return `${some}. ${unmeasured} of them ${unmeasured === 1 ? 'is' : 'are'} not measured yet. Settling ${conditions - unmeasured === 1 ? 'the other' : 'the others'} ${worth}.`;
}
