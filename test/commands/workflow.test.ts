import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { expect, test } from '@jest/globals';
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

const readme = readFileSync(`${PROJECT}README.md`, 'utf8');
const { scripts } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { scripts: Record<string, string> };
const [workflow] = [...readme.matchAll(/^```yaml\n(name: .*?)^```/gms)].map(([, text]) => parse(text!));
const steps = workflow.jobs.gate.steps as readonly Step[];
const commands = steps.flatMap(({ run }) => run?.split(' && ') ?? []);

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

test('the workflow in the README says what GitHub asks of one', () => {
  expect(workflow).toMatchObject({ name: 'photofinish', on: 'pull_request' });
  expect(Object.keys(workflow.jobs.gate)).toEqual(['runs-on', 'timeout-minutes', 'steps']);
  for (const step of steps) expect([step.uses, step.run].filter((each) => each !== undefined)).toHaveLength(1);
  const checkouts = steps.flatMap((step) => step.with?.path?.match(/^\w+$/) ?? []).map(String);
  for (const step of steps.filter(({ run }) => run)) expect(checkouts).toContain(step['working-directory']);
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
      const { values } = argumentsOf(command.replace('npm run measure ', ''));
      return parseMeasure(values as Parameters<typeof parseMeasure>[0]);
    });
  const [gate] = others.filter((command) => command.startsWith('npx photofinish gate'));
  const { values, positionals } = argumentsOf(gate!.replace('npx photofinish gate ', ''));
  const order = parseGate(values as Parameters<typeof parseGate>[0], positionals);
  // It holds what was measured against what was measured, in the same conditions.
  expect(measured.map(({ out }) => out)).toEqual([order.baseline, order.folder]);
  const [then, now] = measured.map(({ study: { seed: _, ...study } }) => study);
  expect(then).toEqual(now);
  expect(order.limits.maxPlt.map(({ arm, link }) => [arm, link])).toEqual([['h3', '4g']]);
});
