import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readCommandLine } from '../../harness/commands/command-line.ts';
import { ALL_COMMANDS, type CommandName } from '../../harness/commands/command-table.ts';
import { completion } from '../../harness/commands/completion.ts';
import { renderCommands, renderHelp } from '../../harness/commands/help.ts';
import { BEFORE_SETUP, WELCOME } from '../../harness/setup/welcome.mjs';
import { expectGolden } from '../golden/golden.ts';
import { whatIsSaidOf } from '../study/asking.ts';

const NAMES = Object.keys(ALL_COMMANDS) as CommandName[];

describe.each(NAMES)('%s --help', (name) => {
  const help = renderHelp(name);

  test('is as it was', () => expectGolden(`help/${name}.txt`, `${help}\n`));

  test('fits 80 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('its examples can be read, and so can that of each option', () => {
    for (const example of ALL_COMMANDS[name].examples)
      expect(readCommandLine(example.split(' '))).toMatchObject({ kind: 'command', command: name });
    const operands = ALL_COMMANDS[name].operands.filter(({ isOptional }) => !isOptional).map(() => 'x');
    for (const [option, { example }] of Object.entries(ALL_COMMANDS[name].options)) {
      expect(example.split(' ')).toContain(`--${option}`);
      const { values } = readCommandLine([name, ...operands, ...example.split(' ')]) as { values: object };
      expect(Object.keys(values)).toContain(option);
    }
  });

  test('each option has a sentence and, where it has a value, a default', () => {
    for (const { says, value, default: without } of Object.values(ALL_COMMANDS[name].options)) {
      expect(says).toMatch(/^[A-Zd].*\.$/);
      if (value !== undefined) expect(without).toMatch(/\S/);
    }
  });
});

test('photofinish alone is one screen, on a machine that is ready and on one that is not', () => {
  for (const screen of [
    `${WELCOME}\n\nCommands, each with --help:\n${renderCommands()}`,
    `${WELCOME}\n${BEFORE_SETUP}`,
  ]) {
    expect(screen.split('\n').length).toBeLessThanOrEqual(23);
    expect(screen.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
  const typed = [...WELCOME.matchAll(/^ {2}npx photofinish (.*)$/gm)].map(([, words]) => words!.split(' '));
  expect(typed).toHaveLength(3);
  for (const words of typed) expect(readCommandLine(words)).toMatchObject({ kind: 'command', command: 'measure' });
});

test.each([
  [[], { kind: 'welcome' }],
  [['--help'], { kind: 'welcome' }],
  [['-h'], { kind: 'welcome' }],
  [['help', 'gate'], { kind: 'help', command: 'gate' }],
  [['gate', '-h'], { kind: 'help', command: 'gate' }],
  [['measure', '--site', 'shop', '--help'], { kind: 'help', command: 'measure' }],
  [['--version'], { kind: 'version' }],
  [['report', '--serve', 'out'], { kind: 'command', command: 'report', values: { serve: '' }, operands: ['out'] }],
  [
    ['report', 'out', '--serve', '8080'],
    { kind: 'command', command: 'report', values: { serve: '8080' }, operands: ['out'] },
  ],
  [
    ['measure', '--link', '4g', '--link', 'cable', '--quick'],
    { kind: 'command', command: 'measure', values: { link: ['4g', 'cable'], quick: true }, operands: [] },
  ],
  [['measure', '--quick', '--quick'], { kind: 'command', command: 'measure', values: { quick: true }, operands: [] }],
])('%j is %j', (words, line) => {
  const read = readCommandLine(words);
  expect('values' in read ? { ...read, values: { ...read.values } } : read).toEqual(line);
});

test.each([
  [['mesure'], '"mesure" is not a known command. Did you mean "measure"? See: npx photofinish --help'],
  [
    ['measure', '--lnik', '4g'],
    'measure: "--lnik" is not a known option. Did you mean "--link"? See: npx photofinish measure --help',
  ],
  [['measure', '--zzz'], 'measure: "--zzz" is not a known option. See: npx photofinish measure --help'],
  [['measure', '--seed'], 'measure: --seed needs a value: N. Example: --seed 7'],
  [['measure', '--seed', '--quick'], 'measure: --seed needs a value: N. Example: --seed 7'],
  [['measure', '--json=3'], 'measure: --json takes no value. Example: --json'],
  [
    ['measure', '--quick', '--arms', 'h2', '--quick', '--arms=h3'],
    'measure: --arms is given twice. Expected: once, as in --arms h2,h3',
  ],
  [['report', '--serve', 'out', '--serve', '8080'], 'report: --serve is given twice. Expected: once, as in --serve'],
  [
    ['measure', 'shop'],
    'measure: "shop" is one word too many. Did you mean "--site shop"? Usage: photofinish measure [OPTIONS]. Example: npx photofinish measure --site ./dist --link 4g --link cable --budget 10',
  ],
  [
    ['gate'],
    'gate: DIR is missing. Usage: photofinish gate DIR [OPTIONS]. Example: npx photofinish gate reports/out/now --serve h3 --max-regret 5%',
  ],
  [
    ['list', 'links', 'x'],
    'list: "x" is one word too many. Usage: photofinish list [SECTION]. Example: npx photofinish list links',
  ],
])('%j: %s', (words, message) => {
  expect(whatIsSaidOf(() => readCommandLine(words))).toBe(message);
});

async function scriptFor(shell: 'bash' | 'zsh'): Promise<string> {
  const lines: string[] = [];
  await completion(shell, (line) => lines.push(line));
  return lines.join('\n');
}

/** What bash would offer after these words, the last of which may be begun. */
async function offeredByBash(words: readonly string[], folder: string): Promise<readonly string[]> {
  const ask = `${await scriptFor('bash')}
COMP_WORDS=(photofinish "$@"); COMP_CWORD=$#; _photofinish; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['-c', ask, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
  return said.split('\n').filter((line) => line !== '');
}

test.each([
  [['me'], ['measure']],
  [['measure', '--lin'], ['--link']],
  [['measure', '--link', 'wifi'], ['wifi-lossy']],
  [
    ['measure', '--quick', '--device', ''],
    ['desktop', 'mobile'],
  ],
  [['gate', '--max-m'], ['--max-mix-regret']],
  [['list', 'li'], ['links']],
  [['measure', '--site', 'many-s'], ['many-small']],
  [['measure', '--study', 'kra'], ['kramer2015']],
])('bash offers after %j: %j', async (words, offered) => {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-'));
  try {
    expect(await offeredByBash(words, folder)).toEqual(offered);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('bash offers folders where a folder is wanted', async () => {
  expect(await offeredByBash(['report', 'har'], fileURLToPath(new URL('../..', import.meta.url)))).toEqual(['harness']);
});

test('zsh is told the same words', async () => {
  const [bash, zsh] = [await scriptFor('bash'), await scriptFor('zsh')];
  const casesOf = (script: string) =>
    [...script.matchAll(/^ {4}'([\w -]*)'\) (?:words='|candidates=\()([^')]*)['|)] also='(\w*)' ;;$/gm)].map(
      ([, place, words, also]) => [place, words, also],
    );
  expect(casesOf(zsh).length).toBeGreaterThan(40);
  expect(casesOf(zsh)).toEqual(casesOf(bash));
  if (existsSync('/bin/zsh')) execFileSync('/bin/zsh', ['-n', '-c', zsh]);
});
