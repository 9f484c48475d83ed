import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PRESETS, studySources } from '../../harness/commands/sources.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { parseStudyFile } from '../../harness/study/study-file.ts';

const TEXTS = PRESETS.map((name) => readFileSync(`harness/study/presets/${name}.yaml`, 'utf8'));
const STRANGE = [
  '\u0000',
  '\u001b[2J',
  '&a [*a]',
  '!!js/function',
  '{{',
  '- ',
  '\t',
  '__proto__: {}',
  '1e999',
  '"',
  ': ',
  '../',
  '%',
  '\ud800',
];
const MUTATIONS = 1_000;
const LIMIT_MS = 5_000;

/** A text with a few pieces of it changed, left out, said twice, or in each other's place. */
function mutate(text: string, random: () => number): string {
  const at = () => Math.floor(random() * text.length);
  let mutated = text;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const [from, length] = [at(), Math.floor(random() * 40)];
    const piece = mutated.slice(from, from + length);
    const strange = STRANGE[Math.floor(random() * STRANGE.length)]!;
    const instead = [strange, '', piece + piece, mutated.slice(at(), at() + 20), `${Math.floor(random() * 1e9)}`];
    mutated = mutated.slice(0, from) + instead[Math.floor(random() * instead.length)] + mutated.slice(from + length);
  }
  return mutated;
}

test(`of ${MUTATIONS} mutated study files each is a study or refused in a line, soon`, () => {
  const random = seededRandom(22);
  const sources = studySources();
  let refused = 0;
  for (let number = 0; number < MUTATIONS; number += 1) {
    const text = mutate(TEXTS[number % TEXTS.length]!, random);
    const beganMs = performance.now();
    try {
      parseStudyFile(text, 'my.yaml', sources);
    } catch (error) {
      if (!(error instanceof UsageError)) throw new Error(`${JSON.stringify(text)}`, { cause: error });
      refused += 1;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    expect(performance.now() - beganMs).toBeLessThan(LIMIT_MS);
  }
  expect(refused).toBeGreaterThan(MUTATIONS / 4);
  expect(refused).toBeLessThan(MUTATIONS);
});
