import type { ExportCell, ExportColumn, ExportTable, Row, TableWriter } from './export-table.ts';

type Write = (text: string) => void;

/** Writes CSV by RFC 4180: a line of names, then a line a row; nothing where there are no rows. */
export function csvWriter(columns: readonly ExportColumn[], write: Write): TableWriter {
  const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`;
  write(line(columns.map(({ name }) => name)));
  return {
    add: (rows) => write(rows.map((row) => line(row.map(renderCell))).join('')),
    finish: () => {},
  };
}

/** A spreadsheet takes a text that begins like this for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

function renderCell(cell: ExportCell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : `${cell}`;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A JSON array of objects, a line a row; a row leaves out what it has no value for. */
export function jsonWriter(columns: readonly ExportColumn[], write: Write): TableWriter {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let before = '[\n';
  return {
    add(rows) {
      write(before + rows.map((row) => renderObject(names, row)).join(',\n'));
      before = ',\n';
    },
    finish: () => write(before === '[\n' ? '[]\n' : '\n]\n'),
  };
}

function renderObject(names: readonly string[], row: Row): string {
  const members = row.map((cell, index) => (cell === undefined ? '' : `${names[index]}:${renderValue(cell)}`));
  return `{${members.filter(Boolean).join(',')}}`;
}

/** JSON has no word for a number that is none, or has no end: a text stands for it. */
function renderValue(cell: string | number | boolean): string {
  const isText = typeof cell === 'string' || (typeof cell === 'number' && !Number.isFinite(cell));
  return isText ? JSON.stringify(`${cell}`) : `${cell}`;
}

const KINDS: Readonly<Record<ExportColumn['kind'], string>> = {
  text: 'text',
  number: 'number',
  count: 'whole number',
  flag: 'true or false',
};

/** What every column of every table means, as a page of Markdown. */
export function renderColumns(tables: readonly ExportTable[]): string {
  return [
    '# What the columns mean',
    '',
    'The same tables in each format. A cell is empty, null or left out where there is nothing. `Infinity` and `NaN` are',
    "texts in JSON. In CSV a text that a spreadsheet would run as a formula has a `'` before it. Times are of the clock of",
    'the machine that measured; those since 1970 are in UTC.',
    ...tables.flatMap(describeTable),
    '',
  ].join('\n');
}

function describeTable({ name, says, columns }: ExportTable): string[] {
  const rows = columns.map(
    (column) => `| \`${column.name}\` | ${KINDS[column.kind]} | ${column.unit ?? ''} | ${column.says} |`,
  );
  return ['', `## ${name}`, '', says, '', '| column | type | unit | meaning |', '| --- | --- | --- | --- |', ...rows];
}
