import { wholeTrials } from '../comparison/records.ts';
import { floorMsOf, isWeighty } from '../measurement/floor.ts';
import type { Asked, Paper, PaperClaim, Question } from '../model/paper.ts';
import type { Condition } from '../model/study.ts';
import type { ClaimFinding, ThenAndNow } from '../model/then-and-now.ts';
import type { Leaf, Tree } from '../model/tree.ts';
import { percentInWords } from '../model/wording.ts';
import { median } from '../stats/order.ts';
import { type AnsweredCase, answerCase, FOLLOWS } from './answer.ts';
import { type Cases, casesOf } from './cases.ts';
import { claimStandingOf } from './claim-standing.ts';
import { type JudgedStudy, measuredSource } from './measured.ts';
import { expandPlaces } from './places.ts';
import { printedSource } from './printed.ts';
import { type Source, type Spot, TIMES } from './source.ts';
import { compareTables } from './tables.ts';
import { compareLeaves } from './tree-leaves.ts';
import { describeMeasured, describeNumber, describeQuestion } from './wording.ts';

/** Asks our measurements what a paper claims, claim by claim, and sets its figures beside ours. */
export function compareWithPaper(paper: Paper, study: JudgedStudy, tree?: Tree<Leaf>): ThenAndNow {
  const source = measuredSource(paper, study);
  const printed = printedSource(paper);
  const machines = machinesConditions(study);
  return {
    paper: paper.name,
    short: paper.short,
    citation: paper.citation,
    task: paper.task,
    claims: paper.claims.map((claim) => judgeClaim(claim, { paper, study, source, printed, machines })),
    tables: compareTables(paper, source, study),
    ...(paper.tree &&
      tree && { tree: compareLeaves(paper.tree, paper, { plan: study.plan, spots: source.spots, tree }) }),
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
  readonly source: Source;
  readonly printed: Source;
  /** Conditions in whose times the machine had a part. */
  readonly machines: ReadonlySet<string>;
}

function judgeClaim(claim: PaperClaim, { paper, study, source, printed, machines }: Sources): ClaimFinding {
  const { id, says, where, published, reads, question, notes = [] } = claim;
  const isMachines = (spots: readonly Spot[]) => spots.some(({ condition }) => condition && machines.has(condition));
  const found = casesOf(question, source, paper);
  const answers = answerAll(found, question, { paper, source });
  const otherRule = question.asks.kind === 'beats' ? describeOtherRule(paper, study) : undefined;
  const standing =
    otherRule === undefined ? claimStandingOf(answers, found.missingCases, question.holdsIn) : 'not comparable';
  const asked = describeQuestion(question, paper, expandPlaces(question.where).length);
  const own = compareOwnFigures(question, paper, printed);
  return {
    id,
    says,
    where,
    published,
    standing,
    notes,
    asks: reads === undefined ? asked : `${asked} (${reads})`,
    measured: describeMeasured(answers),
    ...(standing === 'not comparable' && { lacks: otherRule ?? describeLack(answers, found, source) }),
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
    ...(own && { ownFigures: own }),
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
  { paper, source }: Pick<Sources, 'paper' | 'source'>,
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

function describeLack(answers: readonly AnsweredCase[], { missingCases, missing }: Cases, source: Source): string {
  if (answers.length === 0) return `not measured here: ${inShort(missing)}`;
  const open = answers.filter(({ answer }) => answer === 'open');
  const isBarren = ({ case: { spots }, numbers }: AnsweredCase) =>
    spots.every((spot) => source.blocksOf(spot) > 0) && numbers.some(({ blocks }) => blocks === 0);
  const partOf = (says: string, own: readonly AnsweredCase[]) =>
    own.length > 0
      ? [`${says} in ${own.length} of ${answers.length} (${inShort(own.map((each) => each.case.title))})`]
      : [];
  const parts = [
    ...partOf(
      'too little measured to tell',
      open.filter((each) => !isBarren(each)),
    ),
    ...partOf('what failed leaves nothing to compare', open.filter(isBarren)),
    ...(missingCases > 0
      ? [`${missingCases} of ${answers.length + missingCases} not measured here (${inShort(missing)})`]
      : []),
  ];
  const so = answers.filter(({ answer }) => answer === 'so').length;
  return parts.join('; ') || `so in ${so} of ${answers.length}: too near to what is claimed to tell`;
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
        : `so in ${so} of ${answers.length}, not so in ${named.join('; ')}`,
  };
}
