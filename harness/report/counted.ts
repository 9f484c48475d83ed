/** A number of things, in words: `1 block`, `3 blocks`. */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
