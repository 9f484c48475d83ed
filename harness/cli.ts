/* The commands and their options: what `setup/photofinish.mjs` starts, and npm. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { BENCHES, parseBench } from './commands/bench.ts';
import { calibrate, parseCalibrate } from './commands/calibrate.ts';
import { doctor } from './commands/doctor.ts';
import { exportStudy, parseExport } from './commands/export.ts';
import { gate, parseGate } from './commands/gate.ts';
import { list, parseList } from './commands/list.ts';
import { measure, parseMeasure } from './commands/measure.ts';
import { opensPage, parseRecord, record } from './commands/record.ts';
import { parseReport, report } from './commands/report.ts';
import { EnvironmentError, UsageError } from './model/errors.ts';
import { printable } from './model/printable.ts';
import { isDiskError } from './system/disk-error.ts';
import { furnishEnclosure, isEnclosed, runEnclosed } from './system/enclosure.ts';
import type { Argv } from './system/process.ts';
import { requestStop } from './system/stop.ts';

interface Command {
  readonly usage: string;
  readonly does: string;
  /** How many operands must follow, or at least and at most. */
  readonly operands?: number | readonly [number, number];
  readonly options?: ParseArgsConfig['options'];
  /** Whether it builds labs or opens pages, with these operands, which is done in an enclosure. */
  readonly enclosed?: boolean | ((operands: readonly string[], values: never) => boolean);
  /** Reads what was asked, so that whatever is wrong with it is said at once; returns what carries it out. */
  readonly parse: (values: never, operands: readonly string[]) => () => Promise<number>;
}

const one = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const many = { type: 'string', multiple: true } as const;

const MEASURE_OPTIONS = {
  ...{ study: one, quick: flag, site: many, link: many, arms: one, server: many, visit: many, device: one },
  ...{ blocks: one, exactly: one, rule: one, metric: one, mix: one, lighthouse: one },
  ...{ until: one, served: one },
  ...{ timeout: one, budget: one, seed: one, out: one, force: flag, pcap: flag, netlog: flag, json: flag },
  ...{ live: one, labs: one, har: one, 'all-origins': flag, 'no-think-times': flag, insecure: flag, resolve: many },
} as const;

const GATE_OPTIONS = {
  ...{ serve: one, 'max-regret': one, 'max-mix-regret': one, 'max-plt': many, 'no-slower-than': one },
  ...{ strict: flag, junit: one, json: flag },
} as const;

const RECORD_OPTIONS = {
  ...{ device: one, wait: one, script: one, resolve: many, link: one },
  ...{ 'keep-secrets': flag, insecure: flag, replace: flag, verify: flag },
} as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  measure: {
    usage: [
      'measure [--study NAME|FILE] [--quick] [--budget MIN] [--out DIR] [--force] [--json]',
      '[--site NAME|FOLDER|URL]... [--link NAME|SPEC]... [--arms h1,h2,h3] [--server NAME]... [--visit KIND]...',
      '[--blocks N | --exactly N] [--until settled|proven] [--rule NAME] [--metric plt|lcp|fcp|upload]',
      '[--served ARM] [--mix NAME|FILE|SHARES]',
      '[--device desktop|mobile] [--timeout S] [--seed N] [--lighthouse N] [--har full] [--pcap] [--netlog]',
      '[--live [PORT]] [--labs N|auto] [--all-origins] [--no-think-times] [--insecure] [--resolve HOST:PORT:ADDRESS]...',
    ].join('\n      '),
    does: 'runs a study, or continues the one in DIR, and says what to serve',
    options: { ...MEASURE_OPTIONS },
    enclosed: true,
    parse: (values: Parameters<typeof parseMeasure>[0]) => {
      const request = parseMeasure(values);
      return () => measure(request, process.stdout);
    },
  },
  report: {
    usage: 'report DIR [--serve [PORT]]',
    does: 'sums up the study in a folder again, finished or not; or shows it in the browser as it goes on',
    operands: 1,
    options: { serve: one },
    parse: (values: Parameters<typeof parseReport>[0], operands) => {
      const request = parseReport(values, operands);
      return () => report(request, print);
    },
  },
  export: {
    usage: 'export DIR [--to DIR] [--format csv,parquet,json,har]',
    does: "writes a study's answers, comparisons, blocks, loads and archives for other programs",
    operands: 1,
    options: { to: one, format: one },
    parse: (values: Parameters<typeof parseExport>[0], operands) => {
      const request = parseExport(values, operands);
      return () => exportStudy(request, print);
    },
  },
  gate: {
    usage: [
      'gate DIR [--serve ARM] [--max-regret PERCENT] [--max-mix-regret PERCENT] [--max-plt ARM[:LINK][@SITE]=MS]...',
      '[--no-slower-than DIR] [--strict] [--junit FILE] [--json]',
    ].join('\n      '),
    does: 'holds a study against limits, for CI; exits 1 where one is proven to be broken',
    operands: 1,
    options: { ...GATE_OPTIONS },
    parse: (values: Parameters<typeof parseGate>[0], operands) => {
      const order = parseGate(values, operands);
      return () => gate(order, print);
    },
  },
  record: {
    usage: [
      'record URL|FILE.har NAME [--device desktop|mobile] [--wait S] [--script FILE] [--keep-secrets]',
      '[--insecure] [--resolve HOST:PORT:ADDRESS]... [--replace] [--verify [--link NAME|SPEC]]; record --verify NAME',
    ].join('\n      '),
    does: 'keeps a page, with all that it loads, as a site in sites/recorded/NAME, and verifies that its replay is as good',
    operands: [1, 2],
    options: { ...RECORD_OPTIONS },
    enclosed: opensPage,
    parse: (values: Parameters<typeof parseRecord>[0], operands) => {
      const request = parseRecord(values, operands);
      return () => record(request, print);
    },
  },
  calibrate: {
    usage: 'calibrate [--link NAME|SPEC]... [--scale N]',
    does: 'measures links against what they claim; exits 1 out of tolerance',
    options: { link: many, scale: one },
    enclosed: true,
    parse: (values: Parameters<typeof parseCalibrate>[0]) => {
      const request = parseCalibrate(values);
      return () => calibrate(request, print);
    },
  },
  list: {
    usage: 'list [studies|sites|links|servers|mixes]',
    does: 'what there is to measure, and to measure with',
    operands: [0, 1],
    parse: (_, [section]) => {
      const sections = parseList(section);
      return () => list(print, sections);
    },
  },
  doctor: { usage: 'doctor', does: 'what this machine can do, and what is missing', parse: () => () => doctor(print) },
  bench: {
    usage: `bench ${Object.keys(BENCHES).join('|')}`,
    does: 'figures about the harness itself',
    operands: 1,
    enclosed: true,
    parse: (_, [what]) => {
      const bench = parseBench(what!);
      return () => bench(print);
    },
  },
};

