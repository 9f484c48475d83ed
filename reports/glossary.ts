import { AS_GOOD_FROM, SETTLED_LAUNCHES } from '../harness/comparison/rules.ts';
import { LIKELY_BELOW, SURE_BELOW } from '../harness/model/answer.ts';
import type { Rule } from '../harness/model/comparison.ts';
import { type Child, element, lead, section } from './elements.ts';
import type { Part } from './part.ts';
import type { Report } from './report.ts';
import { openNotes } from './tooltip.ts';
import { percent, unbroken } from './wording.ts';

/** A word of the report with what it means; `also` are other forms of it that a text may have. */
interface Term {
  readonly word: string;
  readonly also?: readonly string[];
  readonly means: (rule: Rule) => string;
}

/** The words that a web developer may not know, in the order of the alphabet. */
const TERMS: readonly Term[] = [
  {
    word: 'arm',
    also: ['arms'],
    means: () =>
      'What is compared: a protocol, or a protocol in some particular way, from a certain server for example.',
  },
  {
    word: 'as good',
    means: ({ advantage }) =>
      `Within ${percent(100 * advantage)} of the best arm, with a chance of ${percent(100 * AS_GOOD_FROM)} or more.`,
  },
  {
    word: 'block',
    also: ['blocks'],
    means: () =>
      'Every arm loads the page once, in random order, one right after the other. What drifts in the machine or the network affects all of them alike.',
  },
  {
    word: 'condition',
    also: ['conditions'],
    means: () => 'One page over one connection, from one server, in one kind of visit.',
  },
  {
    word: 'faster',
    means: () => 'How much less time it takes. If A takes 18 % less time than B, B takes 22 % more than A.',
  },
  {
    word: 'gain',
    means: () => 'How much faster pages load than with the protocol that is served today.',
  },
  {
    word: 'likely',
    means: ({ advantage }) =>
      `The chance that another protocol is faster by more than ${percent(100 * advantage)} is below ${percent(100 * LIKELY_BELOW)}.`,
  },
  {
    word: 'open',
    means: () => 'Not even likely yet. More loads would tell.',
  },
  {
    word: 'predicted',
    means: () => 'Not measured: the decision tree says it, from conditions that were measured.',
  },
  {
    word: 'proven',
    means: () =>
      'A test shows that no other protocol beats the advised one. At most 5 % of all proofs of a study are false.',
  },
  {
    word: 'regret',
    also: ['Regret'],
    means: () =>
      'How much longer pages load with an arm than with the best one. The advice has the least expected regret.',
  },
  {
    word: 'self-test',
    also: ['Self-test'],
    means: () =>
      'Each study measures the same protocol twice, which must tie, and a page that is delayed on purpose, which must be found slower.',
  },
  {
    word: 'settled',
    means: () =>
      `The answer is sure or proven, and rests on ${SETTLED_LAUNCHES} launches of the browsers or more. The condition gets no more blocks.`,
  },
  {
    word: 'sure',
    means: ({ advantage }) =>
      `The chance that another protocol is faster by more than ${percent(100 * advantage)} is below ${percent(100 * SURE_BELOW)}.`,
  },
  {
    word: 'void',
    means: () =>
      'A load that does not count because something other than its arm went wrong. Its block is measured again.',
  },
  {
    word: 'worst case',
    means: () => 'The condition in which the advised protocol loses most.',
  },
];

const BY_FORM = new Map(TERMS.flatMap((term) => [term.word, ...(term.also ?? [])].map((form) => [form, term])));
const FORMS = new RegExp(`\\b(${[...BY_FORM.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\b`);

/** A text in which the words of the glossary explain themselves when they are pointed at, each once. */
export function explained({ data }: Pick<Report, 'data'>, text: string): readonly Child[] {
  const told = new Set<Term>();
  return text.split(FORMS).map((piece, index) => {
    const term = index % 2 === 1 ? BY_FORM.get(piece) : undefined;
    if (!term || told.has(term)) return piece;
    told.add(term);
    const word = element('span', { class: 'term', tabindex: 0 }, piece);
    openNotes()(word, () => [element('p', {}, unbroken(term.means(data.summary.rule)))]);
    return word;
  });
}

/** All words at the end of the report. */
export function drawGlossary({ data }: Report): Part {
  const words = TERMS.flatMap(({ word, means }) => [
    element('dt', {}, word),
    element('dd', {}, unbroken(means(data.summary.rule))),
  ]);
  return {
    node: section(
      'glossary',
      'Glossary',
      lead('What the words of this report mean. Dotted words explain themselves when you point at them.'),
      element('dl', { class: 'glossary' }, ...words),
    ),
    title: 'Glossary',
    show: () => {},
    update: () => {},
  };
}
