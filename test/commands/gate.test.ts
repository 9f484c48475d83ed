import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gate, parseGate } from '../../harness/commands/gate.ts';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import type { Protocol } from '../../harness/model/arm.ts';
import type { Check, GateFindings } from '../../harness/model/gate.ts';
import type { Machine } from '../../harness/model/session.ts';
import { openStore } from '../../harness/store/store.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { elementsOf } from '../report/xml.ts';
import { PLAN, STUDY } from '../store/studies.ts';

const scratch = mkdtempSync(join(tmpdir(), 'photofinish-gate-'));
afterAll(() => rmSync(scratch, { recursive: true }));

type Flags = Parameters<typeof parseMeasure>[0];

/** A study in a folder of this name, measured without a lab; over 4G all takes three times as long. */
async function study(name: string, h3Ms: number, flags: Flags = {}, machine: Machine = MACHINE): Promise<string> {
  const times: Readonly<Record<Protocol, number>> = { h1: 300, h2: 200, h3: h3Ms, h1c: 300 };
  const out = join(scratch, name);
  const fixed = flags.blocks === undefined ? { exactly: '12' } : {};
  const request = parseMeasure({ site: ['few-small'], link: ['fibre', '4g'], ...fixed, seed: '3', out, ...flags });
  const world: Parameters<typeof measure>[2] = {
    readMachine: () => machine,
    openLab: async ({ nextLaunch }) =>
      openFakeLab({ nextLaunch, timeOf: ({ protocol }, link) => times[protocol] * (link.name === '4g' ? 3 : 1) }).lab,
  };
  expect(await measure(request, { write: () => {} }, world)).toBe(0);
  return out;
}

async function gateOf(folder: string, flags: Parameters<typeof parseGate>[0]) {
  const printed: string[] = [];
  const code = await gate(parseGate(flags, [folder]), (line) => printed.push(line));
  return { code, text: printed.join('\n') };
}

async function checksOf(folder: string, flags: Parameters<typeof parseGate>[0]) {
  const { code, text } = await gateOf(folder, { ...flags, json: true });
  const { checks } = JSON.parse(text) as GateFindings;
  return { code, checks: checks.map(({ title, arm, outcome }: Check) => `${title} ${arm} ${outcome}`) };
}

let then: string;
let now: string;
beforeAll(async () => {
  then = await study('then', 150);
  now = await study('now', 250, { seed: '4' }, { ...MACHINE, chromium: '157.0' });
});

