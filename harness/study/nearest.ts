/**
 * Which of some names was perhaps meant: the one that the fewest slips make of it, if they are few for its length, or the
 * only one that begins so.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // With two letters changed, nothing would be left to tell the names by.
  const most = name.length < 3 ? 0 : Math.floor(name.length / 3);
  const slips = known.map((each) => slipsBetween(name, each));
  const least = Math.min(...slips);
  if (least <= most) return known[slips.indexOf(least)];
  const longer = name.length < 3 ? [] : known.filter((each) => each.startsWith(name));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Letters left out, put in, replaced, or swapped with the next one (Damerau 1964); of names up to 64 letters. */
function slipsBetween(from: string, to: string): number {
  if (from.length > 64) return Number.POSITIVE_INFINITY;
  let [before, above] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line[column] = Math.min(
        above[column]! + 1,
        line[column - 1]! + 1,
        above[column - 1]! + (same ? 0 : 1),
        swapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, line];
  }
  return above[to.length]!;
}
