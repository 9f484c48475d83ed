/** What an option's value names, for shell completion. */
export type NameKind = 'study' | 'site' | 'link' | 'server' | 'mix' | 'folder' | 'file';

/** One option of a command. The parser, its types, the help, the completion and the documentation all come from it. */
export interface Option {
  /** The heading that the help shows the option under. */
  readonly group: string;
  /** What the help writes for the value, as in `N`; a switch has no value. */
  readonly value?: string;
  /** The value may be left out: only a number that follows the option is taken for it. */
  readonly valueIsOptional?: true;
  /** The option may be given more than once. */
  readonly many?: true;
  /** One or two plain sentences that explain the option. */
  readonly says: string;
  /** What happens without the option; a switch is simply off. */
  readonly default?: string;
  /** The option as a user would type it. */
  readonly example: string;
  /** The words that the value may be, or what kind of name it is. */
  readonly takes?: readonly string[] | NameKind;
}

/** The options of a command by their names, without the dashes. */
export type Options = Readonly<Record<string, Option>>;

/** What the parser makes of an option: texts, a text, or true. */
type ValueOf<One extends Option> = One extends { readonly many: true }
  ? readonly string[]
  : One extends { readonly value: string }
    ? string
    : boolean;

/** What the parser makes of the options of a table. */
export type Values<Table extends Options> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> };
