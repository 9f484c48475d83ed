/*
 * The language of everything that a user sees: texts of the program, of the report and of the documentation.
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Where texts for users are made. Servers' configurations, SQL and rules of the kernel's firewall are for programs. */
const SPEAKING = globSync([
  'harness/{advice,commands,findings,gate,model,report,study,setup}/**/*.{ts,mjs}',
  'harness/replication/**/*.ts',
  'harness/{measurement,browser,network,run,site,store,system}/**/*.ts',
  'harness/cli.ts',
  'reports/**/*.ts',
]);
const COMMENTED = globSync(['harness/**/*.{ts,mjs}', 'reports/{,*/}*.ts', 'sites/**/*.ts', 'test/**/*.{ts,mjs}']);
const PAGES = globSync(['*.md', '{harness,sites,nginx,reports,test}/**/*.md'], {
  exclude: (path) => /node_modules|reports\/out|sites\/recorded/.test(path),
});

/** Texts that had to be read twice, and words for programs that are for people alone. */
const REFUSED: readonly RegExp[] = [
  /after so long/i,
  /comes to what it would have come to/i,
  /nobody's to/i,
  /\bwhoever\b/i,
  /\bso many\b/i,
  /\bwill not do\b/i,
  /\blikewise\b/i,
  /grown without a condition it is right/i,
  /\bis not told\b/i,
  /\bnobody (?:here|watch|knows|saw)/i,
  /\bthe harness\b/i,
  /\bcomes to its end\b/i,
  /\bis begun\b/i,
  /\bof use only\b/i,
  /\d+\/\d+ (?:decided|closed)/i,
];

const LONGEST = 220;

interface Text {
  readonly line: number;
  readonly text: string;
}

interface Words {
  /** The string literals; what a template fills in stands as `…`. Regular expressions are none. */
  readonly texts: readonly Text[];
  /** What comments say, each in one line and without its marks. */
  readonly comments: readonly Comment[];
}

interface Comment extends Text {
  /** Whether an editor shows it on hover. */
  readonly isDoc: boolean;
}

/** What a program says: to its users in texts, to its readers in comments. */
function wordsOf(code: string): Words {
  const texts: Text[] = [];
  const comments: Comment[] = [];
  const scan = (from: number, until: string): number => {
    let at = from;
    while (at < code.length && code[at] !== until) {
      if (code.startsWith('//', at)) at = comment(at, endOf('\n', at));
      else if (code.startsWith('/*', at)) at = comment(at, endOf('*/', at) + 2);
      else if (code[at] === "'" || code[at] === '"') at = literal(at);
      else if (code[at] === '`') at = template(at);
      else if (code[at] === '{') at = scan(at + 1, '}') + 1;
      else if (code[at] === '/' && /(?:[(,=:[!&|?{};>\n]|return)\s*$/.test(code.slice(Math.max(0, at - 20), at)))
        at += /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(code.slice(at))?.[0].length ?? 1;
      else at += 1;
    }
    return at;
  };
  const endOf = (what: string, at: number) => (code.indexOf(what, at) === -1 ? code.length : code.indexOf(what, at));
  const lineAt = (at: number) => code.slice(0, at).split('\n').length;
  const keep = (at: number, text: string) => texts.push({ line: lineAt(at), text });
  const comment = (start: number, end: number): number => {
    const lines = code.slice(start, end).split('\n');
    const text = lines.map((line) => line.replace(/^\s*(?:\/\/|\/?\*+(?!\/))|\s*\*+\/$/g, '').trim()).join(' ');
    comments.push({ line: lineAt(start), text: text.trim(), isDoc: code.startsWith('/**', start) });
    return end;
  };
  const literal = (start: number): number => {
    const [whole] = /^(['"])(?:\\.|(?!\1)[^\n])*\1/.exec(code.slice(start)) ?? [];
    if (whole === undefined) throw new Error(`no end of the text that begins with ${code.slice(start, start + 40)}`);
    keep(start, whole.slice(1, -1));
    return start + whole.length;
  };
  const template = (start: number): number => {
    let [at, text] = [start + 1, ''];
    while (code[at] !== '`') {
      if (code.startsWith('${', at)) {
        at = scan(at + 2, '}') + 1;
        text += '…';
      } else {
        const length = code[at] === '\\' ? 2 : 1;
        text += code.slice(at, at + length);
        at += length;
      }
    }
    keep(start, text);
    return at + 1;
  };
  scan(0, '');
  return { texts, comments };
}

test('texts and comments are found in a program, and nothing else is', () => {
  const code = `const a = /'no'/; // 'no'\n/* 'no' */ f('it\\'s', \`x \${b ? \`in \${'deep'}\` : "q"} y\`);`;
  const { texts, comments } = wordsOf(`${code}\n/**\n * Of two\n * lines.\n */`);
  expect(comments).toEqual([
    { line: 1, text: "'no'", isDoc: false },
    { line: 2, text: "'no'", isDoc: false },
    { line: 3, text: 'Of two lines.', isDoc: true },
  ]);
  expect(texts).toEqual([
    { line: 2, text: "it\\'s" },
    { line: 2, text: 'deep' },
    { line: 2, text: 'in …' },
    { line: 2, text: 'q' },
    { line: 2, text: 'x … y' },
  ]);
});

/** What looks like a sentence rather than like code. */
const isProse = (text: string) => / [a-z]+ [a-z]+/.test(text) && !/[{};]\n|^\s*(?:CREATE|PRAGMA|table )/.test(text);

describe.each(SPEAKING)('%s', (file) => {
  const { texts } = wordsOf(readFileSync(file, 'utf8'));
  const told = texts.filter(({ text }) => isProse(text));

  test('says nothing that has to be read twice', () => {
    expect(told.filter(({ text }) => REFUSED.some((phrase) => phrase.test(text)))).toEqual([]);
  });

  test('keeps its texts short', () => {
    const lines = told.flatMap(({ line, text }) => text.split(/\n|\\n/).map((part) => ({ line, text: part })));
    expect(lines.filter(({ text }) => text.length > LONGEST)).toEqual([]);
  });
});

/** How a doc comment begins that makes no sense on hover, since it leans on the one before. */
const MID_SENTENCE = /^(?:Of|The same|Likewise|As|Whose)\b/;
/** Phrases that take a program for a person, or leave open how many of a thing there are. */
const REFUSED_IN_COMMENTS: readonly RegExp[] = [
  /\b(?:so many|so much|after so long)\b/i,
  /\bnobody (?:asks|else|knows|listens|reads|saw|says|watch)/i,
  /\bwhoever\b/i,
  /(?:^|[.:;,] )Who\b/,
  /\b(?:those|by|for|from|only|lets?|calls?) who\b/i,
];

test.each(COMMENTED)('%s has comments that make sense on hover', (file) => {
  const { comments } = wordsOf(readFileSync(file, 'utf8'));
  const isRefused = ({ text, isDoc }: Comment) =>
    (isDoc && MID_SENTENCE.test(text)) || REFUSED_IN_COMMENTS.some((phrase) => phrase.test(text));
  expect(comments.filter(isRefused)).toEqual([]);
});

test('enough is looked at', () => {
  const told = SPEAKING.flatMap((file) =>
    wordsOf(readFileSync(file, 'utf8')).texts.filter(({ text }) => isProse(text)),
  );
  expect(told.length).toBeGreaterThan(500);
});

test.each(PAGES)('%s says nothing that has to be read twice', (page) => {
  const lines = readFileSync(page, 'utf8').split('\n');
  expect(lines.filter((line) => REFUSED.some((phrase) => phrase.test(line)))).toEqual([]);
});
