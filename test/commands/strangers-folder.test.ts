import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportStudy, parseExport } from '../../harness/commands/export.ts';
import { gate, parseGate } from '../../harness/commands/gate.ts';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import { parseReport, report } from '../../harness/commands/report.ts';
import { openStudySource } from '../../harness/commands/study-source.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { openStore } from '../../harness/store/store.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { blockOf, MACHINE, okLoad, PLAN, STUDY, temporaryFolder } from '../store/studies.ts';

const whole = temporaryFolder();
afterAll(() => whole[Symbol.dispose]());
beforeAll(() => {
  const loads = PLAN.arms.map(({ name }) => okLoad(PLAN.conditions[0]!.id, 0, name));
  using store = openStore(join(whole.path, 'study.sqlite'));
  store.writeStudy({ study: STUDY, plan: PLAN });
  store.addBlock(store.beginSession(MACHINE, 1000, []), blockOf(1, loads));
});

/** A folder as somebody else may hand it over: a study, and then whatever they do to its database. */
function strangersFolder(...changes: readonly string[]) {
  using undo = new DisposableStack();
  const { path: folder } = undo.use(temporaryFolder());
  cpSync(join(whole.path, 'study.sqlite'), join(folder, 'study.sqlite'));
  using database = new DatabaseSync(join(folder, 'study.sqlite'));
  for (const change of changes) database.exec(change);
  const end = undo.move();
  return { folder, [Symbol.dispose]: () => end.dispose() };
}

const quiet = () => {};

/** All that is done with a folder. */
const DEEDS: Readonly<Record<string, (folder: string) => unknown>> = {
  measure: (folder) => parseMeasure({ out: folder }),
  'measure with options': (folder) => parseMeasure({ out: folder, blocks: '7' }),
  report: (folder) => report(parseReport({}, [folder]), quiet),
  'report --serve': (folder) => openStudySource(folder).read(false),
  gate: (folder) => gate(parseGate({ 'max-regret': '50%' }, [folder]), quiet),
  export: (folder) => exportStudy(parseExport({}, [folder]), quiet),
};

async function refusalOf(deed: (folder: string) => unknown, folder: string): Promise<unknown> {
  try {
    await deed(folder);
    return undefined;
  } catch (error) {
    return error;
  }
}

test('a folder that is as photofinish writes it is taken by all of them', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'study');
  const flags = { site: ['few-small'], link: ['fibre'], exactly: '3', mix: 'fibre=1' };
  const openLab = async () => openFakeLab({ timeOf: ({ protocol }) => (protocol === 'h1' ? 300 : 100) }).lab;
  await measure(
    { ...parseMeasure({ ...flags, out }), json: true },
    { write: quiet },
    { readMachine: () => MACHINE, openLab },
  );
  for (const deed of Object.values(DEEDS)) expect(await refusalOf(deed, out)).toBeUndefined();
});

const set = (path: string, json: string) =>
  `UPDATE study SET "plan" = json_set("plan", '$.${path}', json('${json}')), study = json_set(study, '$.${path}', json('${json}'))`;
const setPlan = (path: string, json: string) =>
  `UPDATE study SET "plan" = json_set("plan", '$.${path}', json('${json}'))`;

