import type { Random } from '../harness/stats/random.ts';
import { BLOCK_COMMENT, padText, pick } from './prose.ts';

export interface ScriptOptions {
  readonly random: Random;
  /** What the script does, after everything else in it. */
  readonly code: string;
  readonly bytes: number;
  /** A module: its import statements, which may be none. Where absent it is a classic script, in a scope of its own. */
  readonly imports?: string;
}

const ACTIONS = 'merge sort group read write find count trim join split scale clamp queue render update'.split(' ');
const SUBJECTS = 'Order Item Price Label Panel Range Token Entry Route Frame State Field Batch Total Index'.split(' ');

/**
 * A script of exactly the given size: functions that this page does not call, as real ones have, then the code. The
 * browser reads them and compiles none, so a script costs it little more than its bytes.
 */
export function renderScript({ random, code, bytes, imports }: ScriptOptions): string {
  const [open, close] = imports === undefined ? ["(function(){'use strict';\n", '\n})();\n'] : [imports, '\n'];
  const functions: string[] = [];
  let length = open.length + code.length + close.length;
  for (;;) {
    const text = renderFunction(random, functions.length);
    if (length + text.length + 64 > bytes) break;
    functions.push(text);
    length += text.length + 1;
  }
  return padText([open, ...functions.map((text) => `${text}\n`), code, close].join(''), bytes, BLOCK_COMMENT);
}

function renderFunction(random: Random, index: number): string {
  const name = `${pick(ACTIONS, random)}${pick(SUBJECTS, random)}${index}`;
  const [first, second, third] = [1, 2, 3].map(() => 2 + Math.floor(random() * 97));
  const body = pick(
    [
      `var total=${first};for(var i=0;i<list.length;i++){total=(total*${second}+list[i].weight)%9973}return total`,
      `return list.filter(function(entry){return entry.rank>${first}}).map(function(entry){return{id:entry.id,share:entry.rank/${second}}})`,
      `var seen={};list.forEach(function(entry){seen[entry.key]=(seen[entry.key]||${first})+${second}});return seen`,
      `if(!options||options.depth>${first}){return list}return list.slice(${second},${first! + third!}).concat(options.rest||[])`,
    ],
    random,
  );
  return `function ${name}(list,options){${body}}`;
}
