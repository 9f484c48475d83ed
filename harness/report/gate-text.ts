import { namesArm } from '../model/answer.ts';
import type { Check, CheckAnswer, CheckOutcome, GateFindings } from '../model/gate.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import { counted } from './counted.ts';

/** What there is to say of a gate besides its checks. */
export interface GateContext {
  /** The study's name. */
  readonly study: string;
  /** The options that were given, as one would write them. */
  readonly asked: readonly string[];
  /** Whether an unknown outcome fails the gate, too. */
  readonly strict: boolean;
  /** What a reader should know before believing it: sentences without their full stops. */
  readonly notes: readonly string[];
  /** Blocks that a condition needs at least before an interval of the gate has two ends. */
  readonly fewestBlocks: number;
}

const MARKS: Readonly<Record<CheckOutcome, string>> = { held: 'held', unknown: 'UNKNOWN', broken: 'BROKEN' };

/** A gate's findings as text on the terminal, with what broke and the conclusion last, where one looks. */
export function renderGate(findings: GateFindings, context: GateContext): string {
  const { checks } = findings;
  const lines = (['held', 'unknown', 'broken'] as const).flatMap((outcome) =>
    checks
      .filter((check) => check.outcome === outcome)
      .map((check) => `${MARKS[outcome].padEnd(7)}  ${check.kind.padEnd(14)}  ${describeCheck(check)}`),
  );
  const parts = [
    `Study ${context.study}: ${context.asked.join(' ')}`,
    lines.join('\n'),
    ...(context.notes.length > 0 ? [context.notes.map((note) => `Note: ${note}.`).join('\n')] : []),
    concludeGate(findings, context),
  ];
  return parts.join('\n\n');
}

/** A check in a sentence: what it is about, by how much, how surely, and the limit. */
export function describeCheck(check: Check): string {
  const { title, arm, unfit, limit, unit, kind } = check;
  const allowed = `${quantity(limit, unit)}${kind === 'no-slower-than' ? ' more' : ''} allowed`;
  if (unfit !== undefined) return `${title}: nothing can be said of ${arm} (${unfit}); ${allowed}`;
  const answer = check.answer ? `; the study's answer: ${describeAnswer(check.answer, arm)}` : '';
  return `${title}: ${DESCRIPTIONS[kind](check)}; ${allowed} [${describeBasis(check)}]${answer}`;
}

/** What the study would serve there, and what it expects of the arm that is served. */
function describeAnswer({ serve, asGood, sureness, marginPercent, regretPercent }: CheckAnswer, arm: string): string {
  const names = inWords([serve, ...asGood], 'or');
  const within = `within ${percentInWords(marginPercent)} of the best`;
  if (namesArm({ serve, asGood }, arm)) return `${names}, ${within} (${sureness})`;
  return `${names}, ${within} (${sureness}); ${arm} is expected to take ${percentInWords(regretPercent)} longer`;
}

const DESCRIPTIONS: Readonly<Record<Check['kind'], (check: Check) => string>> = {
  'max-regret': describeRegret,
  'max-mix-regret': describeRegret,
  'max-plt': ({ arm, unit, estimate, low, high }) => {
    const middle = quantity(estimate, unit);
    const what = middle === undefined ? `${arm}'s median load does not finish` : `${arm}'s median load takes ${middle}`;
    return `${what} (${range({ low: low > 0 ? low : Number.NEGATIVE_INFINITY, high, unit })})`;
  },
  'no-slower-than': ({ arm, unit, estimate, low, high }) => {
    const ends = { low: low > -100 ? low : Number.NEGATIVE_INFINITY, high, unit };
    const sure = high <= -100 ? CERTAIN : range(ends, signed);
    if (estimate === Number.POSITIVE_INFINITY)
      return `${arm} finished in the earlier study, and does not now (${sure})`;
    if (estimate <= -100) return `${arm} finishes now, and did not in the earlier study (${sure})`;
    return `${arm} takes ${quantity(Math.abs(estimate), unit)} ${estimate < 0 ? 'less' : 'more'} time than in the earlier study (${sure})`;
  },
};

