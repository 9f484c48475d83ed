/*
 * The documentation: its links lead somewhere, its tables are those of the code, and its commands do what it says.
 *
 * Commands that measure in the lab are read as they stand, by the code of their command, in a folder that has what the
 * page says is there. The first one of the README and those of its gate are carried out with a fake lab. Commands that
 * need no lab are carried out.
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCommandLine } from '../harness/commands/command-line.ts';
import { COMMANDS } from '../harness/commands/command-table.ts';
import { gate, parseGate } from '../harness/commands/gate.ts';
import { renderCommandTable, renderHelp, renderOptionTable } from '../harness/commands/help.ts';
import { list, parseList } from '../harness/commands/list.ts';
import { measure, parseMeasure } from '../harness/commands/measure.ts';
import { parseRecord } from '../harness/commands/record.ts';
import { parseReport } from '../harness/commands/report.ts';
import { offerSnippets } from '../harness/findings/offer-snippets.ts';
import { PROJECT } from '../harness/system/tools.ts';
import { openFakeLab } from './fakes/lab.ts';
import { MACHINE } from './fakes/machine.ts';

const PAGES = globSync(['*.md', '{harness,sites,nginx,reports,test}/**/*.md'], {
  cwd: PROJECT,
  exclude: (path) => /node_modules|reports\/out|sites\/recorded/.test(path),
});
const textOf = (page: string) => readFileSync(join(PROJECT, page), 'utf8');
/** A page without what is code. */
const proseOf = (page: string) =>
  textOf(page)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, '');

const FOLDERS = ['harness', 'sites', 'nginx', 'reports', 'test'];

test('every folder of the project has a page, and the README leads to each page', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', ...FOLDERS.map((folder) => `${folder}/README.md`)]));
  const seen = new Set<string>();
  const follow = (page: string) => {
    if (seen.has(page)) return;
    seen.add(page);
    for (const { path } of linksOf(page)) if (path.endsWith('.md')) follow(path);
  };
  follow('README.md');
  expect(PAGES.filter((page) => !seen.has(page))).toEqual([]);
});

test('the README is short', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(200);
});

interface Link {
  /** Its path from the project's folder. */
  readonly path: string;
  readonly anchor: string | undefined;
}

