import type { Random } from './random.ts';

/** As many items as there are, drawn with replacement. */
export function resampled<T>(items: readonly T[], random: Random): T[] {
  return items.map(() => items[Math.floor(random() * items.length)]!);
}
