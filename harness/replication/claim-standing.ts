import { CONFIDENCE } from '../comparison/rules.ts';
import { DRAWS } from '../comparison/typical.ts';
import { LIKELY_BELOW, SURE_BELOW } from '../model/answer.ts';
import type { HoldsIn } from '../model/paper.ts';
import type { ClaimFinding, ClaimStanding } from '../model/then-and-now.ts';
import { binomialCdf } from '../stats/binomial.ts';
import { chanceOf, meanOfDraws } from '../stats/draws.ts';
import { combinedDoubt } from '../stats/fisher.ts';
import type { AnsweredCase } from './answer.ts';
import type { DrawnCase } from './drawn-answer.ts';

/** An interval has its end on the wrong side of the truth this often. */
const DOUBT = (1 - CONFIDENCE) / 2;

/**
 * What the answers come to, with 95 % confidence for the claim as a whole. Of many cases some are told wrongly by chance,
 * so that more must be told than the claim itself needs:
 *
 *     each       holds where all that were measured are so; no longer where one is not beyond the doubt that looking at
 *                that many brings, or more are not than chance accounts for; reversed where all are the opposite
 *     not each   the other way round
 *     moreThan   holds where more are so than could be if the true share were no larger; no longer likewise; reversed
 *                where as many are the opposite. What was not measured counts as open
 */
export function claimStandingOf(
  answers: readonly Pick<AnsweredCase, 'answer' | 'isSurelyNot'>[],
  missingCases: number,
  holdsIn: HoldsIn,
): ClaimStanding {
  const count = (which: AnsweredCase['answer']) => answers.filter(({ answer }) => answer === which).length;
  const [so, opposite] = [count('so'), count('opposite')];
  const not = count('not so') + opposite;
  const all = answers.length;
  if (all === 0) return 'not comparable';
  if (holdsIn === 'each' || holdsIn === 'not each') {
    const isRefuted = not > 0 && (answers.some(({ isSurelyNot }) => isSurelyNot) || isBeyondChance(not, all, DOUBT));
    if (holdsIn === 'not each') return isRefuted ? 'holds' : so === all ? 'no longer' : 'not comparable';
    if (so === all) return 'holds';
    if (opposite === all) return 'reversed';
    return isRefuted ? 'no longer' : 'not comparable';
  }
  const places = all + missingCases;
  /** The most places that may agree where the claim is false. */
  const most = Math.floor(holdsIn.moreThan * places + 1e-9);
  if (isBeyondChance(so - most, places - most, 2 * DOUBT)) return 'holds';
  if (isBeyondChance(opposite - most, places - most, 2 * DOUBT)) return 'reversed';
  return isBeyondChance(not - (places - most - 1), most + 1, 2 * DOUBT) ? 'no longer' : 'not comparable';
}

/** Whether `wrong` or more of these are told wrongly by chance no more often than is allowed. */
function isBeyondChance(wrong: number, among: number, allowed: number): boolean {
  return wrong > 0 && 1 - binomialCdf(wrong - 1, among, DOUBT) <= allowed;
}

/** What became of a claim, and how sure that is. */
export type JudgedClaim = Pick<ClaimFinding, 'standing' | 'sureness'>;

/**
 * What possible truths say of a claim where intervals leave it open: what it comes to in 97.5 % of them is sure, in 80 %
 * likely. A case of which nothing is known speaks neither for the claim nor against it.
 *
 *     each       holds where all cases are so; no longer where a case is not, of which there is the more doubt the more
 *                was looked at, or where all together say so; reversed where all are the opposite
 *     moreThan   holds where more cases are so than the claim needs; no longer where too few can be
 */
export function drawnStandingOf(
  cases: readonly (DrawnCase | undefined)[],
  missingCases: number,
  holdsIn: HoldsIn,
): JudgedClaim {
  const drawn = cases.filter((each) => each !== undefined);
  if (drawn.length === 0) return { standing: 'not comparable' };
  const isSparse = drawn.some((each) => each.isSparse);
  const found = (typeof holdsIn === 'object' ? outlookOnMany : outlookOnEach)(drawn, {
    all: cases.length,
    missingCases,
    holdsIn,
  }).find(({ doubt }) => doubt < LIKELY_BELOW);
  if (!found) return { standing: 'not comparable' };
  const { standing, doubt } = found;
  return { standing, sureness: doubt < SURELY_BELOW && !isSparse ? 'sure' : 'likely' };
}