async function main(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  if (name === 'help' || name === '--help' || args.includes('--help')) return help();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined;
  if (!command) throw new UsageError(`no command '${name}'; there are ${Object.keys(COMMANDS).join(', ')}`);
  const { values, positionals } = parseCommandLine(name, command, args);
  const carryOut = command.parse(values as never, positionals);
  const enclosed =
    typeof command.enclosed === 'function' ? command.enclosed(positionals, values as never) : command.enclosed;
  if (enclosed && !isEnclosed())
    return runEnclosed([process.execPath, ...process.execArgv, ...process.argv.slice(1)] as unknown as Argv);
  if (enclosed) await furnishEnclosure();
  return carryOut();
}

function parseCommandLine(name: string, command: Command, args: readonly string[]) {
  let parsed: { values: object; positionals: string[] };
  try {
    parsed = parseArgs({ args: withPorts(args), options: command.options ?? {}, allowPositionals: true }) as never;
  } catch (cause) {
    const [what] = (cause as Error).message.split(/\. |\.?\n/, 1);
    throw new UsageError(`${name}: ${what}; usage: ${inOneLine(command.usage)}`);
  }
  const { operands = 0 } = command;
  const [least, most] = typeof operands === 'number' ? [operands, operands] : operands;
  const count = parsed.positionals.length;
  if (count < least || count > most) throw new UsageError(`${name}: usage: ${inOneLine(command.usage)}`);
  return parsed;
}

/** Options that may go without their port, which they are given here as one that is empty. */
const PORTS: readonly string[] = ['--live', '--serve'];

function withPorts(args: readonly string[]): string[] {
  return args.map((arg, index) => (PORTS.includes(arg) && !/^\d+$/.test(args[index + 1] ?? '') ? `${arg}=` : arg));
}

function inOneLine(usage: string): string {
  return usage.replaceAll(/\s+/g, ' ');
}

function help(): number {
  print('photofinish COMMAND: which HTTP protocol should this page be served with, to these visitors?\n');
  for (const { usage, does } of Object.values(COMMANDS)) print(`  ${usage}\n      ${does}`);
  return 0;
}

function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** 2 for a mistake in what was asked, 3 for a machine that cannot, each in a line; a bug shows its stack. */
function exitCodeOf(error: unknown): number {
  const first = firstOf(error);
  if (first instanceof UsageError || first instanceof EnvironmentError || isDiskError(first)) {
    process.stderr.write(`photofinish: ${printable(first.message)}\n`);
    return first instanceof UsageError ? 2 : 3;
  }
  process.stderr.write(`${printable(error instanceof Error ? describe(error) : `${error}`)}\n`);
  return 70;
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

/** Who read the output has gone: whatever is at work stops as if it was asked to, and the rest has nothing to say. */
function heedGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  if (!requestStop()) process.exit(STOPPED);
}

const STOPPED = 4;

for (const stream of [process.stdout, process.stderr]) stream.on('error', heedGoneReader);
process.exitCode = await main(process.argv.slice(2)).catch(exitCodeOf);
