import { rmSync } from 'node:fs';
import type { Summary } from '../findings/summary.ts';
import { percentInWords } from '../model/wording.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { meanOf } from '../stats/order.ts';
import { PROJECT } from '../system/tools.ts';
import { measureInto, readStudy } from './child-study.ts';
import { type Answered, type Regret, regretOf } from './regret.ts';

/** Studies like the default one, each with its own random choices. */
const SEEDS = [1, 2, 3, 4, 5] as const;
/** An answer that costs more is wrong. */
const MARGIN_PERCENT = 3;
const ASKED = { loads: 350, settled: 16, firstAnswersS: 60, regretPercent: 1.5 } as const;

/** The folders of the studies stay. */
const FOLDER = `${PROJECT}reports/out/bench-answers`;
/** Thirty blocks of each condition, which answers are held against: those that this machine has measured, or the sample's. */
const TRUTHS = { own: `${FOLDER}/truth`, sample: `${PROJECT}reports/samples/today-truth` } as const;

/**
 * `photofinish bench answers`: what answers of the default study cost, by thirty blocks of each condition; 1 where that, or what a
 * study comes to in its five minutes, is not what is asked. It takes half an hour. What a study comes to follows from how quick the
 * machine is, which is told by its pages without a link: a host that other guests share is not as quick at all times.
 */
export async function benchAnswers(print: (line: string) => void): Promise<number> {
  const own = readStudy(TRUTHS.own)?.summary;
  const truth = own?.finished ? own : readStudy(TRUTHS.sample)!.summary;
  print(
    `The truth: ${truth.loads.counted} loads of the same conditions, in ${truth === own ? TRUTHS.own : TRUTHS.sample}`,
  );
  if (truth !== own)
    print(`To measure it here: npx photofinish measure --study today --exactly 30 --out ${TRUTHS.own}`);
  const rows: AnswersRow[] = [];
  for (const seed of SEEDS) {
    rmSync(`${FOLDER}/seed-${seed}`, { recursive: true, force: true });
    const study = await measureInto(`${FOLDER}/seed-${seed}`, ['--study', 'today', '--seed', `${seed}`]);
    const { summary } = study;
    rows.push({
      seed,
      ...comeTo(summary),
      firstAnswersS: firstAnswersOf(summary, study.answeredS),
      floorMs: floorOf(summary),
      ...regretOf(summary, truth, MARGIN_PERCENT),
    });
    print(renderTable(COLUMNS, rows.slice(-1)));
  }
  print(`\n${renderTable(COLUMNS, rows)}`);
  const regretPercent = meanOf(rows.map((each) => each.regretPercent));
  print(
    `\nAsked: ${ASKED.loads} loads counted or all that there are to make, ${ASKED.settled} conditions settled, a first answer for every link within ${ASKED.firstAnswersS} s, an extra time of ${ASKED.regretPercent} % on average: it is ${percentInWords(regretPercent)}.`,
  );
  return regretPercent <= ASKED.regretPercent && rows.every(isAsAsked) ? 0 : 1;
}

/** What became of one study. */
export interface AnswersRow extends Regret {
  readonly seed: number;
  readonly loads: number;
  /** Whether it had measured all that there was to measure before its five minutes were over. */
  readonly finished: boolean;
  readonly settled: number;
  /** When every link had a first answer; never where one has none. */
  readonly firstAnswersS: number;
  /** How long its pages took without a link, on average: how quick the machine was meanwhile. */
  readonly floorMs: number;
}

/** Whether a study came to what is asked; one that has nothing left to measure need not count more loads. */
export function isAsAsked({
  loads,
  finished,
  settled,
  firstAnswersS,
}: Pick<AnswersRow, 'loads' | 'finished' | 'settled' | 'firstAnswersS'>): boolean {
  return (finished || loads >= ASKED.loads) && settled >= ASKED.settled && firstAnswersS <= ASKED.firstAnswersS;
}

function comeTo({ loads, finished, conditions }: Summary): Pick<AnswersRow, 'loads' | 'finished' | 'settled'> {
  return { loads: loads.counted, finished, settled: conditions.filter(({ answer }) => answer?.settled).length };
}

/** When the last link had its first answer. */
export function firstAnswersOf({ conditions }: Answered, answered: ReadonlyMap<string, number>): number {
  const byLink = Map.groupBy(conditions, ({ link }) => JSON.stringify(link));
  const first = [...byLink.values()].map((own) =>
    Math.min(...own.map(({ id }) => answered.get(id) ?? Number.POSITIVE_INFINITY)),
  );
  return Math.max(...first);
}

/** How long pages took without a link, on average over all conditions and arms. */
export function floorOf({ conditions }: Pick<Summary, 'conditions'>): number {
  return meanOf(conditions.flatMap(({ floorMs = {} }) => Object.values(floorMs)));
}

const COLUMNS: readonly TerminalColumn<AnswersRow>[] = [
  { title: 'seed', align: 'right', text: ({ seed }) => `${seed}` },
  { title: 'loads', align: 'right', text: ({ loads, finished }) => `${finished ? 'all: ' : ''}${loads}` },
  { title: 'settled', align: 'right', text: ({ settled }) => `${settled}` },
  { title: 'first answers', align: 'right', text: ({ firstAnswersS }) => `${firstAnswersS.toFixed(0)} s` },
  { title: 'pages without a link', align: 'right', text: ({ floorMs }) => `${floorMs.toFixed(0)} ms` },
  { title: 'extra time', align: 'right', text: ({ regretPercent }) => percentInWords(regretPercent) },
  { title: 'sure, over 3 %', align: 'right', text: ({ surelyWrong, sure }) => `${surelyWrong} of ${sure}` },
  { title: 'at worst', text: ({ worst }) => `${percentInWords(worst.percent)} (${worst.title})` },
];
