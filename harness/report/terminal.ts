import type { StudyEvent } from '../model/event.ts';
import { printable, printableJson } from '../model/printable.ts';
import { renderEvent } from './progress.ts';

/** Where text goes: a terminal, a file, a program. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows a study's events somewhere, in a form that fits. */
export type Display = (event: StudyEvent) => void;

/** Plain lines say how far a study is no more often than this. */
const STATUS_EVERY_MS = 10_000;

/** One event a line, for programs. */
export function showJson(output: Output): Display {
  return (event) => {
    output.write(`${printableJson(event)}\n`);
  };
}

/** For people: on a terminal the last lines always say how far it is, elsewhere a line says so now and then. */
export function showProgress(output: Output, now = () => performance.now()): Display {
  return output.isTTY ? showOnTerminal(output) : showPlainly(output, now);
}

const CLEAR_BELOW = '\r\u001B[J';

/** Moves up over lines that were written before. */
function moveUp(lines: number): string {
  return lines > 0 ? `\u001B[${lines}A` : '';
}

/** Writes over its last lines, each of which is cut to the width of the terminal so that it stays one. */
function showOnTerminal(output: Output): Display {
  let board: readonly string[] = [];
  return (event) => {
    const text = renderEvent(event);
    const clear = `${moveUp(board.length - 1)}${CLEAR_BELOW}`;
    board = event.event === 'ended' ? [] : (text.board ?? board);
    const kept = text.lines.map((line) => `${printable(line)}\n`).join('');
    const shown = board.map((line) => printable(line).slice(0, (output.columns ?? 80) - 1)).join('\n');
    output.write(`${clear}${kept}${shown}`);
  };
}

function showPlainly(output: Output, now: () => number): Display {
  let saidMs = now();
  return (event) => {
    const { lines, status } = renderEvent(event);
    const isDue = status !== undefined && now() - saidMs >= STATUS_EVERY_MS;
    if (isDue) saidMs = now();
    for (const line of [...lines, ...(isDue ? [status] : [])]) output.write(`${printable(line)}\n`);
  };
}