describe('a gate is open, or shut, by', () => {
  test.each<[string, Parameters<typeof parseGate>[0], number, RegExp]>([
    [
      'regret of what the advice says to serve',
      { 'max-regret': '5%' },
      0,
      /held +max-regret +few-small over 4g: h2 is the fastest; 5 % allowed \[12/,
    ],
    [
      'regret of what is served',
      { 'max-regret': '5%', serve: 'h3' },
      1,
      /BROKEN +max-regret +few-small over 4g: h3 takes 25 % longer than h2 \(25 to 25 %\)/,
    ],
    [
      'regret over the traffic',
      { 'max-mix-regret': '25%', serve: 'h3' },
      0,
      /held +max-mix-regret +all of the traffic: h3 takes 25 %/,
    ],
    [
      'load time',
      { 'max-plt': ['h3:4g=750', 'h3:fibre=249'] },
      1,
      /BROKEN +max-plt +few-small over fibre: h3's median load takes 250 ms \(250 to 250 ms\); 249 ms allowed/,
    ],
    ['load time over every link', { 'max-plt': ['h3=750'] }, 0, /of 2 checks 2 held/],
  ])('%s', async (_, flags, code, says) => {
    const found = await gateOf(now, flags);
    expect(found.text).toMatch(says);
    expect(found.code).toBe(code);
  });

  test('an earlier study, of every arm, and says what else is another', async () => {
    const { code, text } = await gateOf(now, { 'no-slower-than': then });
    expect(code).toBe(1);
    expect(text.match(/^BROKEN.*$/gm)).toEqual([
      expect.stringMatching(
        /few-small over fibre: h3 takes 67 % more time than in the earlier study \(\+67 to \+67 %\); 3 % more allowed/,
      ),
      expect.stringMatching(/few-small over 4g: h3 takes 67 % more/),
    ]);
    expect(text).toMatch(/^Note: the loads of two studies are not paired, so what drifted/m);
    expect(text).toMatch(/^Note: seed was 3, is 4\.\nNote: Chromium was 156\.0, is 157\.0\.$/m);
    expect(text).toMatch(/The gate fails: of 6 checks 2 broken, 4 held\.$/);
  });

  test('of that the arm alone that is served, where one is named', async () => {
    const found = await checksOf(now, { 'no-slower-than': then, serve: 'h2' });
    expect(found).toEqual({ code: 0, checks: ['few-small over fibre h2 held', 'few-small over 4g h2 held'] });
  });
});

test('what is proven neither way passes, unless it is strict, and the study says what it would serve', async () => {
  const short = await study('short', 250, { exactly: '7' });
  const flags = { 'max-regret': '5%', serve: 'h3', 'max-plt': ['h1=1', 'h2=1', 'h3=1'], 'no-slower-than': now };
  const relaxed = await gateOf(short, flags);
  expect(relaxed.code).toBe(0);
  expect(relaxed.text).toMatch(/The gate passes: of 10 checks 10 unknown\.$/);
  expect(relaxed.text).toMatch(/need 8 blocks in a condition: npx photofinish measure --exactly 8 or more/);
  expect(relaxed.text).toMatch(
    /^UNKNOWN +max-regret +few-small over 4g: .*; the study's answer: h2, within 3 % of the best \(sure\); h3 is expected to take 25 % longer$/m,
  );
  const strict = await gateOf(short, { ...flags, strict: true });
  expect(strict.code).toBe(1);
  expect(strict.text).toMatch(/The gate fails because of what is unknown: of 10 checks 10 unknown\.$/);
});

test('a study that went on until its answers were proven has proven that they are within its margin', async () => {
  const proven = await study('proven', 150, { blocks: '60', until: 'proven' });
  const { code, text } = await gateOf(proven, { 'max-regret': '4%', strict: true });
  expect(text).toMatch(
    /^Note: the gate takes the site to be served with h3, as the study advises; --serve names another arm\.$/m,
  );
  expect(text).toMatch(/The gate passes: of 2 checks 2 held\.$/);
  expect(code).toBe(0);
});

test('a study without advice says that it has none, and what the gate takes to be served', async () => {
  const { text } = await gateOf(await study('one', 150, { exactly: '1' }), { 'max-regret': '5%' });
  expect(text).toMatch(
    /^Note: the gate takes the site to be served with h2, as today, since the study has no advice yet; --serve names another arm\.$/m,
  );
});

test('writes JUnit XML and JSON', async () => {
  const junit = join(scratch, 'reports', 'gate.xml');
  const { code, text } = await gateOf(now, { 'max-plt': ['h3:4g=750', 'h3:fibre=249'], junit, json: true });
  expect(code).toBe(1);
  const elements = elementsOf(readFileSync(junit, 'utf8'));
  expect(elements.find(({ name }) => name === 'testsuite')!.attributes).toMatchObject({ tests: '2', failures: '1' });
  expect(JSON.parse(text)).toMatchObject({
    schema: 1,
    study: 'custom',
    outcome: 'broken',
    passed: false,
    strict: false,
    comparisons: 2,
    asked: ['--max-plt h3:4g=750', '--max-plt h3:fibre=249'],
    checks: [
      { kind: 'max-plt', arm: 'h3', limit: 750, outcome: 'held', unit: 'ms' },
      { kind: 'max-plt', arm: 'h3', limit: 249, low: 250, outcome: 'broken' },
    ],
  });
});

describe('nonsense is refused, and what would be right is named', () => {
  test.each<[Parameters<typeof parseGate>[0], RegExp]>([
    [
      {},
      /^gate: there is no limit to check\. Expected: --max-regret, --max-mix-regret, --max-plt or --no-slower-than\. Example: /,
    ],
    [{ 'max-regret': '5' }, /^--max-regret: "5" is not valid \(no percentage in range\)/],
    [{ 'max-mix-regret': 'x' }, /^--max-mix-regret: "x" is not valid/],
    [{ 'max-plt': ['h3'] }, /^--max-plt: "h3" is not valid/],
    [{ 'max-plt': ['h4=5'] }, /^--max-plt: "h4" is not a known arm. Expected: h1, h2 or h3$/],
    [{ 'max-plt': ['h3:3g=5'] }, /^--max-plt: no link "3g" in the study. Expected: fibre, 4g$/],
    [{ 'max-regret': '5%', serve: 'h4' }, /^--serve: "h4" is not a known arm. Expected: h1, h2 or h3$/],
    [{ 'no-slower-than': '/no/where' }, /^no study in \/no\/where: there is no/],
  ])('%j', async (flags, says) => {
    await expect((async () => gateOf(now, flags))()).rejects.toThrow(says);
  });

  test.each<[string, Flags, RegExp]>([
    [
      'another link',
      { link: ['fibre', 'cable'] },
      /other0 is another study: it has link cable, it lacks link 4g. Expected: one of the same/,
    ],
    ['another rule', { rule: 'kramer2015' }, /it has rule 10 % in more than 70 %, it lacks rule 3 % in more than 50 %/],
    ['another arm', { arms: 'h2,h3' }, /other2 is another study: it lacks arm h1\./],
  ])('a baseline of %s', async (name, flags, says) => {
    const other = await study(`other${['another link', 'another rule', 'another arm'].indexOf(name)}`, 150, {
      ...flags,
      exactly: '1',
    });
    await expect(gateOf(now, { 'no-slower-than': other })).rejects.toThrow(says);
  });

  test('a study of one arm has none that is faster', async () => {
    const alone = await study('alone', 150, { arms: 'h3', exactly: '3' });
    await expect(gateOf(alone, { 'max-regret': '5%' })).rejects.toThrow(/^--max-regret: the study has one arm alone/);
  });

  test('a study of which nothing was measured', async () => {
    const folder = mkdtempSync(join(scratch, 'empty-'));
    using store = openStore(join(folder, 'study.sqlite'));
    store.writeStudy({ study: STUDY, plan: PLAN });
    await expect(gateOf(folder, { 'max-regret': '5%' })).rejects.toThrow(
      /^no load was measured yet in .*measure --out/,
    );
    await expect(gateOf(now, { 'no-slower-than': folder })).rejects.toThrow(/^--no-slower-than: no load was measured/);
  });
});
