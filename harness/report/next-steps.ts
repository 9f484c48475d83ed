import type { Summary } from '../findings/summary.ts';
import { unsettledOf } from '../findings/unsettled.ts';
import { dependsOnVisitors, exampleMix, isUneven } from '../model/advice.ts';
import { isSure } from '../model/answer.ts';
import { titleOfArm } from '../model/arm.ts';
import { DEFAULT_SERVER } from '../model/server.ts';
import { counted } from './counted.ts';
import { describeTime } from './progress.ts';
import { whereToSetTcp } from './slow-start-text.ts';

/** Something that is worth doing after a study, and the command that does it. */
export interface NextStep {
  readonly step: 'go-on' | 'own-page' | 'record' | 'first-visits' | 'gate' | 'weigh' | 'tcp';
  readonly says: string;
  readonly command: string;
}

/** The parts of commands that a summary does not know. */
export interface StudyWords {
  /** The command that continues the study. */
  readonly goOn: string;
  /** The study's folder, as commands name it. */
  readonly folder: string;
  /** Options that name the study's pages; empty where all of these come with Photofinish. */
  readonly ownPages: string;
  /** The option for the device that the browser emulates; absent: the default one. */
  readonly device?: string | undefined;
  /** The address of a page whose server speaks no HTTP/3. */
  readonly withoutH3?: string | undefined;
}

/** No more than a reader does. */
const MOST_STEPS = 4;

/**
 * What to do after a study, the most useful first: where it is not sure what to serve, that is found out before anything is
 * done with it, unless it depends on who visits; elsewhere the person's own page and first visits come first.
 */
export function nextSteps(summary: Summary, words: StudyWords): readonly NextStep[] {
  const { advice } = summary;
  const goesOnFirst = !isSure(advice?.sureness) && !(advice && dependsOnVisitors(advice));
  const goOn = continuing(summary, words);
  return [
    ...(goesOnFirst ? goOn : []),
    ...recording(words),
    ...ownPage(summary, words),
    ...weighing(summary, words),
    ...settingTcp(summary, words),
    ...firstVisits(summary, words),
    ...(goesOnFirst ? [] : goOn),
    ...guarding(summary, words),
  ].slice(0, MOST_STEPS);
}

function isCompared({ conditions }: Summary): boolean {
  return Object.keys(conditions[0]!.arms).length > 1;
}

function continuing(summary: Summary, { goOn }: StudyWords): readonly NextStep[] {
  if (summary.finished || !isCompared(summary)) return [];
  return [{ step: 'go-on', says: describeLeft(summary), command: goOn }];
}

/** How long what is left takes, and what that comes to. */
function describeLeft({ stopping, leftSeconds, conditions }: Summary): string {
  if (leftSeconds === undefined) return 'Continue this study';
  const time = describeTime(1000 * leftSeconds);
  if (stopping.kind === 'exactly') return `Finish this study, about ${time}`;
  if (stopping.until === 'proven') return `Prove the answers, or that there is no proof, about ${time}`;
  const { conditions: open, getMore } = unsettledOf(conditions);
  if (open === 0) return `Settle what is open, about ${time}`;
  if (open < conditions.length)
    return `Settle ${getMore} more ${getMore === 1 ? 'condition' : 'conditions'} in ${time}`;
  return `Settle the ${open === 1 ? 'condition' : counted(open, 'condition')}, about ${time}`;
}

function recording({ withoutH3 }: StudyWords): readonly NextStep[] {
  if (withoutH3 === undefined) return [];
  const says = 'See what HTTP/3 would do: record the page, then measure the recording with --site mine';
  return [{ step: 'record', says, command: `npx photofinish record ${withoutH3} mine` }];
}

/** Answers about samples are a beginning; a person who repeats a paper does not ask about a page. */
function ownPage({ thenAndNow, offers, advice }: Summary, { ownPages }: StudyWords): readonly NextStep[] {
  if (thenAndNow || ownPages !== '') return [];
  const study = offers ? '--study switch-on ' : '';
  const command = `npm run measure -- ${study}--site ./dist`;
  if (offers || !hangsOnLink(advice)) return [{ step: 'own-page', says: 'Measure your own page', command }];
  return [{ step: 'own-page', says: 'Measure your page', command: `${command} --mix 4g=70,cable=30` }];
}

/** An answer that hangs on one link is weighed by the visitors of the links that were measured. */
function weighing({ thenAndNow, advice }: Summary, { goOn, ownPages }: StudyWords): readonly NextStep[] {
  const mix = advice && hangsOnLink(advice) ? exampleMix(advice) : undefined;
  if (thenAndNow || ownPages === '' || !mix) return [];
  return [{ step: 'weigh', says: 'Get the answer for your visitors', command: `${goOn} ${mix}` }];
}

/**
 * Where varying delay kept TCP's windows short, today's protocol may gain as much by another setting of TCP's. No step where that was
 * measured here, and where the page is one of several or at an address, whose server has its own setting.
 */
function settingTcp({ advice, conditions }: Summary, { ownPages, device }: StudyWords): readonly NextStep[] {
  const served = advice?.gain.over;
  if (!advice?.assumesKnownH3 || advice.serve !== 'h3' || (served !== 'h1' && served !== 'h2')) return [];
  const where = whereToSetTcp(conditions, served);
  const isOther = ownPages.includes('://') || ownPages.split('--site ').length > 2;
  if (!where || isOther || Object.hasOwn(where.arms, `${served}-bbr`)) return [];
  const page = ownPages === '' ? `--site ${where.site}` : ownPages;
  const server = where.server === DEFAULT_SERVER ? undefined : `--server ${where.server}`;
  const options = [page, `--link ${where.link.name}`, server, device, `--arms ${served},${served}-bbr,h3`];
  const command = `npm run measure -- ${options.filter(Boolean).join(' ')}`;
  return [
    {
      step: 'tcp',
      says: `BBR, a TCP setting, may make ${titleOfArm({ name: served, protocol: served })} as fast as HTTP/3 over ${where.link.name}`,
      command,
    },
  ];
}

function hangsOnLink(advice: Summary['advice']): boolean {
  return advice !== undefined && (advice.without !== undefined || dependsOnVisitors(advice)) && !isUneven(advice.mix);
}

function firstVisits({ advice }: Summary, { ownPages, device }: StudyWords): readonly NextStep[] {
  if (!advice?.assumesKnownH3) return [];
  const command = ['npm run measure -- --study switch-on', ownPages, device].filter(Boolean).join(' ');
  return [{ step: 'first-visits', says: 'First visits may be slower', command }];
}

/** How much longer pages may take than at best before a build fails, in percent. */
const GATE_PERCENT = 5;

/** A gate that would fail at once guards nothing. */
function guarding({ finished, advice, offers }: Summary, { folder, ownPages }: StudyWords): readonly NextStep[] {
  if (!finished || !advice || offers || ownPages === '' || advice.regretPercent > GATE_PERCENT) return [];
  const command = `npx photofinish gate ${folder} --serve ${advice.serve} --max-regret ${GATE_PERCENT}%`;
  return [{ step: 'gate', says: 'Have a build fail where this is no longer so', command }];
}
