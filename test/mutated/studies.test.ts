import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportStudy, parseExport } from '../../harness/commands/export.ts';
import { gate, parseGate } from '../../harness/commands/gate.ts';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import { parseReport, report } from '../../harness/commands/report.ts';
import { PRESETS, studySources } from '../../harness/commands/sources.ts';
import { openStudySource } from '../../harness/commands/study-source.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { STORE_FILE } from '../../harness/store/store.ts';
import { parseStudyFile } from '../../harness/study/study-file.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { mutateBytes, mutateJson, mutateText } from './mutate.ts';
import { refusals } from './refusals.ts';

const quiet = () => {};

test('of 1,000 mutated study files each is a study or refused', async () => {
  const texts = PRESETS.map((name) => readFileSync(`harness/study/presets/${name}.yaml`, 'utf8'));
  const sources = studySources();
  let number = 0;
  await refusals((random) => {
    number += 1;
    parseStudyFile(mutateText(texts[number % texts.length]!, random), 'my.yaml', sources);
  });
});

const WORLD = {
  readMachine: () => MACHINE,
  openLab: async () => openFakeLab({ timeOf: ({ protocol }) => (protocol === 'h1' ? 300 : 100) }).lab,
};

let outer: string;
let study: Buffer;
beforeAll(async () => {
  outer = mkdtempSync(join(tmpdir(), 'photofinish-mutated-'));
  const out = join(outer, 'whole');
  const flags = { site: ['few-small'], link: ['fibre'], exactly: '3', mix: 'fibre=1', lighthouse: '1', seed: '22' };
  await measure({ ...parseMeasure({ ...flags, out }), json: true }, { write: quiet }, WORLD);
  study = readFileSync(join(out, STORE_FILE));
});
afterAll(() => rmSync(outer, { recursive: true }));

/** All that is done with a stranger's folder, and with how many of a hundred: some of it takes its time. */
const DEEDS: readonly (readonly [ofHundred: number, deed: (folder: string) => unknown])[] = [
  [45, (folder) => parseMeasure({ out: folder, blocks: '7' })],
  [30, (folder) => gate(parseGate({ 'max-regret': '50%' }, [folder]), quiet)],
  [15, (folder) => exportStudy(parseExport({ format: 'csv' }, [folder]), quiet)],
  [8, (folder) => openStudySource(folder).read(false)],
  [2, (folder) => report(parseReport({}, [folder]), quiet)],
];
const HUNDRED = DEEDS.flatMap(([count, deed]) => Array.from({ length: count }, () => deed));

/** Writes something else into one cell of a database, of the kind that belongs there. */
function mutateCell(file: string, random: () => number): void {
  using database = new DatabaseSync(file);
  const anyOf = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]!;
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const { name } = anyOf(tables);
  const rows = database.prepare(`SELECT * FROM "${name}"`).all();
  if (rows.length === 0) return;
  const row = anyOf(rows);
  const [column, value] = anyOf(Object.entries(row));
  const now = mutatedCell(value, random);
  // The tables have bounds of their own, which a stranger's may lack.
  database.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
  try {
    database.prepare(`UPDATE "${name}" SET "${column}" = ?`).run(now as never);
  } catch {
    // Two rows cannot have the same key: it stays as it is.
  }
}

function mutatedCell(value: unknown, random: () => number): unknown {
  if (value instanceof Uint8Array)
    return random() < 0.2
      ? mutateBytes(Buffer.from(value), random)
      : gzipSync(mutateJson(`${gunzipSync(value)}`, random));
  if (typeof value === 'string') return /^[[{]/.test(value) ? mutateJson(value, random) : mutateText(value, random);
  return [0, -1, 1e9, 0.5, null][Math.floor(random() * 5)];
}

/** Writes the study's database into a file, mutated. */
function writeMutated(file: string, random: () => number): void {
  writeFileSync(file, random() < 0.3 ? mutateBytes(study, random) : study);
  if (study.equals(readFileSync(file))) mutateCell(file, random);
}

test('a database is mutated in the same way with the same seed, so that a failure can be seen again', () => {
  const file = join(outer, 'seeded.sqlite');
  for (let seed = 0; seed < 20; seed += 1) {
    const [first, second] = [1, 2].map(() => {
      writeMutated(file, seededRandom(seed));
      return readFileSync(file);
    });
    expect([seed, first!.equals(second!)]).toEqual([seed, true]);
  }
  rmSync(file);
});

test('of 1,000 mutated databases each is read or refused', async () => {
  const folder = join(outer, 'mutated');
  const allowed = /^(study\.sqlite(-wal|-shm|-journal)?|summary\.json|report\.html|export)$/;
  await refusals(async (random) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeMutated(join(folder, STORE_FILE), random);
    try {
      await HUNDRED[Math.floor(random() * 100)]!(folder);
    } finally {
      expect(readdirSync(folder).filter((name) => !allowed.test(name))).toEqual([]);
    }
  });
  expect(readdirSync(outer).toSorted()).toEqual(['mutated', 'whole']);
});
