import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseGate } from '../../harness/commands/gate.ts';
import { parseMeasure } from '../../harness/commands/measure.ts';
import { PROJECT } from '../../harness/system/tools.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly 'working-directory'?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const readme = readFileSync(`${PROJECT}harness/gate/README.md`, 'utf8');
const { scripts } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { scripts: Record<string, string> };
const [workflow] = [...readme.matchAll(/^```yaml\n(name: .*?)^```/gms)].map(([, text]) => parse(text!));
const steps = workflow.jobs.gate.steps as readonly Step[];
const commandsIn = (folder: string) =>
  steps.flatMap((step) => (step['working-directory'] === folder ? (step.run?.split(' && ') ?? []) : []));
/** The site's repository is another project's; only Photofinish has Photofinish's commands. */
const commands = commandsIn('photofinish');
const scratch = mkdtempSync(join(tmpdir(), 'photofinish-'));
beforeAll(() => {
  for (const checkout of ['then', 'now']) {
    mkdirSync(join(scratch, checkout, 'dist'), { recursive: true });
    writeFileSync(join(scratch, checkout, 'dist/index.html'), '<!doctype html><title>x</title>');
  }
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What follows a command's name, as its options and operands. */
function argumentsOf(command: string) {
  const args = command.split(' ').filter((word) => word !== '--');
  const many = ['site', 'link', 'max-plt'];
  const names = [...command.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!);
  const options = Object.fromEntries(
    names.map((name) => [name, { type: 'string' as const, multiple: many.includes(name) }]),
  );
  return parseArgs({ args, options, allowPositionals: true });
}

test('the workflow says what GitHub asks of one', () => {
  expect(workflow).toMatchObject({ name: 'photofinish', on: 'pull_request' });
  expect(Object.keys(workflow.jobs.gate)).toEqual(['runs-on', 'container', 'timeout-minutes', 'steps']);
  for (const step of steps) expect([step.uses, step.run].filter((each) => each !== undefined)).toHaveLength(1);
  const checkouts = steps.flatMap((step) => step.with?.path?.match(/^\w+$/) ?? []).map(String);
  for (const step of steps.filter(({ run }) => run)) expect(checkouts).toContain(step['working-directory']);
  // What is built is what is measured.
  for (const checkout of ['then', 'now']) {
    expect(commandsIn(checkout)).toEqual(['npm ci', 'npm run build']);
    expect(commands.filter((command) => command.includes(`--site ../${checkout}/dist `))).toHaveLength(1);
  }
});

test('its commands are there, and can be read', () => {
  const [setup, doctor, ...others] = commands;
  expect([setup, doctor]).toEqual(['npm run setup', 'npx photofinish doctor']);
  for (const command of commands) {
    const [, script] = /^npm run (\S+)/.exec(command) ?? [];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    else expect(command).toMatch(/^npx photofinish (?:doctor|gate) ?/);
  }
  const measured = others
    .filter((command) => command.startsWith('npm run measure'))
    .map((command) => {
      // From where the checkouts lie side by side.
      const { values } = argumentsOf(command.replace('npm run measure ', '').replace('--site ..', `--site ${scratch}`));
      return parseMeasure(values as Parameters<typeof parseMeasure>[0]);
    });
  const [gate] = others.filter((command) => command.startsWith('npx photofinish gate'));
  const { values, positionals } = argumentsOf(gate!.replace('npx photofinish gate ', ''));
  const order = parseGate(values as Parameters<typeof parseGate>[0], positionals);
  // It holds what was measured against what was measured, in the same conditions.
  expect(measured.map(({ out }) => out)).toEqual([order.baseline, order.folder]);
  const [then, now] = measured.map(({ study: { seed: _, places: __, ...study } }) => study);
  expect(then).toEqual(now);
  expect(order.limits.maxPlt.map(({ arm, link }) => [arm, link])).toEqual([['h3', '4g']]);
});
