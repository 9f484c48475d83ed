import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../model/errors.ts';
import type { Option, Options } from '../model/option.ts';
import { nearest } from '../study/nearest.ts';
import { shortened } from '../study/place.ts';
import { unknownName } from '../study/unknown-name.ts';
import { ALL_COMMANDS, type CommandInfo, type CommandName } from './command-table.ts';
import { usageOf } from './help.ts';

/** A command line, read: a command with the values of its options and its operands, or a request for help. */
export type CommandLine =
  | { readonly kind: 'welcome' }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly command: CommandName }
  | {
      readonly kind: 'command';
      readonly command: CommandName;
      readonly values: object;
      readonly operands: readonly string[];
    };

/** Reads the words after `photofinish`. */
export function readCommandLine([first, ...args]: readonly string[]): CommandLine {
  if (first === undefined || isHelp(first))
    return args[0] === undefined ? { kind: 'welcome' } : { kind: 'help', command: findCommand(args[0]) };
  if (first === '--version' || first === 'version') return { kind: 'version' };
  const command = findCommand(first);
  if (args.some(isHelp)) return { kind: 'help', command };
  return { kind: 'command', command, ...parseArguments(command, args) };
}

function isHelp(word: string): boolean {
  return word === 'help' || word === '--help' || word === '-h';
}

function findCommand(name: string): CommandName {
  if (Object.hasOwn(ALL_COMMANDS, name)) return name as CommandName;
  const known = Object.keys(ALL_COMMANDS);
  throw unknownName(name, { what: 'command', known, see: 'npx photofinish --help' });
}

function parseArguments(command: CommandName, args: readonly string[]) {
  const { operands, options }: CommandInfo = ALL_COMMANDS[command];
  const { values, positionals, tokens } = parseOptions(command, withOptionalValues(args, options), options);
  refuseTwice(
    command,
    tokens.flatMap((token) => (token.kind === 'option' ? token.name : [])),
    options,
  );
  const least = operands.filter(({ isOptional }) => !isOptional).length;
  if (positionals.length < least)
    throw new UsageError(`${command}: ${operands[positionals.length]!.name} is missing. ${usageWithExample(command)}`);
  const surplus = positionals[operands.length];
  if (surplus !== undefined) throw new UsageError(`${command}: ${tellSurplus(surplus, command)}`);
  return { values, operands: positionals };
}

/** What is wrong with a word that has no place. A command without operands may have an option for it. */
function tellSurplus(word: string, command: CommandName): string {
  const { operands, options }: CommandInfo = ALL_COMMANDS[command];
  const option = operands.length > 0 ? undefined : ['site', 'link'].find((name) => Object.hasOwn(options, name));
  const perhaps = option === undefined ? '' : ` Did you mean "--${option} ${shortened(word)}"?`;
  return `"${shortened(word)}" is one word too many.${perhaps} ${usageWithExample(command)}`;
}

function usageWithExample(command: CommandName): string {
  const example = (ALL_COMMANDS[command] as CommandInfo).examples.find((each) => each !== command);
  return `Usage: ${usageOf(command)}${example === undefined ? '' : `. Example: npx photofinish ${example}`}`;
}

function parseOptions(command: CommandName, args: readonly string[], options: Options) {
  const config: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(options).map(([name, { value, many = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: many } as const,
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, tokens: true });
  } catch (cause) {
    throw new UsageError(`${command}: ${whatIsWrong(cause as NodeJS.ErrnoException, command, options)}`, { cause });
  }
}

/** Refuses a second value where an option has one: the last would count, and the first would be ignored without a word. */
function refuseTwice(command: CommandName, given: readonly string[], options: Options): void {
  const holdsOne = ({ value, many }: Option) => value !== undefined && !many;
  const twice = given.find((name, index) => given.indexOf(name) !== index && holdsOne(options[name]!));
  if (twice === undefined) return;
  throw new UsageError(`${command}: --${twice} is given twice. Expected: once, as in ${options[twice]!.example}`);
}

function whatIsWrong({ code, message }: NodeJS.ErrnoException, command: CommandName, options: Options): string {
  const more = `See: npx photofinish ${command} --help`;
  const [, written = ''] = /'(?:-\w, )?(--?[^' =<]+)/.exec(message) ?? [];
  const option = Object.hasOwn(options, written.slice(2)) ? options[written.slice(2)] : undefined;
  if (option?.value !== undefined) return `${written} needs a value: ${option.value}. Example: ${option.example}`;
  if (option) return `${written} takes no value. Example: ${option.example}`;
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${message.split('\n', 1)[0]} ${more}`;
  const meant = nearest(written.slice(2), Object.keys(options));
  const perhaps = meant === undefined ? '' : ` Did you mean "--${meant}"?`;
  return `"${written}" is not a known option.${perhaps} ${more}`;
}

/** Gives an empty value to options whose value may be left out, unless a number follows. */
function withOptionalValues(args: readonly string[], options: Options): string[] {
  return args.map((arg, index) => {
    const isAlone = options[arg.slice(2)]?.valueIsOptional && arg.startsWith('--');
    return isAlone && !/^\d+$/.test(args[index + 1] ?? '') ? `${arg}=` : arg;
  });
}
