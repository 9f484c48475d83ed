import { wholeTrials } from '../comparison/records.ts';
import { floorMsOf, isWeighty } from '../measurement/floor.ts';
import type { Asked, Paper, PaperClaim, Question, Range } from '../model/paper.ts';
import type { Condition } from '../model/study.ts';
import type { CaseNumber, ClaimFinding, ThenAndNow } from '../model/then-and-now.ts';
import type { Leaf, Tree } from '../model/tree.ts';
import { percentInWords } from '../model/wording.ts';
import { median } from '../stats/order.ts';
import { type AnsweredCase, alikeBy, answerCase, FOLLOWS } from './answer.ts';
import { type Cases, casesOf } from './cases.ts';
import { claimStandingOf, drawnStandingOf, type JudgedClaim } from './claim-standing.ts';
import { drawCase, withDraws } from './drawn-answer.ts';
import { type JudgedStudy, type MeasuredSource, measuredSource } from './measured.ts';
import { expandPlaces } from './places.ts';
import { printedSource } from './printed.ts';
import { type Source, type Spot, TIMES } from './source.ts';
import { compareTables } from './tables.ts';
import { compareLeaves } from './tree-leaves.ts';
import { type TypicalFigures, typicalFigures } from './typical-figures.ts';
import { describeMeasured, describeNumber, describeQuestion } from './wording.ts';

/** Asks our measurements what a paper claims, claim by claim, and sets its figures beside ours. */
export function compareWithPaper(paper: Paper, study: JudgedStudy, tree?: Tree<Leaf>): ThenAndNow {
  const source = measuredSource(paper, study);
  const printed = printedSource(paper);
  const machines = machinesConditions(study);
  const typical = typicalFigures(source, study.plan.seed);
  return {
    paper: paper.name,
    short: paper.short,
    citation: paper.citation,
    task: paper.task,
    claims: paper.claims.map((claim) => judgeClaim(claim, { paper, study, source, typical, printed, machines })),
    tables: compareTables(paper, source, study),
    tree:
      paper.tree && tree
        ? compareLeaves(paper.tree, paper, { plan: study.plan, spots: source.spots, tree })
        : undefined,
    notes: paper.notes,
  };
}

/** The conditions in which this machine's processor takes much of the load time of an arm. */
function machinesConditions(study: JudgedStudy): ReadonlySet<string> {
  const { plan, measurements } = study;
  const byCondition = Map.groupBy(wholeTrials(measurements, plan.arms), ({ condition }) => condition);
  const isMachines = (condition: Condition) =>
    plan.arms.some(({ name }) => {
      const floorMs = floorMsOf(study, condition, name);
      const times = (byCondition.get(condition.id) ?? []).flatMap((each) =>
        each.status === 'ok' && each.arm === name ? each.pltMs : [],
      );
      return floorMs !== undefined && times.length > 0 && isWeighty(floorMs, median(times));
    });
  return new Set(plan.conditions.filter(isMachines).map(({ id }) => id));
}

interface Sources {
  readonly paper: Paper;
  readonly study: JudgedStudy;
  readonly source: MeasuredSource;
  readonly typical: TypicalFigures;
  readonly printed: Source;
  /** Conditions in whose times the machine had a part. */
  readonly machines: ReadonlySet<string>;
}

function judgeClaim(claim: PaperClaim, sources: Sources): ClaimFinding {
  const { paper, study, source, printed, machines } = sources;
  const { id, says, where, published, reads, question, notes = [] } = claim;
  const isMachines = (spots: readonly Spot[]) => spots.some(({ condition }) => condition && machines.has(condition));
  const found = casesOf(question, source, paper);
  const otherRule = question.asks.kind === 'beats' ? describeOtherRule(paper, study) : undefined;
  const { answers, ...judged } = judgeAnswers(found, question, sources, otherRule === undefined);
  const asked = describeQuestion(question, paper, expandPlaces(question.where).length);
  const own = compareOwnFigures(question, paper, printed);
  return {
    id,
    says,
    where,
    published,
    ...judged,
    notes,
    asks: reads === undefined ? asked : `${asked} (${reads})`,
    measured: describeMeasured(answers),
    lacks:
      judged.standing === 'not comparable' ? (otherRule ?? describeLack(answers, found, question, source)) : undefined,
    ...claimedRange(question.asks),
    cases: answers.map(({ case: { title, spots }, answer, numbers }) => ({
      title,
      answer,
      numbers,
      conditions: [...new Set(spots.flatMap(({ condition }) => condition ?? []))],
    })),
    missing: found.missing,
    missingCases: found.missingCases,
    cpuBoundCases: isAboutTime(question.asks) ? answers.filter(({ case: { spots } }) => isMachines(spots)).length : 0,
    ownFigures: own,
  };
}

/**
 * What became of a claim, and what was found in each place: what intervals prove of it, or else what is sure or likely by
 * what they leave possible.
 */
function judgeAnswers(
  found: Cases,
  question: Question,
  { paper, study: { plan }, source, typical }: Sources,
  isComparable: boolean,
): JudgedClaim & { readonly answers: readonly AnsweredCase[] } {
  const { asks, holdsIn } = question;
  const answers = answerAll(found, question, { paper, source });
  if (!isComparable) return { standing: 'not comparable', answers };
  const proven = claimStandingOf(answers, found.missingCases, holdsIn);
  if (proven !== 'not comparable') return { standing: proven, sureness: 'proven', answers };
  const drawing = {
    asks,
    source,
    typical,
    alike: alikeBy(paper.margin, asks),
    share: plan.rule.share,
    seed: plan.seed,
  };
  const drawn = found.cases.map((each) => drawCase(each, drawing));
  return {
    ...drawnStandingOf(drawn, found.missingCases, holdsIn),
    answers: answers.map((each, index) => withDraws(each, drawn[index])),
  };
}