function linksOf(page: string): readonly Link[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    (match) => match[1] ?? match[2]!,
  );
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      const at = path === '' ? page : relative(PROJECT, resolve(PROJECT, dirname(page), path));
      return { path: existsSync(join(PROJECT, at, 'README.md')) ? join(at, 'README.md') : at, anchor };
    });
}

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = [
    ...textOf(page)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ];
  return headings.map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('all links of %s lead somewhere', (page) => {
  const broken = linksOf(page).filter(
    ({ path, anchor }) =>
      !existsSync(join(PROJECT, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('links are found at all', () => {
  expect(linksOf('README.md').length).toBeGreaterThan(20);
  expect(linksOf('harness/README.md')).toContainEqual({ path: 'harness/README.md', anchor: 'a-study-file' });
});

/** A text without what the formatter adds so that the columns of a table stand below each other. */
function unpadded(markdown: string): string {
  return markdown.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ').replaceAll(/-{3,}/g, '---');
}

describe('tables that are made from the code', () => {
  test.each([
    ['harness/README.md', 'commands', renderCommandTable()],
    ['harness/README.md', 'options', renderOptionTable(COMMANDS.measure.options)],
    ['harness/gate/README.md', 'options of gate', renderOptionTable(COMMANDS.gate.options)],
    ['sites/README.md', 'options of record', renderOptionTable(COMMANDS.record.options)],
  ])('%s has the %s', (page, what, table) => {
    const begin = `<!-- ${what}: written by test/documents.test.ts -->\n`;
    const [before, after = ''] = textOf(page).split(begin);
    const end = after.slice(after.indexOf('<!-- end -->'));
    const whole = `${before}${begin}\n${table}\n\n${end}`;
    if (process.env.PHOTOFINISH_GOLDEN === 'write' && unpadded(textOf(page)) !== unpadded(whole))
      writeFileSync(join(PROJECT, page), whole);
    expect(unpadded(textOf(page))).toBe(unpadded(whole));
  });
});

test('the lines that switch HTTP/3 on in nginx are those of the report', () => {
  const { text } = offerSnippets('h3-altsvc').find(({ of }) => of === 'nginx')!;
  expect(textOf('README.md')).toContain(`\`\`\`\n${text}\n\`\`\`\n`);
});

/** The commands of a page, in its blocks of code and in its tables, without what is said about them. */
function commandsOf(page: string): readonly (readonly string[])[] {
  const blocks = [...textOf(page).matchAll(/^```\n(.*?)^```/gms)].map(([, text]) => text!);
  const rows = [...textOf(page).matchAll(/^\|.*$/gm)].map(([row]) => row);
  const cells = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, text]) => text!));
  return [...blocks, ...cells]
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim().replace(/^sudo /, ''))
    .filter((line) => /^(?:npm run measure|npx photofinish)(?: |$)/.test(line))
    .map((line) => line.replace(/ {2,}#?.*$/, '').split(' '))
    .map(([program, ...words]) => (program === 'npx' ? words.slice(1) : ['measure', ...words.slice(2)]))
    .filter((words) => !words.includes('OPTIONS') && !words.includes('COMMAND'));
}

const COMMAND_PAGES = PAGES.filter((page) => page !== 'CHANGELOG.md' && !page.includes('samples'));
const scratch = mkdtempSync(join(tmpdir(), 'photofinish-documents-'));
const home = process.cwd();
beforeAll(() => {
  mkdirSync(join(scratch, 'dist'));
  writeFileSync(join(scratch, 'dist/index.html'), '<!doctype html><title>x</title>');
  writeFileSync(join(scratch, 'my.yaml'), yamlOf('harness/README.md'));
  writeFileSync(join(scratch, 'archive.har'), '{}');
  process.chdir(scratch);
});
afterAll(() => {
  process.chdir(home);
  rmSync(scratch, { recursive: true });
});

function yamlOf(page: string): string {
  return /^```yaml\n(.*?)^```/ms.exec(textOf(page))![1]!;
}

/** Reads a command as the program does. A recording that an earlier command of the page makes is played by another site. */
function read(words: readonly string[]) {
  const line = readCommandLine(words.filter((word) => word !== '--'));
  if (line.kind !== 'command') return line;
  const { command, values, operands } = line;
  const { site, ...flags } = values as { site?: string[] };
  const sites = site?.map((name) => (name === 'mine' ? 'shop' : name));
  if (command === 'measure') parseMeasure(sites ? { ...flags, site: sites } : flags);
  if (command === 'gate') parseGate(values, operands);
  if (command === 'report') parseReport(values, operands);
  if (command === 'record' && operands.length > 1) parseRecord(values, operands, join(scratch, 'recorded'));
  return line;
}

test.each(COMMAND_PAGES.filter((page) => commandsOf(page).length > 0))('the commands of %s can be read', (page) => {
  for (const words of commandsOf(page)) expect([words, read(words)]).toEqual([words, expect.anything()]);
});

test('commands are found at all', () => {
  expect(commandsOf('README.md').length).toBeGreaterThanOrEqual(10);
  expect(commandsOf('README.md')).toContainEqual(['measure']);
});

/** Measures as asked, with a lab that has no lab. */
async function measured(words: readonly string[], out: string): Promise<string> {
  const line = readCommandLine(words.filter((word) => word !== '--'));
  const said: string[] = [];
  const flags = (line as { values: object }).values as Parameters<typeof parseMeasure>[0];
  const request = parseMeasure({ ...flags, site: ['few-small'], out, seed: '7' });
  const times = { h1: 300, h2: 200, h3: 100, h1c: 300 };
  const world = {
    readMachine: () => MACHINE,
    openLab: async () => openFakeLab({ timeOf: ({ protocol }) => times[protocol] }).lab,
  };
  expect(await measure(request, { write: (text: string) => said.push(text) }, world)).toBe(0);
  return said.join('');
}

test('the gate of the README, with a fake lab, holds what was measured', async () => {
  const [measuring, gating] = commandsOf('README.md').filter((words) =>
    words.some((word) => word.includes('studies/now')),
  );
  await measured(measuring!, join(scratch, 'studies/now'));
  const { values, operands } = read(gating!) as { values: object; operands: readonly string[] };
  const said: string[] = [];
  expect(await gate(parseGate(values, operands), (line) => said.push(line))).toBe(0);
  expect(said.join('\n')).toMatch(/held +max-regret/);
  expect(existsSync(join(scratch, 'gate.xml'))).toBe(true);
});

test('commands that measure nothing are carried out', async () => {
  const others = COMMAND_PAGES.flatMap(commandsOf).filter(([name]) => name === 'list' || name === undefined);
  expect(others).toContainEqual(['list', 'studies']);
  for (const [, section] of others) {
    const said: string[] = [];
    await list((line) => said.push(line), parseList(section));
    expect(said.join('')).toMatch(/\(--\w+\):/);
  }
  expect(renderHelp('measure')).toContain('--site');
});
