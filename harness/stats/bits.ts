/** A set of small whole numbers, 32 to a word. Sets that are held against each other have the same number of words. */
export type Bits = readonly number[];

/** The set of those numbers below `size` for which `holds`. */
export function bitsWhere(size: number, holds: (index: number) => boolean): Bits {
  const words = Array.from({ length: Math.ceil(size / 32) }, () => 0);
  for (let index = 0; index < size; index += 1) if (holds(index)) words[index >> 5]! |= 1 << (index & 31);
  return words;
}

/** What is in both. */
export function intersection(a: Bits, b: Bits): Bits {
  return a.map((word, index) => word & b[index]!);
}

/** What is in the first and not in the second. */
export function difference(a: Bits, b: Bits): Bits {
  return a.map((word, index) => word & ~b[index]!);
}

/** The numbers in a set, ascending. */
export function membersOf(bits: Bits): number[] {
  const members: number[] = [];
  // The lowest bit of a word is what it shares with its negative.
  for (const [index, word] of bits.entries())
    for (let left = word; left !== 0; left &= left - 1) members.push(32 * index + 31 - Math.clz32(left & -left));
  return members;
}
