import { drawTypicalOf } from '../comparison/typical.ts';
import type { PaperFigure } from '../model/paper.ts';
import type { MeasuredSource } from './measured.ts';
import type { Spot } from './source.ts';

/** What the typical figure of an arm may be somewhere, as logarithms, draw by draw; undefined where too little tells. */
export type TypicalFigures = (spot: Spot, arm: string, figure: PaperFigure) => Float64Array | undefined;

/** Draws what the figures of each arm typically are, of each figure when it is first asked for. */
export function typicalFigures(source: MeasuredSource, seed: number): TypicalFigures {
  const byFigure = new Map<PaperFigure, ReadonlyMap<Spot, ReadonlyMap<string, Float64Array> | undefined>>();
  return (spot, arm, figure) => {
    const drawn = byFigure.get(figure) ?? drawFigure(source, figure, seed);
    byFigure.set(figure, drawn);
    return drawn.get(spot)?.get(arm);
  };
}

function drawFigure({ spots, recordOf }: MeasuredSource, figure: PaperFigure, seed: number) {
  const records = spots.map((spot) => ({
    likeness: (spot.place.lossPercent ?? 0) > 0 ? ('lossy' as const) : ('lossless' as const),
    record: recordOf(spot, figure),
    timeoutMs: spot.timeoutMs,
  }));
  const arms = [...new Set(spots.flatMap((spot) => [...spot.arms.keys()]))];
  const drawn = drawTypicalOf(records, arms, seed);
  return new Map(spots.map((spot, index) => [spot, drawn.get(records[index]!.record.condition)]));
}
