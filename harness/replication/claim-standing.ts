import { CONFIDENCE } from '../comparison/rules.ts';
import type { HoldsIn } from '../model/paper.ts';
import type { ClaimStanding } from '../model/then-and-now.ts';
import { binomialCdf } from '../stats/binomial.ts';
import type { AnsweredCase } from './answer.ts';

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