function describeRegret({ arm, against, unit, estimate, low, high }: Check): string {
  const most = quantity(high, unit);
  const middle = quantity(estimate, unit);
  if (middle === undefined) return `how much longer ${arm} takes than ${against ?? 'the fastest'} cannot be said`;
  if (estimate > 0) {
    const ends = { low: high === Number.POSITIVE_INFINITY && low === 0 ? Number.NEGATIVE_INFINITY : low, high, unit };
    return `${arm} takes ${middle} longer than ${against ?? 'the fastest'} (${range(ends)})`;
  }
  if (high === 0) return `${arm} is the fastest`;
  return `${arm} is the fastest so far (${most === undefined ? NOTHING_CERTAIN : `it may take up to ${most} longer`})`;
}

const CERTAIN = 'that is certain';
const NOTHING_CERTAIN = 'nothing is certain yet';

/** An interval in words. */
function range({ low, high, unit }: Pick<Check, 'low' | 'high' | 'unit'>, write = number): string {
  const [hasLow, hasHigh] = [low > Number.NEGATIVE_INFINITY, high < Number.POSITIVE_INFINITY];
  if (low === Number.POSITIVE_INFINITY) return CERTAIN;
  if (hasLow && hasHigh) return `${write(low)} to ${write(high)} ${unit}`;
  if (hasLow) return `at least ${write(low)} ${unit}`;
  return hasHigh ? `at most ${write(high)} ${unit}` : NOTHING_CERTAIN;
}

function signed(value: number): string {
  const size = number(Math.abs(value));
  if (size === '0') return size;
  return value < 0 ? `−${size}` : `+${size}`;
}

function describeBasis({ blocks, failed }: Check): string {
  const measured = counted(blocks, 'block');
  return failed === 0 ? measured : `${measured}, ${failed} failed`;
}

/** A value with its unit; undefined where it is not finite. */
function quantity(value: number, unit: Check['unit']): string | undefined {
  return Number.isFinite(value) ? `${number(value)} ${unit}` : undefined;
}

/** A number in words, whole from ten on. */
function number(value: number): string {
  return `${Number(value.toFixed(Math.abs(value) < 9.95 ? 1 : 0))}`;
}

/** What a failed gate asks for. */
const MEND = 'To pass, make the page faster, serve the faster arm if the line names one, or raise the limit.';

/** What to measure so that less is unknown: a gate's limits hold at once, which few blocks cannot show. */
function tellMore(checks: GateFindings['checks'], { fewestBlocks }: GateContext): string {
  const hasTooFew = checks.some(({ outcome, blocks }) => outcome === 'unknown' && blocks < fewestBlocks);
  if (!hasTooFew) return 'A study with more blocks tells more (measure --exactly N).';
  return `The gate's own intervals need ${fewestBlocks} blocks in a condition: npx photofinish measure --exactly ${fewestBlocks} or more gives them.`;
}

/** What it all comes to, and what the figures may be taken for. */
export function concludeGate({ checks, outcome, passed, comparisons }: GateFindings, context: GateContext): string {
  const count = (which: CheckOutcome) => checks.filter((check) => check.outcome === which).length;
  const [held, unknown, broken] = [count('held'), count('unknown'), count('broken')];
  const told = [
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(held > 0 ? [`${held} held`] : []),
  ];
  const sure = `At most 5 % of the gates that should pass fail by chance. The ${comparisons} intervals are wide enough for all of them to hold at once.`;
  const more =
    unknown === 0
      ? []
      : [
          `Unknown: the blocks prove neither that the limit is kept nor that it is broken. ${context.strict ? 'With --strict the gate then fails.' : 'Without --strict the gate then passes.'} ${tellMore(checks, context)}`,
        ];
  const verdict = passed
    ? 'The gate passes'
    : outcome === 'broken'
      ? 'The gate fails'
      : 'The gate fails because of what is unknown';
  const mend = broken === 0 ? [] : [MEND];
  return [sure, ...more, ...mend, `${verdict}: of ${checks.length} checks ${told.join(', ')}.`].join('\n');
}
