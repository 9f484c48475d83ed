/* Reads what was typed and carries it out: what `setup/photofinish.mjs` starts, and npm. */
import { parseBench } from './commands/bench.ts';
import { calibrate, parseCalibrate } from './commands/calibrate.ts';
import { readCommandLine } from './commands/command-line.ts';
import type { COMMANDS, CommandName } from './commands/command-table.ts';
import { completion, parseShell } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { exportStudy, parseExport } from './commands/export.ts';
import { gate, parseGate } from './commands/gate.ts';
import { renderCommands, renderHelp } from './commands/help.ts';
import { list, parseList } from './commands/list.ts';
import { measure, parseMeasure } from './commands/measure.ts';
import { opensPage, parseRecord, record } from './commands/record.ts';
import { parseReport, report } from './commands/report.ts';
import { parseWorker, work } from './commands/worker.ts';
import { EnvironmentError, UsageError } from './model/errors.ts';
import { EXIT } from './model/exit-code.ts';
import type { Values } from './model/option.ts';
import { printable } from './model/printable.ts';
import { WELCOME } from './setup/welcome.mjs';
import { isDiskError } from './system/disk-error.ts';
import { furnishEnclosure, isEnclosed, runEnclosed } from './system/enclosure.ts';
import type { Argv } from './system/process.ts';
import { requestStop } from './system/stop.ts';
import { readVersion } from './system/version.ts';

/** What a command does with what the table has of it. */
interface Handler<Flags> {
  /** Whether it builds labs or opens pages, with these operands, which is done in an enclosure. */
  readonly enclosed?: boolean | ((operands: readonly string[], values: Flags) => boolean);
  /** Reads what was asked, so that whatever is wrong with it is said at once; returns what carries it out. */
  readonly parse: (values: Flags, operands: readonly string[]) => () => Promise<number>;
}

const HANDLERS: { readonly [Name in CommandName]: Handler<Values<(typeof COMMANDS)[Name]['options']>> } = {
  measure: {
    enclosed: true,
    parse(values) {
      const request = parseMeasure(values);
      return () => measure(request, process.stdout);
    },
  },
  report: {
    parse(values, operands) {
      const request = parseReport(values, operands);
      return () => report(request, print);
    },
  },
  export: {
    parse(values, operands) {
      const request = parseExport(values, operands);
      return () => exportStudy(request, print);
    },
  },
  gate: {
    parse(values, operands) {
      const order = parseGate(values, operands);
      return () => gate(order, print);
    },
  },
  record: {
    enclosed: opensPage,
    parse(values, operands) {
      const request = parseRecord(values, operands);
      return () => record(request, print);
    },
  },
  worker: {
    enclosed: true,
    parse(values, operands) {
      const request = parseWorker(values, operands);
      return () => work(request, print);
    },
  },
  calibrate: {
    enclosed: true,
    parse(values) {
      const request = parseCalibrate(values);
      return () => calibrate(request, print);
    },
  },
  list: {
    parse(_, [section]) {
      const sections = parseList(section);
      return () => list(print, sections);
    },
  },
  doctor: { parse: () => () => doctor(print) },
  bench: {
    enclosed: true,
    parse(_, [what]) {
      const bench = parseBench(what!);
      return () => bench(print);
    },
  },
  completion: {
    parse(_, [shell]) {
      const known = parseShell(shell!);
      return () => completion(known, print);
    },
  },
};

async function main(argv: readonly string[]): Promise<number> {
  const line = readCommandLine(argv);
  switch (line.kind) {
    case 'welcome':
      print(`${WELCOME}\n\nCommands, each with --help:\n${renderCommands()}`);
      return EXIT.done;
    case 'version':
      print(`photofinish ${readVersion()}`);
      return EXIT.done;
    case 'help':
      print(renderHelp(line.command));
      return EXIT.done;
    case 'command':
      return run(line.command, line.values, line.operands);
  }
}

async function run(command: CommandName, values: object, operands: readonly string[]): Promise<number> {
  // The parser makes of each option what the table says.
  const { parse, enclosed } = HANDLERS[command] as Handler<object>;
  const carryOut = parse(values, operands);
  const isInLab = typeof enclosed === 'function' ? enclosed(operands, values) : enclosed;
  if (isInLab && !isEnclosed())
    return runEnclosed([process.execPath, ...process.execArgv, ...process.argv.slice(1)] as unknown as Argv);
  if (isInLab) await furnishEnclosure();
  return carryOut();
}

function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** A mistake and a machine that cannot are said in a line; a bug shows its stack. */
function exitCodeOf(error: unknown): number {
  const first = firstOf(error);
  if (first instanceof UsageError || first instanceof EnvironmentError || isDiskError(first)) {
    process.stderr.write(`photofinish: ${printable(first.message)}\n`);
    return first instanceof UsageError ? EXIT.usage : EXIT.machine;
  }
  process.stderr.write(`${printable(error instanceof Error ? describe(error) : `${error}`)}\n`);
  return EXIT.bug;
}

/** What went wrong first, where putting things away then went wrong too. */
function firstOf(error: unknown): unknown {
  return error instanceof SuppressedError ? firstOf(error.suppressed) : error;
}

function describe(error: Error): string {
  if (error instanceof SuppressedError)
    return `${describe(error.suppressed)}\nand then, while things were put away: ${describe(error.error)}`;
  return error.cause instanceof Error ? `${error.stack}\ncaused by ${describe(error.cause)}` : `${error.stack}`;
}

/**
 * The reader of the output has gone: work that is under way stops as if it was asked to, and nothing more is printed.
 */
function heedGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  if (!requestStop()) process.exit(EXIT.stopped);
}

/** An error that no code awaits ends the program as well. It is said as any other error, and its enclosure ends all that it started. */
process.on('uncaughtException', (error) => process.exit(exitCodeOf(error)));
for (const stream of [process.stdout, process.stderr]) stream.on('error', heedGoneReader);
process.exitCode = await main(process.argv.slice(2)).catch(exitCodeOf);