describe.each([
  ['an arm that is a path', set('arms[0].name', '"../../etc/x"')],
  ['an arm that steers terminals', set('arms[0].name', '"\\u001b[2J"')],
  ['an arm that starts a program', set('arms[2].browserFlags', '["--renderer-cmd-prefix=/tmp/x"]')],
  ['no arm at all', set('arms', '[]')],
  ['a protocol that there is not', set('arms[0].protocol', '"spdy"')],
  ['a congestion control that is a path', set('arms[2].congestion', '"../x"')],
  ['a server that is a path', setPlan('conditions[0].server', '"../../x"')],
  ['a site that is a path', `UPDATE study SET study = json_set(study, '$.grids[0].sites[0]', '../../etc')`],
  ['a condition that steers terminals', setPlan('conditions[0].id', '"a\\nb"')],
  ['a rate that is none', setPlan('conditions[0].link.down.rate', '{"kind":"constant","kbps":"1; reboot"}')],
  ['a queue without end', setPlan('conditions[0].link.down.queuePackets', '1e300')],
  ['a name that leads elsewhere', setPlan('sites.few-small.addresses', '{"https://a.test":"1.2.3.4, MAP * 6.6.6.6"}')],
  [
    'a name to resolve that is a rule',
    `UPDATE study SET study = json_set(study, '$.resolve', json('["a, MAP *:1:1.2.3.4"]'))`,
  ],
  [
    'a study that is a path',
    `UPDATE study SET study = json_set(study, '$.name', '../../x'), "plan" = json_set("plan", '$.study', '../../x')`,
  ],
  ['a plan that is no plan', `UPDATE study SET "plan" = '[]'`],
  ['a plan that is no JSON', `UPDATE study SET "plan" = '{"arms'`],
  ['a study that is nothing', `UPDATE study SET study = 'null'`],
  ['evidence that leaves the folder', `UPDATE trial SET evidence = '["har/../../../etc/shadow"]'`],
  ['evidence elsewhere', `UPDATE trial SET evidence = '["/etc/shadow"]'`],
  ['a trial of an arm that is a path', `UPDATE trial SET arm = '../../x' WHERE position = 0`],
  ['a block of a condition that steers terminals', `UPDATE block SET condition = char(27) || '[2J'`],
])('%s', (_, change) => {
  test.each(Object.keys(DEEDS))('%s refuses it, in a line, and writes nothing', async (name) => {
    using stranger = strangersFolder(change);
    const before = readdirSync(stranger.folder);
    const error = await refusalOf(DEEDS[name]!, stranger.folder);
    expect(error).toBeInstanceOf(UsageError);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect((error as Error).message).toMatch(/^[^\u0000-\u001f]+. Expected: an intact [^\u0000-\u001f]+$/);
    expect(readdirSync(stranger.folder)).toEqual(before);
  });
});

describe('what is written stays in the folder', () => {
  const world = { readMachine: () => MACHINE, openLab: async () => openFakeLab({ timeOf: () => 100 }).lab };

  test.each(['har', 'pcap', 'lighthouse', 'summary.json', 'study.lock'])(
    'measure refuses one in which %s is a link',
    async (name) => {
      using stranger = strangersFolder();
      using elsewhere = temporaryFolder();
      const target = join(elsewhere.path, 'mine');
      if (name.includes('.')) writeFileSync(target, 'mine');
      else mkdirSync(target);
      symlinkSync(target, join(stranger.folder, name));
      const request = { ...parseMeasure({ out: stranger.folder }), json: true };
      await expect(measure(request, { write: quiet }, world)).rejects.toThrow(
        /^--out: .* is a link that leads elsewhere/,
      );
      expect(name.includes('.') ? readFileSync(target, 'utf8') : `${readdirSync(target)}`).toBe(
        name.includes('.') ? 'mine' : '',
      );
    },
  );

  test('export refuses one in which its own folder is a link', async () => {
    using stranger = strangersFolder();
    using elsewhere = temporaryFolder();
    symlinkSync(elsewhere.path, join(stranger.folder, 'export'));
    await expect(exportStudy(parseExport({}, [stranger.folder]), quiet)).rejects.toThrow(/^--to: .* is a link/);
    expect(readdirSync(elsewhere.path)).toEqual([]);
  });

  test('export unpacks no archive that is a link to somewhere else', async () => {
    using stranger = strangersFolder();
    mkdirSync(join(stranger.folder, 'har'));
    symlinkSync('/etc/passwd', join(stranger.folder, 'har/00001-h1.har.gz'));
    const printed: string[] = [];
    await exportStudy(parseExport({ format: 'har' }, [stranger.folder]), (line) => printed.push(line));
    expect(printed.at(-1)).toMatch(/^0 archives/);
  });
});
