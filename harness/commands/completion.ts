import { EXIT } from '../model/exit-code.ts';
import type { NameKind, Option } from '../model/option.ts';
import { NAMED_LINKS } from '../study/named-links.ts';
import { NAMED_MIXES } from '../study/named-mixes.ts';
import { unknownName } from '../study/unknown-name.ts';
import { PROJECT } from '../system/tools.ts';
import { ALL_COMMANDS, type CommandName } from './command-table.ts';
import { studySources } from './sources.ts';

/** The shells that `completion` knows, each with what it is told. */
const SHELLS = { bash: renderBash, zsh: renderZsh } as const;

/** Reads the operand of `completion`. */
export function parseShell(name: string): keyof typeof SHELLS {
  const known = Object.keys(SHELLS) as (keyof typeof SHELLS)[];
  const found = known.find((each) => each === name);
  if (found) return found;
  throw unknownName(name, { where: 'completion', what: 'shell', known });
}

/** `photofinish completion SHELL`: prints what the shell completes Photofinish's words with. */
export async function completion(shell: keyof typeof SHELLS, print: (line: string) => void): Promise<number> {
  print(SHELLS[shell]().trimEnd());
  return EXIT.done;
}

/** Words to choose from, or files, or folders. */
type Choice = { readonly words: readonly string[]; readonly also?: 'file' | 'folder' };

/** What may follow, by the words before it: `measure` alone for its options and operands, `measure --link` for a value. */
function choices(): ReadonlyMap<string, Choice> {
  const names = namesOf();
  const choose = (takes: Option['takes']): Choice => {
    if (takes === undefined) return { words: [] };
    return typeof takes === 'string' ? names[takes] : { words: takes };
  };
  const found = new Map<string, Choice>([['', { words: [...Object.keys(ALL_COMMANDS), '--help', '--version'] }]]);
  for (const name of Object.keys(ALL_COMMANDS) as CommandName[]) {
    const { operands, options } = ALL_COMMANDS[name];
    const first = choose(operands[0]?.takes);
    found.set(name, {
      ...first,
      words: [...first.words, ...Object.keys(options).map((each) => `--${each}`), '--help'],
    });
    for (const [option, { value, takes }] of Object.entries(options))
      if (value !== undefined) found.set(`${name} --${option}`, choose(takes));
  }
  return found;
}

function namesOf(): Readonly<Record<NameKind, Choice>> {
  const { presets, sites, servers } = studySources();
  return {
    study: { words: presets, also: 'file' },
    site: { words: sites, also: 'folder' },
    link: { words: Object.keys(NAMED_LINKS) },
    server: { words: servers },
    mix: { words: Object.keys(NAMED_MIXES), also: 'file' },
    folder: { words: [], also: 'folder' },
    file: { words: [], also: 'file' },
  };
}

/** Where the program is not in the PATH, the shell gets a function of its name that starts this checkout's. */
function renderLauncher(): string {
  const launcher = `${PROJECT}harness/setup/photofinish.mjs`;
  return `command -v photofinish >/dev/null 2>&1 || photofinish() { '${launcher.replaceAll("'", "'\\''")}' "$@"; }`;
}

/** A case for each place, with lists in which words are told apart by blanks; no word has any. */
function renderCases(say: (choice: Choice) => string): string {
  return [...choices()].map(([place, choice]) => `    '${place}') ${say(choice)} ;;`).join('\n');
}

const HINT = (shell: string, file: string) =>
  `# Completion for ${shell}. For this shell:  eval "$(npx photofinish completion ${shell})"\n# To keep it, put that line into ${file}, with the folder that Photofinish is in.`;

function renderBash(): string {
  return `${HINT('bash', '~/.bashrc')}
${renderLauncher()}
_photofinish() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous='' place='' words='' also=''
  ((COMP_CWORD > 1)) && place="\${COMP_WORDS[1]}" && previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  [[ $previous == --* && $previous != --help ]] && _photofinish_choices "$place $previous" || _photofinish_choices "$place" || return
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case $also in
    file) COMPREPLY+=($(compgen -f -- "$current")) ;;
    folder) COMPREPLY+=($(compgen -d -- "$current")) ;;
  esac
}
_photofinish_choices() {
  case "$1" in
${renderCases(({ words, also = '' }) => `words='${words.join(' ')}' also='${also}'`)}
    *) return 1 ;;
  esac
}
complete -o filenames -F _photofinish photofinish
`;
}

function renderZsh(): string {
  return `${HINT('zsh', '~/.zshrc')}
${renderLauncher()}
_photofinish() {
  local previous='' place='' also=''
  local -a candidates
  ((CURRENT > 2)) && place="\${words[2]}" && previous="\${words[CURRENT - 1]}"
  [[ $previous == --* && $previous != --help ]] && _photofinish_choices "$place $previous" || _photofinish_choices "$place" || return 1
  compadd -a candidates
  case $also in
    file) _files ;;
    folder) _files -/ ;;
  esac
}
_photofinish_choices() {
  case "$1" in
${renderCases(({ words, also = '' }) => `candidates=(${words.join(' ')}) also='${also}'`)}
    *) return 1 ;;
  esac
}
(($+functions[compdef])) || { autoload -Uz compinit && compinit; }
compdef _photofinish photofinish
`;
}
