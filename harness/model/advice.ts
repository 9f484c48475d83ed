import { type ArmRegrets, type Decision, type Gain, isSure, type Sureness } from './answer.ts';
import type { TreeSubject } from './tree.ts';
import { withoutCapital } from './wording.ts';

/** A condition as the advice needs it. */
export interface AdviceCondition {
  readonly id: string;
  /** What people call it: `article over fibre`. */
  readonly title: string;
  /** The name of its page. */
  readonly site: string;
  /** The link that visitors of this kind have, by its name. */
  readonly profile: string;
  /** How much of its profile's traffic it has, beside the profile's other conditions; absent: as much as each. */
  readonly part?: number;
  /** Undefined where it was not measured. */
  readonly decision?: Decision | undefined;
  /** Whether none of its loads came to their end, so that there is no decision. */
  readonly fails?: boolean;
}

/** Shares of the traffic by link profile, in any unit. */
export type Mix = Readonly<Record<string, number>>;

/** The condition in which what is advised does worst. */
export interface Worst {
  readonly condition: string;
  /** How much longer loads take there. */
  readonly percent: number;
  /** In how many conditions loads take longer, it among them. */
  readonly slowerIn: number;
  /** The arm that loads are compared with: the one that is served today, or where that is advised, the best one. */
  readonly than: string;
}

/** The condition in which what is advised does best, beside what is served today. */
export interface Best {
  readonly condition: string;
  /** How much less time loads take there. */
  readonly percent: number;
}

/** What is best without the visitors of one link, where that is not what is best with them. */
export interface WithoutLink {
  readonly link: string;
  /** The arm that is the fastest on average, and those that are within the margin of it; the fastest first. */
  readonly best: readonly string[];
  /** How much faster the fastest is than the advised arm, in percent; 0 where that is the fastest. */
  readonly fasterPercent: number;
  /**
   * The share of the traffic, from 0 to 1, from which the advised arm is faster than each other one by more than the margin, if the
   * other links keep their shares among themselves. Absent where that takes more than the link has.
   */
  readonly fromShare?: number | undefined;
}

/** What is not known well enough yet. */
export interface OpenQuestions {
  /** Those whose answer is not settled, those that were not measured among them. */
  readonly conditions: number;
  readonly unmeasured: number;
  /** How many conditions of this traffic there are in all, without those of which no load came to its end. */
  readonly of: number;
  /** How much load time, over the traffic that was measured, knowing all of them for certain could save at most. */
  readonly worthPercent: number;
}

/** What serving the advised arm does to some visitors. */
interface AdviceFor {
  /** The arm with the least expected regret. */
  readonly serve: string;
  /** The other arms that are within the margin of the best with a chance of 80 % or more. */
  readonly asGood: readonly string[];
  readonly sureness: Sureness;
  /** How much longer loads take with `serve` than with each condition's best arm, on average, in percent. */
  readonly regretPercent: number;
}

/** What to serve to a mix of visitors, and what that is worth. */
export interface Advice extends AdviceFor {
  /** Shares of the traffic that was measured; they add up to 1. */
  readonly mix: Mix;
  /** Profiles of the mix that no condition has, or none that was measured. */
  readonly unmeasured: readonly string[];
  /** Conditions of this traffic of which no load came to its end; absent where there is none. */
  readonly failing?: readonly string[] | undefined;
  /** The gain over what is served today. */
  readonly gain: Gain;
  /** Where it does worst; absent where loads take no longer anywhere. */
  readonly worst?: Worst | undefined;
  /** Where it does best; absent where loads take less time nowhere, and where it is what is served today. */
  readonly best?: Best | undefined;
  /** The link that the advice hangs on most; absent where it is the same without any single link. */
  readonly without?: WithoutLink | undefined;
  readonly open: OpenQuestions;
  /** What loads cost beside each condition's best arm, in percent, where one serves what the tree says; absent where that
   * is not clearly less than by one arm for all. */
  readonly byTreePercent?: number;
  /** What the questions of that tree are about. */
  readonly byTreeAsks?: readonly TreeSubject[];
  /** Whether it counts on browsers that know of HTTP/3 before they visit. */
  readonly assumesKnownH3: boolean;
  readonly byProfile: readonly ProfileAdvice[];
  /**
   * The advice for each page that was measured over all its links. Absent where there is one page or one link, or more than
   * links and pages in which conditions differ.
   */
  readonly byPage?: readonly PageAdvice[];
  /** What loads cost beside each condition's best arm, in percent, where each page has its own arm; absent until all have one. */
  readonly byPagePercent?: number;
  readonly text: string;
}

