import type { Random } from '../harness/stats/random.ts';
import { BLOCK_COMMENT, padText, pick } from './prose.ts';

export interface StylesheetOptions {
  readonly random: Random;
  /** The rules that the page needs; they come first. */
  readonly rules: string;
  readonly bytes: number;
}

const PROPERTIES = [
  ['margin', 'px'],
  ['padding', 'px'],
  ['gap', 'px'],
  ['font-size', 'px'],
  ['line-height', 'px'],
  ['border-radius', 'px'],
  ['max-width', 'rem'],
  ['opacity', '%'],
  ['z-index', ''],
] as const;
const PARTS = 'card list item badge button field label panel row cell tab menu note quote chip tray'.split(' ');
const STATES = ['', ':hover', ':focus-visible', '[aria-current]', ':first-child', '.is-open', '.is-wide'] as const;

/** A stylesheet of exactly the given size: the rules, and classes that this page does not use, as real ones have. */
export function renderStylesheet({ random, rules, bytes }: StylesheetOptions): string {
  const lines = [rules];
  let length = rules.length + 1;
  for (;;) {
    const line = renderRule(random);
    if (length + line.length + 64 > bytes) break;
    lines.push(line);
    length += line.length + 1;
  }
  return padText(`${lines.join('\n')}\n`, bytes, BLOCK_COMMENT);
}

function renderRule(random: Random): string {
  const selector = `.${pick(PARTS, random)}-${pick(PARTS, random)}${pick(STATES, random)}`;
  const declarations = Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
    const [property, unit] = pick(PROPERTIES, random);
    return `${property}:${1 + Math.floor(random() * 64)}${unit}`;
  });
  const colour = Math.floor(random() * 0x1000000)
    .toString(16)
    .padStart(6, '0');
  return `${selector}{color:#${colour};${declarations.join(';')}}`;
}