/** Draws of a few noisy blocks are a little too sure: with half of the doubt at most 5 % of what is called sure is wrong. */
const SURELY_BELOW = SURE_BELOW / 2;

/** What a claim may have come to, and the chance that it did not, the strongest statement first. */
type Outlook = readonly { readonly standing: ClaimStanding; readonly doubt: number }[];

interface Looked {
  /** Cases with figures, of which some may be too few for draws. */
  readonly all: number;
  readonly missingCases: number;
  readonly holdsIn: HoldsIn;
}

function outlookOnEach(drawn: readonly DrawnCase[], { all, holdsIn }: Looked): Outlook {
  const isWhole = drawn.length === all;
  const doubtOfEach = (which: 'so' | 'opposite') =>
    isWhole ? 1 - shareOfDraws(drawn, which, (count) => count === drawn.length) : 1;
  const [each, any] = [doubtOfEach('so'), doubtOfAny(drawn)];
  if (holdsIn === 'not each')
    return [
      { standing: 'holds', doubt: any },
      { standing: 'no longer', doubt: each },
    ];
  return [
    { standing: 'holds', doubt: each },
    { standing: 'reversed', doubt: doubtOfEach('opposite') },
    { standing: 'no longer', doubt: any },
  ];
}

/** Cases in groups: each shares a place with another of its group, and none with one of another group. */
function sharingPlaces(drawn: readonly DrawnCase[]): readonly (readonly DrawnCase[])[] {
  return drawn.reduce<readonly (readonly DrawnCase[])[]>((groups, each) => {
    const isShared = (own: readonly DrawnCase[]) =>
      own.some(({ spots }) => spots.some((spot) => each.spots.includes(spot)));
    return [...groups.filter((own) => !isShared(own)), [...groups.filter(isShared).flat(), each]];
  }, []);
}

/** How much of the doubt each way to refute a claim may have: one case that is not so, and all of them together. */
const PARTS_OF_DOUBT = { one: 0.8, together: 0.2 } as const;

/**
 * How much doubt there is that any case is not so. One may say so by itself, or many may hint at it: no load that fails, of three in
 * each of eight places, is not by chance where most fail. Cases that share a place are not independent, and count as one.
 */
function doubtOfAny(drawn: readonly DrawnCase[]): number {
  const byPlace = sharingPlaces(drawn).map((own) => ({
    looks: own.reduce((sum, { parts }) => sum + parts, 0),
    // Among a number of draws a doubt that none shows may be as large as that of one.
    doubt: Math.max(1 / DRAWS, Math.min(...own.map(({ not }) => 1 - meanOfDraws(not)))),
  }));
  const looks = byPlace.reduce((sum, place) => sum + place.looks, 0);
  const one = looks * Math.min(...drawn.map(({ not }) => 1 - meanOfDraws(not)));
  const together = combinedDoubt(byPlace.map((place) => Math.min(1, place.looks * place.doubt)));
  return Math.min(1, one / PARTS_OF_DOUBT.one, together / PARTS_OF_DOUBT.together);
}

function outlookOnMany(drawn: readonly DrawnCase[], { all, missingCases, holdsIn }: Looked): Outlook {
  const places = all + missingCases;
  const { moreThan } = holdsIn as Exclude<HoldsIn, string>;
  const most = Math.floor(moreThan * places + 1e-9);
  const doubtOf = (which: keyof DrawnCounts, isEnough: (count: number) => boolean) =>
    1 - shareOfDraws(drawn, which, isEnough);
  return [
    { standing: 'holds', doubt: doubtOf('so', (count) => count > most) },
    { standing: 'reversed', doubt: doubtOf('opposite', (count) => count > most) },
    { standing: 'no longer', doubt: doubtOf('not', (count) => count >= places - most) },
  ];
}

type DrawnCounts = Pick<DrawnCase, 'so' | 'not' | 'opposite'>;

/** In which share of the draws the number of cases that are so is as it should be. */
function shareOfDraws(
  drawn: readonly DrawnCounts[],
  which: keyof DrawnCounts,
  isAsked: (count: number) => boolean,
): number {
  return chanceOf(drawn[0]![which], (_, draw) => isAsked(drawn.reduce((sum, each) => sum + each[which][draw]!, 0)));
}
