import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { LoadFigures } from '../../harness/model/measurement.ts';
import { exportTables } from '../../harness/report/export.ts';
import { parquetWriter } from '../../harness/report/export-parquet.ts';
import {
  type ColumnOf,
  type ExportCell,
  type ExportTable,
  exportTableOf,
  writeTable,
} from '../../harness/report/export-table.ts';
import { csvWriter, jsonWriter, renderColumns } from '../../harness/report/export-text.ts';
import { FIGURES as LIST } from '../../harness/store/figures.ts';
import { openStore } from '../../harness/store/store.ts';
import { blockOf, FIGURES, MACHINE, okLoad, PLAN, STUDY, temporaryFolder } from '../store/studies.ts';

type Row = readonly [text?: string, value?: number, whole?: number | undefined, flag?: boolean];

const COLUMNS: readonly ColumnOf<Row>[] = [
  { name: 'text', kind: 'text', says: 'A text.', cell: (row) => row[0] },
  { name: 'value', kind: 'number', unit: 'ms', says: 'A number.', cell: (row) => row[1] },
  { name: 'whole', kind: 'count', says: 'A count.', cell: (row) => row[2] },
  { name: 'flag', kind: 'flag', says: 'A flag.', cell: (row) => row[3] },
];

function tableFor(rows: readonly Row[]): ExportTable {
  return exportTableOf({ name: 'things', says: 'A row a thing.' }, COLUMNS, () => rows);
}

function textOf(writer: typeof csvWriter, rows: readonly Row[]): string {
  const table = tableFor(rows);
  let text = '';
  writeTable(table, [writer(table.columns, (piece) => (text += piece))]);
  return text;
}

describe('CSV', () => {
  test.each<[string, Row, string]>([
    ['numbers and flags', ['a', -1.5, 3, true], 'a,-1.5,3,true'],
    ['nothing', [], ',,,'],
    ['an empty text', ['', 0], '"",0,,'],
    ['a comma and quotes', ['a,"b"'], '"a,""b""",,,'],
    ['lines', ['a\nb\r\n'], '"a\nb\r\n",,,'],
    ['what has no end', ['a', Number.NEGATIVE_INFINITY, undefined, false], 'a,-Infinity,,false'],
    ['what is none', ['a', Number.NaN], 'a,NaN,,'],
    ['a formula', ['=cmd|"/c calc"!A1'], `"'=cmd|""/c calc""!A1",,,`],
    ['a sum', ['+1'], "'+1,,,"],
    ['a difference', ['-1'], "'-1,,,"],
    ['a reference', ['@SUM(1)'], "'@SUM(1),,,"],
    ['a tab before one', ['\t=1'], "'\t=1,,,"],
  ])('%s', (_, row, line) => {
    expect(textOf(csvWriter, [row])).toBe(`text,value,whole,flag\r\n${line}\r\n`);
  });
});

describe('JSON', () => {
  test.each<[string, readonly Row[], unknown]>([
    ['nothing', [], []],
    ['a row of nothing', [[]], [{}]],
    ['texts stay what they are', [['=1\n"']], [{ text: '=1\n"' }]],
    [
      'what JSON has no word for',
      [
        ['', Number.NaN, 1, false],
        ['a', Number.POSITIVE_INFINITY],
      ],
      [
        { text: '', value: 'NaN', whole: 1, flag: false },
        { text: 'a', value: 'Infinity' },
      ],
    ],
  ])('%s', (_, rows, expected) => {
    expect(JSON.parse(textOf(jsonWriter, rows))).toEqual(expected);
  });

  test('of more rows than are written at once', () => {
    const rows = Array.from({ length: 12_345 }, (_, index): Row => [`${index}`, index / 7, index]);
    const read = JSON.parse(textOf(jsonWriter, rows));
    expect(read).toEqual(rows.map(([text, value, whole]) => ({ text, value, whole })));
  });
});

