import type { Summary } from '../findings/summary.ts';
import { EnvironmentError } from '../model/errors.ts';
import { percentInWords } from '../model/wording.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import { PROJECT } from '../system/tools.ts';
import { writeWhole } from '../system/write-whole.ts';
import { measureInto, readStudy } from './child-study.ts';
import { regretOf } from './regret.ts';

/** How many conditions its answers are held against, and by how many blocks of each. */
const CHECKED = { conditions: 12, blocks: 30, seed: 2015 } as const;
const MOST_MINUTES = 60;

/** The folders of both studies stay: one that is whole serves again. */
const FOLDER = `${PROJECT}reports/out/bench-answers-2015`;

/**
 * `photofinish bench answers-2015`: whether settled answers of the study of 2015 agree with thirty blocks of each of twelve
 * conditions chosen at random; 1 where one that is sure costs more than the rule's margin. It takes two hours.
 */
export async function benchAnswers2015(print: (line: string) => void): Promise<number> {
  const words = ['--study', 'kramer2015', '--until', 'settled', '--budget', `${MOST_MINUTES}`];
  // A second run judges the same answers: more time would make others of them.
  const { summary } = readStudy(`${FOLDER}/settled`) ?? (await measureInto(`${FOLDER}/settled`, words));
  const settled = summary.conditions.filter(({ answer }) => answer?.settled).length;
  print(
    `${summary.conditions.length} conditions in ${Math.round(summary.wallSeconds / 60)} min: ${settled} settled, ${summary.loads.counted} loads`,
  );
  const chosen = chooseConditions(summary);
  writeWhole(`${FOLDER}/truth.yaml`, studyOf(chosen));
  const truth = await measureInto(`${FOLDER}/truth`, ['--study', `${FOLDER}/truth.yaml`]);
  if (!truth.summary.finished) throw new EnvironmentError('it is not whole yet: run this bench again to go on with it');
  const marginPercent = 100 * summary.rule.advantage;
  const rows = chosen.map((condition): Row => {
    const alone = regretOf({ conditions: [condition] }, truth.summary, marginPercent);
    return { condition, percent: alone.regretPercent };
  });
  print(renderTable(COLUMNS, rows));
  const all = regretOf({ conditions: chosen }, truth.summary, marginPercent);
  print(
    `\nExtra time ${percentInWords(all.regretPercent)} on average. ${all.surelyWrong} of ${all.sure} sure answers cost more than ${percentInWords(marginPercent)}.`,
  );
  return all.surelyWrong === 0 ? 0 : 1;
}

type Condition = Summary['conditions'][number];

interface Row {
  readonly condition: Condition;
  readonly percent: number;
}

function chooseConditions({ conditions }: Summary): readonly Condition[] {
  return shuffled(conditions, seededRandom(CHECKED.seed, 'conditions')).slice(0, CHECKED.conditions);
}

/** A study of these conditions alone, as a file. */
function studyOf(conditions: readonly Condition[]): string {
  const grids = conditions.map(({ site, link }) => ({ sites: [site], links: [`${link.name}`] }));
  // JSON is YAML.
  return JSON.stringify({
    name: 'truth-2015',
    grids,
    arms: ['h1', 'h2', 'h3'],
    rule: 'kramer2015',
    exactly: CHECKED.blocks,
  });
}

const COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'condition', text: ({ condition }) => condition.title },
  { title: 'serve', text: ({ condition: { answer } }) => (answer ? [answer.serve, ...answer.asGood].join('=') : '–') },
  { title: '', text: ({ condition: { answer } }) => answer?.sureness ?? '' },
  { title: 'blocks', align: 'right', text: ({ condition }) => `${condition.blocks}` },
  { title: 'extra time', align: 'right', text: ({ percent }) => percentInWords(percent) },
];
