import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from '../findings/summary.ts';
import { EnvironmentError } from '../model/errors.ts';
import { percentInWords } from '../model/wording.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { meanOf } from '../stats/order.ts';
import { PROJECT } from '../system/tools.ts';
import { measureApart } from './child-study.ts';

/** Studies like the default one, each with its own random choices. */
const SEEDS = [1, 2, 3, 4, 5] as const;
/** What its answers are held against: the same conditions, each with this many blocks. */
const TRUE_BLOCKS = 30;
const ASKED = { loads: 350, settled: 16, firstAnswersS: 60, regretPercent: 1.5 } as const;

/** The folders of the studies stay: the long one serves again where it is whole. */
const FOLDER = `${PROJECT}reports/out/bench-answers`;

/**
 * `photofinish bench answers`: what answers of the default study cost, by thirty blocks of each condition; 1 where that, or what a
 * study comes to in its five minutes, is not what is asked. It takes an hour.
 */
export async function benchAnswers(print: (line: string) => void): Promise<number> {
  print(`The truth: ${TRUE_BLOCKS} blocks of each condition, in ${FOLDER}/truth`);
  const truth = await measure('truth', ['--study', 'today', '--exactly', `${TRUE_BLOCKS}`, '--budget', '90']);
  if (!truth.summary.finished) throw new EnvironmentError('it is not whole yet: run this bench again to go on with it');
  const rows: AnswersRow[] = [];
  for (const seed of SEEDS) {
    rmSync(join(FOLDER, `seed-${seed}`), { recursive: true, force: true });
    const { summary, firstAnswersS } = await measure(`seed-${seed}`, ['--study', 'today', '--seed', `${seed}`]);
    rows.push({ seed, ...comeTo(summary), firstAnswersS, ...regretOf(summary, truth.summary) });
    print(renderTable(COLUMNS, rows.slice(-1)));
  }
  print(`\n${renderTable(COLUMNS, rows)}`);
  const regretPercent = meanOf(rows.map((each) => each.regretPercent));
  print(
    `\nAsked: ${ASKED.loads} loads counted, ${ASKED.settled} conditions settled, a first answer for every link within ${ASKED.firstAnswersS} s, an extra time of ${ASKED.regretPercent} % on average: it is ${percentInWords(regretPercent)}.`,
  );
  return regretPercent <= ASKED.regretPercent && rows.every(isAsAsked) ? 0 : 1;
}

/** What became of one study. */
export interface AnswersRow extends Regret {
  readonly seed: number;
  readonly loads: number;
  readonly settled: number;
  /** When every link had a first answer; never where one has none. */
  readonly firstAnswersS: number;
}

/** What answers cost. */
export interface Regret {
  /** How much longer what they serve takes than the best arm does, on average over all conditions. */
  readonly regretPercent: number;
  readonly worst: { readonly title: string; readonly percent: number };
  /** How many answers that are sure or proven cost more than the margin, and how many are sure or proven. */
  readonly surelyWrong: number;
  readonly sure: number;
}

function isAsAsked({ loads, settled, firstAnswersS }: AnswersRow): boolean {
  return loads >= ASKED.loads && settled >= ASKED.settled && firstAnswersS <= ASKED.firstAnswersS;
}

function comeTo({ loads, conditions }: Summary): Pick<AnswersRow, 'loads' | 'settled'> {
  return { loads: loads.counted, settled: conditions.filter(({ answer }) => answer?.settled).length };
}

/** The margin within which another arm is as good, in percent. */
const MARGIN_PERCENT = 3;

type Answered = Pick<Summary, 'conditions'>;

/** What the answers of a study cost by the medians of a longer one with the same conditions. */
export function regretOf({ conditions }: Answered, truth: Answered): Regret {
  const costs = conditions.map(({ id, title, answer }) => {
    const arms = truth.conditions.find((each) => each.id === id)!.arms;
    const best = Math.min(...Object.values(arms).map(({ medianMs = Number.POSITIVE_INFINITY }) => medianMs));
    const served = answer && (arms[answer.serve]?.medianMs ?? Number.POSITIVE_INFINITY);
    const isSure = answer?.sureness === 'sure' || answer?.sureness === 'proven';
    return { title, percent: served === undefined ? 100 : 100 * (served / best - 1), isSure };
  });
  const { title, percent } = costs.reduce((worst, each) => (each.percent > worst.percent ? each : worst));
  return {
    regretPercent: meanOf(costs.map((each) => each.percent)),
    worst: { title, percent },
    surelyWrong: costs.filter((each) => each.isSure && each.percent > MARGIN_PERCENT).length,
    sure: costs.filter(({ isSure }) => isSure).length,
  };
}

/** Runs a study as its users do, in a folder of that name; goes on with it where there is one. */
async function measure(name: string, words: readonly string[]) {
  const out = join(FOLDER, name);
  const asked = existsSync(join(out, 'study.sqlite')) ? ['--budget', '90'] : words;
  const beganMs = performance.now();
  const answeredS = new Map<string, number>();
  for await (const event of measureApart([...asked, '--out', out])) {
    const isFirst = event.event === 'answer' && !answeredS.has(event.condition);
    if (isFirst) answeredS.set(event.condition, (performance.now() - beganMs) / 1000);
  }
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  return { summary, firstAnswersS: firstAnswersOf(summary, answeredS) };
}

/** When the last link had its first answer. */
export function firstAnswersOf({ conditions }: Answered, answered: ReadonlyMap<string, number>): number {
  const byLink = Map.groupBy(conditions, ({ link }) => JSON.stringify(link));
  const first = [...byLink.values()].map((own) =>
    Math.min(...own.map(({ id }) => answered.get(id) ?? Number.POSITIVE_INFINITY)),
  );
  return Math.max(...first);
}

const COLUMNS: readonly TerminalColumn<AnswersRow>[] = [
  { title: 'seed', align: 'right', text: ({ seed }) => `${seed}` },
  { title: 'loads', align: 'right', text: ({ loads }) => `${loads}` },
  { title: 'settled', align: 'right', text: ({ settled }) => `${settled}` },
  { title: 'first answers', align: 'right', text: ({ firstAnswersS }) => `${firstAnswersS.toFixed(0)} s` },
  { title: 'extra time', align: 'right', text: ({ regretPercent }) => percentInWords(regretPercent) },
  { title: 'sure, over 3 %', align: 'right', text: ({ surelyWrong, sure }) => `${surelyWrong} of ${sure}` },
  { title: 'at worst', text: ({ worst }) => `${percentInWords(worst.percent)} (${worst.title})` },
];