describe('Parquet', () => {
  async function roundTrip(rows: readonly Row[]): Promise<unknown> {
    using folder = temporaryFolder();
    const path = join(folder.path, 'things.parquet');
    const table = tableFor(rows);
    writeTable(table, [parquetWriter(table.columns, path)]);
    return await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  }

  const read = ([text, value, whole, flag]: Row) => ({
    text: text ?? null,
    value: value ?? null,
    whole: whole === undefined ? null : BigInt(whole),
    flag: flag ?? null,
  });

  test.each<[string, readonly Row[]]>([
    ['nothing', []],
    ['a row of nothing', [[]]],
    [
      'texts',
      [
        ['=1,"a"\nä', -1.5, 2 ** 40, true],
        ['', Number.NaN, 0, false],
        ['x', Number.POSITIVE_INFINITY],
      ],
    ],
    [
      'several row groups',
      Array.from({ length: 12_345 }, (_, index): Row => [`${index % 7}`, index / 7, index, index % 2 === 0]),
    ],
  ])('%s', async (_, rows) => {
    expect(await roundTrip(rows)).toEqual(rows.map(read));
  });
});

describe('the tables of a study', () => {
  const [condition, other] = PLAN.conditions;
  const arms = PLAN.arms.map(({ name }) => name);
  const blocks = [
    ...Array.from({ length: 12 }, (_, index) =>
      blockOf(
        index + 1,
        arms.map((arm) => okLoad(condition!.id, index, arm, { launch: index, pltMs: arm === 'h1' ? 900 : 500 })),
      ),
    ),
    blockOf(13, [
      { condition: condition!.id, block: 12, arm: 'h1', status: 'failed', reason: 'tls', says: '=1', launch: 12 },
      { condition: condition!.id, block: 12, arm: 'h2', status: 'void', reason: 'link', says: 'gone', launch: 12 },
      okLoad(condition!.id, 12, 'h3-bbr'),
    ]),
    blockOf(
      14,
      ['h1', 'h1-twin', 'h1-delayed'].map((arm) => okLoad('control', 0, arm)),
    ),
  ];

  function withTables(look: (tables: readonly ExportTable[]) => void): void {
    using folder = temporaryFolder();
    using store = openStore(join(folder.path, 'study.sqlite'));
    const session = store.beginSession(MACHINE, 1000, []);
    for (const block of blocks) store.addBlock(session, block);
    store.writeStudy({ study: STUDY, plan: { ...PLAN, conditions: [condition!, other!] } });
    look(exportTables(store));
  }

  const objectsOf = ({ columns, rows }: ExportTable): Record<string, ExportCell>[] =>
    [...rows()].map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));

  test('loads', () => {
    withTables(([loads]) => {
      const rows = objectsOf(loads!);
      expect(rows).toHaveLength(42);
      expect(rows[2]).toMatchObject({
        study: 'everything',
        condition: condition!.id,
        site: 'few-small',
        link: 'fibre',
        server: 'nginx',
        rateDownKbps: 50_000,
        rateUpKbps: 20_000,
        rttMs: 10,
        lossDownPercent: 0,
        lossUpPercent: 0,
        device: 'mobile',
        visit: 'resumed',
        arm: 'h3-bbr',
        protocol: 'h3',
        session: 1,
        serial: 1,
        block: 0,
        position: 2,
        status: 'ok',
        beganMs: blocks[0]!.beganMs,
        evidence: 'har/00001-h3-bbr.har.gz',
        reason: undefined,
        says: undefined,
        ...FIGURES,
        pltMs: 500,
        launch: 0,
      });
      expect(rows[36]).toMatchObject({
        arm: 'h1',
        visit: 'cold',
        status: 'failed',
        reason: 'tls',
        says: '=1',
        launch: 12,
      });
      expect(rows[36]!.pltMs).toBeUndefined();
      expect(rows[40]).toMatchObject({ condition: 'control', arm: 'h1-twin', protocol: 'h1', site: 'few-small' });
    });
  });

  test('what a load has no figure of is absent in its row', () => {
    const { overheadPercent: _, ...repeat } = okLoad(condition!.id, 0, 'h1') as ReturnType<typeof okLoad> & LoadFigures;
    using folder = temporaryFolder();
    using store = openStore(join(folder.path, 'study.sqlite'));
    store.addBlock(store.beginSession(MACHINE, 1000, []), blockOf(1, [repeat]));
    store.writeStudy({ study: STUDY, plan: { ...PLAN, conditions: [condition!] } });
    const [row] = objectsOf(exportTables(store)[0]!);
    expect(row).toMatchObject({ status: 'ok', payloadBytes: FIGURES.payloadBytes });
    expect(row!.overheadPercent).toBeUndefined();
  });

  test('blocks', () => {
    withTables(([, of]) => {
      const rows = objectsOf(of!);
      expect(rows).toHaveLength(14);
      expect(rows[12]).toMatchObject({
        serial: 13,
        block: 12,
        order: 'h1;h2;h3-bbr',
        ok: 1,
        failed: 1,
        void: 1,
        link: 'fibre',
        session: 1,
      });
    });
  });

  test('answers', () => {
    withTables(([, , answers]) => {
      const [own, predicted, ...others] = objectsOf(answers!);
      expect(own).toMatchObject({
        condition: condition!.id,
        link: 'fibre',
        visit: 'cold',
        metric: 'plt',
        sureness: 'proven',
        settled: true,
        // Both take the same, so that chance says which of them it is.
        serve: 'h3-bbr',
        asGood: 'h2',
        regretPercent: expect.closeTo(0, 1),
        chanceAboveMargin: expect.closeTo(0),
        gainPercent: expect.closeTo(0, 1),
        gainLowPercent: expect.closeTo(0, 0),
        gainHighPercent: expect.closeTo(0, 0),
        predicted: false,
        blocks: 12,
      });
      expect(predicted).toMatchObject({
        condition: other!.id,
        serve: 'h3-bbr',
        asGood: 'h2',
        sureness: 'likely',
        settled: false,
        predicted: true,
        blocks: 0,
        chanceAboveMargin: undefined,
      });
      expect(others).toEqual([]);
    });
  });

  test('comparisons', () => {
    withTables(([, , , comparisons]) => {
      const rows = objectsOf(comparisons!);
      expect(rows).toHaveLength(6);
      expect(rows[0]).toMatchObject({
        condition: condition!.id,
        a: 'h2',
        b: 'h1',
        metric: 'plt',
        method: 'median',
        verdict: 'a',
        ratio: expect.closeTo(500 / 900),
        bWon: 0,
        share: 1,
        visit: 'cold',
      });
      expect(rows[0]!.aWon).toBe(rows[0]!.blocks);
      expect(rows[0]!.decidedAfter).toBeLessThanOrEqual(rows[0]!.blocks as number);
    });
  });

  test('every column is documented, and every figure is one', () => {
    withTables((tables) => {
      const page = renderColumns(tables);
      for (const { name, columns } of tables) {
        expect(page).toContain(`## ${name}`);
        expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length);
        for (const column of columns)
          expect(page).toMatch(new RegExp(`^\\| \`${column.name}\` \\|.*\\| \\S.*\\. \\|$`, 'm'));
      }
      expect(tables[0]!.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(LIST.map(([name]) => name)));
      // A page load has every figure but those of other kinds of trial.
      const others = [
        'uploadMs',
        'loadedRttMs',
        'tabs',
        'evenness',
        'ownKbps',
        'besideKbps',
        'fairness',
        'cpuSlowdown',
        'h3SharePercent',
        'slowStartPackets',
      ];
      expect(LIST.map(([name]) => name).sort()).toEqual([...Object.keys(FIGURES), ...others].sort());
    });
  });
});
