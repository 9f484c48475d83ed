import type { Paper } from '../model/paper.ts';
import { partnerOf } from './places.ts';
import type { Source, Spot } from './source.ts';

/** What a paper's tables print, as if each figure were one block that leaves no doubt. */
export function printedSource({ tables, sites = {} }: Paper): Source {
  const rows = tables.flatMap(({ rows: own, columns }) => own.map((row) => ({ ...row, columns })));
  const spots: Spot[] = [];
  for (const { place } of rows) {
    const { objects = 0, bytes = 0 } = sites[place.site ?? ''] ?? {};
    const spot = { place, objects, bytes };
    if (!partnerOf(spot, {}, spots)) spots.push(spot);
  }
  const rowsIn = (spot: Spot, arm: string) =>
    rows.filter((row) => row.arm === arm && partnerOf(spot, {}, [{ ...spot, place: row.place }]));
  return {
    spots,
    has: (arm) => rows.some((row) => row.arm === arm),
    nameOf: (spot, arm) => (rowsIn(spot, arm).length > 0 ? arm : undefined),
    blocksOf: () => 1,
    valueOf: (spot, arm, figure) =>
      rowsIn(spot, arm)
        .flatMap(({ columns, figures }) => figures.filter((_, index) => columns[index]!.figure === figure))
        .at(0),
    verdictOf: () => undefined,
    isFixed: () => true,
    estimate: ([value = Number.NaN]) => ({ estimate: value, low: value, high: value }),
  };
}
