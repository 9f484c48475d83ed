import type { ReferenceLoad } from './session.ts';
import type { Condition } from './study.ts';

/** The page that the reference loads of a condition are of: the same for every link. */
export function referencePageOf({ site, server, visit, device }: Condition): string {
  return [site, server, visit, device].join('|');
}

/** The load times over a link without limits of a page by an arm: of unwatched loads, or of watched ones. */
export function referenceTimes(
  references: readonly Omit<ReferenceLoad, 'capture'>[],
  of: Pick<ReferenceLoad, 'page' | 'arm' | 'watched'>,
): readonly number[] {
  return references.flatMap(({ page, arm, watched, pltMs }) =>
    page === of.page && arm === of.arm && watched === of.watched ? (pltMs ?? []) : [],
  );
}
