/** A stream of numbers in [0, 1) that its seed determines (mulberry32). */
export type Random = () => number;

/** The stream of a seed; different labels give streams that have nothing to do with each other. */
export function seededRandom(seed: number, label = ''): Random {
  let state = seed >>> 0;
  for (const character of label) state = Math.imul(state ^ character.codePointAt(0)!, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The items in a random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
