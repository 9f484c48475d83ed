import { isLess } from './costs.ts';
import type { Question, Scale } from './questions.ts';

/**
 * Finds the question that makes some cases cost least with one answer on either side; of several the one with the widest gap,
 * or the first.
 */
export type BestQuestion = (cases: readonly number[]) => Question | undefined;

/** A scale and what is summed up along it: the places are filled again for each set of cases. */
interface Walk extends Scale {
  /** By level, then by answer: what the cases of that level cost. */
  readonly sums: Float64Array;
  /** By question: what the best answers to both of its sides cost. */
  readonly costs: Float64Array;
}

/**
 * Asks every question at once. As each question of a scale says yes wherever the one before it does, its sums are those
 * of the one before and a little more: a case is looked at once for each scale, and not for each question. A search
 * spends most of its time here, so nothing is allocated again from call to call.
 *
 * `cost` is by case and within it by answer.
 */
export function bestQuestion(scales: readonly Scale[], cost: Float64Array, answers: number): BestQuestion {
  const walks = scales.map(({ questions, level }) => ({
    questions,
    level,
    sums: new Float64Array((questions.length + 1) * answers),
    costs: new Float64Array(questions.length),
  }));
  const total = new Float64Array(answers);
  return (cases) => {
    let best: Question | undefined;
    let least = 0;
    for (const walk of walks) {
      sumUp(walk, cases, cost, answers);
      walk.costs.fill(0);
      addSides(walk, total, 1);
      addSides(walk, total, -1);
      for (let index = 0; index < walk.costs.length; index += 1) {
        const [question, costs] = [walk.questions[index]!, walk.costs[index]!];
        if (!best || isLess(costs, least) || (question.gap > best.gap && !isLess(least, costs)))
          [best, least] = [question, costs];
      }
    }
    return best;
  };
}

function sumUp({ level, sums }: Walk, cases: readonly number[], cost: Float64Array, answers: number): void {
  sums.fill(0);
  for (let index = 0; index < cases.length; index += 1) {
    const from = cases[index]! * answers;
    const to = level[cases[index]!]! * answers;
    for (let answer = 0; answer < answers; answer += 1) sums[to + answer]! += cost[from + answer]!;
  }
}

/** Adds to each question what one of its sides costs: the yes sides going up the levels, the no sides going down. */
function addSides({ sums, costs }: Walk, total: Float64Array, step: 1 | -1): void {
  total.fill(0);
  for (let done = 0; done < costs.length; done += 1) {
    const level = step === 1 ? done : costs.length - done;
    let least = Number.POSITIVE_INFINITY;
    for (let answer = 0; answer < total.length; answer += 1) {
      total[answer]! += sums[level * total.length + answer]!;
      if (total[answer]! < least) least = total[answer]!;
    }
    costs[step === 1 ? done : level - 1]! += least;
  }
}
