/** The width of the findings on the terminal. */
export const TERMINAL_COLUMNS = 80;

/** Text in lines that fit the terminal, all but the first indented; a number keeps its percent sign. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  const [start] = /^ */.exec(text)!;
  for (const word of text.trimStart().replaceAll(' %', '\u00A0%').split(' ')) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(`${start}${word}`);
    else if (last.length + 1 + word.length > TERMINAL_COLUMNS) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n').replaceAll('\u00A0', ' ');
}
