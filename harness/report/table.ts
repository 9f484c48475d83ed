/** One column of a table on the terminal. */
export interface TerminalColumn<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly text: (row: Row) => string;
}

/** A table as plain text: a line of titles, then a line a row, columns two blanks apart. */
export function renderTable<Row>(columns: readonly TerminalColumn<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => column.text(row)));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((line) => line[index]!.length)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) =>
        columns[index]!.align === 'right' ? text.padStart(widths[index]!) : text.padEnd(widths[index]!),
      )
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...cells.map(line)].join('\n');
}