/** The line of advice for HTTP/3 that says what it leaves out. */
export const FIRST_VISITS = 'First visits: they may be slower, and were not measured.';

/** What the column is called that has a page's advice. */
export const ALL_LINKS = 'all links';

/** The advice for one page over all links, weighed as the whole is. */
export interface PageAdvice extends AdviceFor {
  /** Its name. */
  readonly site: string;
  /** What serving its own arm gains over what is served today. */
  readonly gain: Gain;
  /** What is to be expected of each arm. */
  readonly arms: ArmRegrets;
}

/** The advice for the visitors of one profile alone. */
export interface ProfileAdvice extends AdviceFor {
  readonly profile: string;
  readonly share: number;
  /** What the advice for the whole mix gains them, over what is served today. */
  readonly gain: Gain;
}

/** Percentage points by which the decision tree has to be better than one arm for all, for the tree to be the advice. */
const DIVIDED_BY_POINTS = 10;

/**
 * Whether the decision tree is the advice, since one arm for everything costs clearly more. A tree that asks about links
 * alone is none: a server cannot follow it.
 */
export function hasNoOneArm({
  regretPercent,
  byTreePercent,
  byTreeAsks = [],
}: Pick<Advice, 'regretPercent' | 'byTreePercent' | 'byTreeAsks'>): boolean {
  if (byTreePercent === undefined || !byTreeAsks.includes('page')) return false;
  return regretPercent - byTreePercent > DIVIDED_BY_POINTS;
}

/** Up to this number of links each has its name in a sentence. */
const NAMED_LINKS = 6;

/**
 * The links whose best arms are told in a sentence: those that have an answer, if they are not too many. Undefined where all of them
 * have the same, and where there are two links, of which the rest of the advice tells.
 */
export function linksApart({ byProfile }: Pick<Advice, 'byProfile'>): readonly ProfileAdvice[] | undefined {
  const known = byProfile.filter(({ sureness }) => sureness !== 'open');
  const answers = new Set(known.map(({ serve, asGood }) => JSON.stringify([serve, ...asGood].sort())));
  return answers.size > 1 && byProfile.length > 2 && known.length <= NAMED_LINKS ? known : undefined;
}

/** What to serve where the answer depends on who visits; which arm is the best for which link comes after it. */
export const DEPENDS_ON_VISITORS = 'It depends on your visitors';

/**
 * Whether the answer depends on who visits: not even that there is a gain over what is served today is known of all visitors
 * alike, and no arm is good for each link that has an answer.
 */
export function dependsOnVisitors(advice: Omit<Advice, 'text'>): boolean {
  const { serve, sureness, gain, mix } = advice;
  if (serve === gain.over || gain.interval[0] >= 0 || isSure(sureness)) return false;
  const links = isUneven(mix) || hasNoOneArm(advice) ? undefined : linksApart(advice);
  if (!links) return false;
  const best = links.map((link) => [link.serve, ...link.asGood]);
  return !best[0]!.some((arm) => best.every((own) => own.includes(arm)));
}

/** The choice of one arm where the decision tree is the advice: `If it has to be one, serve HTTP/1.1.` */
export function ifOne(choice: string): string {
  return `If it has to be one, ${withoutCapital(choice)}`;
}

/**
 * An example of shares for `--mix`, of links that were measured, but for the one that an answer hangs on; undefined where there
 * are too few that can be written in an option.
 */
export function exampleMix({ mix, without }: Pick<Advice, 'mix' | 'without'>): string | undefined {
  const [one, other] = Object.keys(mix).filter((link) => link !== without?.link && !/[=,]/.test(link));
  return other === undefined ? undefined : `--mix ${one}=70,${other}=30`;
}

/** Whether some links have more of the traffic than others: without a mix all have like shares. */
export function isUneven(mix: Mix): boolean {
  const shares = Object.values(mix);
  return Math.max(...shares) - Math.min(...shares) > 1e-9;
}