/** Whether a question is about time: the machine does not decide how even, how large or how many things are. */
function isAboutTime(asks: Asked): boolean {
  if (asks.kind === 'beats') return true;
  return 'figure' in asks && (TIMES.has(asks.figure) || asks.figure === 'wireDownKbps');
}

function claimedRange(asks: Asked): Pick<ClaimFinding, 'claimed'> {
  if ('range' in asks) return { claimed: asks.range };
  return asks.kind === 'follows' ? { claimed: FOLLOWS } : {};
}

function answerAll(
  { cases }: Cases,
  { asks }: Question,
  { paper, source }: { readonly paper: Paper; readonly source: Source },
): readonly AnsweredCase[] {
  const count = cases.reduce((sum, { parts }) => sum + parts.length, 0);
  return cases.map((each) => answerCase(each, { asks, source, margin: paper.margin, count }));
}

/** What a paper calls better is no question of ours where ours is another rule, or decides by something else. */
function describeOtherRule({ rule }: Paper, { plan }: JudgedStudy): string | undefined {
  if (plan.metric !== 'plt') return `what decided here is ${plan.metric}, not the load time`;
  if (rule === undefined || (rule.advantage === plan.rule.advantage && rule.share === plan.rule.share))
    return undefined;
  const tell = ({ advantage, share }: typeof rule) =>
    `${percentInWords(100 * advantage)} in more than ${percentInWords(100 * share)} of all blocks`;
  return `better is another thing here (${tell(plan.rule)}) than in the paper (${tell(rule)})`;
}

function describeLack(
  answers: readonly AnsweredCase[],
  { missingCases, missing }: Cases,
  question: Question,
  source: Source,
): string {
  if (answers.length === 0) return `not measured here: ${inShort(missing)}`;
  const open = answers.filter(({ answer }) => answer === 'open');
  const isBarren = ({ case: { spots }, numbers }: AnsweredCase) =>
    spots.every((spot) => source.blocksOf(spot) > 0) && numbers.some(({ blocks }) => blocks === 0);
  const partOf = (says: string, own: readonly AnsweredCase[]) =>
    own.length > 0
      ? [`${says} in ${own.length} of ${answers.length} (${inShort(own.map((each) => each.case.title))})`]
      : [];
  const untold = open.filter((each) => !isBarren(each));
  const parts = [
    ...partOf('too little measured to tell', untold),
    ...describeNeed(untold, question),
    ...partOf('what failed leaves nothing to compare', open.filter(isBarren)),
    ...(missingCases > 0
      ? [`${missingCases} of ${answers.length + missingCases} not measured here (${inShort(missing)})`]
      : []),
  ];
  const so = answers.filter(({ answer }) => answer === 'so').length;
  return parts.join('; ') || `so in ${so} of ${answers.length}: too near to what is claimed to tell`;
}

/** No study measures more blocks of a condition than this. */
const MOST_BLOCKS = 1000;

/** With how many blocks what is open would be told, as far as intervals get narrower with the root of their number. */
function describeNeed(open: readonly AnsweredCase[], { asks, holdsIn }: Question): readonly string[] {
  if (!('range' in asks)) return [];
  const needs = open.flatMap(({ numbers }) => {
    const each = numbers.flatMap((number) => blocksNeeded(number, asks.range) ?? []);
    return each.length > 0 ? [Math.max(...each)] : [];
  });
  if (needs.length === 0) return [];
  const need = typeof holdsIn === 'object' ? median(needs) : Math.max(...needs);
  if (need > MOST_BLOCKS) return ['no number of blocks would tell: it is too near to what is claimed'];
  return [`about ${Math.ceil(need)} blocks of each would tell`];
}

/** With how many blocks the interval of a ratio would not reach any end of the range; undefined where it reaches none. */
function blocksNeeded({ unit, interval, blocks }: CaseNumber, { above, below }: Range): number | undefined {
  const [low, high] = interval?.map(Math.log) ?? [];
  if (unit !== 'ratio' || low === undefined || high === undefined || !Number.isFinite(high - low)) return undefined;
  const ends = [above, below].flatMap((end) => (end === undefined ? [] : Math.log(end)));
  const distance = Math.min(...ends.map((end) => Math.abs((low + high) / 2 - end)));
  const reach = (high - low) / 2;
  return distance < reach ? blocks * (reach / distance) ** 2 : undefined;
}

const NAMED = 3;

function inShort(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Whether what a paper printed is as it says, where it printed enough of it; what is otherwise is named. */
function compareOwnFigures(
  question: Question,
  paper: Paper,
  printed: Source,
): NonNullable<ClaimFinding['ownFigures']> | undefined {
  const { holdsIn } = question;
  const answers = answerAll(casesOf(question, printed, paper), question, { paper, source: printed });
  if (answers.length === 0) return undefined;
  const others = answers.filter(({ answer }) => answer !== 'so');
  const so = answers.length - others.length;
  const named = others.map(({ case: { title }, numbers }) => `${title}: ${numbers.map(describeNumber).join(', ')}`);
  return {
    agree:
      typeof holdsIn === 'object'
        ? so > holdsIn.moreThan * answers.length
        : (so === answers.length) === (holdsIn === 'each'),
    exceptions: holdsIn === 'not each' ? 0 : others.length,
    says:
      others.length === 0
        ? describeMeasured(answers)
        : `true in ${so} of ${answers.length}, false in ${named.join('; ')}`,
  };
}
