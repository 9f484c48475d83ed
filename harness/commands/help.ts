import type { Option, Options } from '../model/option.ts';
import { wrapped } from '../report/wrapped.ts';
import { ALL_COMMANDS, type CommandName } from './command-table.ts';

/** The command with its operands in one line: `record URL|HAR|NAME [NAME] [OPTIONS]`. */
export function usageOf(command: CommandName): string {
  const { operands, options } = ALL_COMMANDS[command];
  const words = operands.map(({ name, isOptional }) => (isOptional ? `[${name}]` : name));
  return ['photofinish', command, ...words, ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : [])].join(' ');
}

/** What `photofinish COMMAND --help` prints: each option with its default and an example, within 80 columns. */
export function renderHelp(command: CommandName): string {
  const { does, more = '', operands, options, examples } = ALL_COMMANDS[command];
  const blocks = [
    usageOf(command),
    wrapped(`${does} ${more}`.trim()),
    ...(operands.length === 0 ? [] : [operands.map(({ name, says }) => paragraph(`${name}: ${says}`)).join('\n')]),
    `Examples:\n${examples.map((example) => `  npx photofinish ${example}`).join('\n')}`,
    ...groupsOf(options).map(([group, members]) => `${group}:\n\n${members.map(renderOption).join('\n\n')}`),
  ];
  return blocks.join('\n\n');
}

/** The options of a command as a table in Markdown, for the documentation. */
export function renderOptionTable(options: Options): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = groupsOf(options).flatMap(([, members]) =>
    members.map(([name, { value, valueIsOptional, says, default: without }]) => {
      const written = value === undefined ? `--${name}` : `--${name} ${valueIsOptional ? `[${value}]` : value}`;
      return `| \`${cell(written)}\` | ${cell(says)} | ${cell(without ?? 'off')} |`;
    }),
  );
  return ['| option | meaning | default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The commands as a table in Markdown, for the documentation. */
export function renderCommandTable(): string {
  const rows = Object.entries(ALL_COMMANDS).map(([name, { does, operands }]) => {
    const words = [name, ...operands.map((operand) => (operand.isOptional ? `[${operand.name}]` : operand.name))];
    return `| \`${words.join(' ').replaceAll('|', '\\|')}\` | ${does} |`;
  });
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}

/** The commands with what each does, for `photofinish` alone. */
export function renderCommands(): string {
  const names = Object.keys(ALL_COMMANDS) as CommandName[];
  return names.map((name) => `  ${name.padEnd(12)}${ALL_COMMANDS[name].does}`).join('\n');
}

type NamedOption = readonly [name: string, option: Option];

function groupsOf(options: Options): readonly (readonly [group: string, members: readonly NamedOption[]])[] {
  return [...Map.groupBy(Object.entries(options), ([, { group }]) => group)];
}

function renderOption([name, option]: NamedOption): string {
  const { value, valueIsOptional, many, says, default: without, example } = option;
  const written = value === undefined ? '' : valueIsOptional ? ` [${value}]` : ` ${value}`;
  const sentences = [says, ...(without === undefined ? [] : [`Default: ${without}.`])];
  return [
    `  --${name}${written}${many ? '   (repeatable)' : ''}`,
    paragraph(sentences.join(' '), '      '),
    `      Example: ${example}`,
  ].join('\n');
}

function paragraph(text: string, indent = '  '): string {
  return wrapped(`${indent}${text}`, indent);
}
