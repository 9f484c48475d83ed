import type {
  Asked,
  Dimension,
  Paper,
  PaperCell,
  PaperFigure,
  PaperPlace,
  PaperPlaces,
  Question,
  Varying,
} from '../model/paper.ts';
import { commonDimensions, describePlace, expandPlaces, liesIn, partnerOf } from './places.ts';
import type { Source, Spot } from './source.ts';

/** What a question asks in one place, and where the figures are that answer it. */
export interface Case {
  readonly title: string;
  readonly spots: readonly Spot[];
  readonly parts: readonly CasePart[];
}

/** One of the things that must be so. */
export type CasePart =
  | {
      /** The product of the figures of some arms over that of others: `ratio`, `growth`, `outgrows`. */
      readonly kind: 'product';
      readonly says: string;
      readonly figure: PaperFigure;
      readonly over: readonly ArmAt[];
      readonly under: readonly ArmAt[];
    }
  | {
      readonly kind: 'sum';
      readonly says: string;
      readonly figure: PaperFigure;
      readonly of: string;
      readonly to: string;
    }
  | { readonly kind: 'follows'; readonly says: string; readonly figure: PaperFigure; readonly arms: readonly string[] }
  | { readonly kind: 'beats'; readonly says: string; readonly arm: string; readonly other: string }
  | { readonly kind: 'completes'; readonly says: string; readonly arm: string; readonly does: boolean };

export interface ArmAt {
  readonly spot: Spot;
  readonly arm: string;
}

/** The cases of a question that a source has figures for, and those that it has not. */
export interface Cases {
  readonly cases: readonly Case[];
  /** What there are no figures for, each once. */
  readonly missing: readonly string[];
  readonly missingCases: number;
}

/** Takes a question apart into what it asks in each place. */
export function casesOf({ where, asks }: Question, source: Source, paper: Paper): Cases {
  if (asks.kind === 'sum' || asks.kind === 'follows') return casesTogether(where, asks, source, paper);
  const places = expandPlaces(where);
  const without = [...commonDimensions(where), ...('dimension' in asks ? [asks.dimension] : [])];
  const found: (Case | Missing)[] = places.flatMap((place) => {
    const start = 'dimension' in asks ? { ...place, [asks.dimension]: asks.from } : place;
    const spots = source.spots.filter((spot) => liesIn(spot, start));
    return waysOf(asks).flatMap((way): (Case | Missing)[] => {
      const unknown = armsOf(way).filter((arm) => !source.has(arm));
      if (unknown.length > 0) return [{ missing: unknown.map((arm) => paper.arms[arm]!.called) }];
      const cases = spots.flatMap((spot) => caseAt(spot, way, source, titleAt(spot, place, { spots, without })));
      return cases.length > 0 ? cases : [{ missing: [describePlace(place, without)] }];
    });
  });
  const missing = found.filter((each) => 'missing' in each);
  return {
    cases: found.filter((each) => 'parts' in each),
    missing: [...new Set(missing.flatMap((each) => each.missing))],
    missingCases: missing.length,
  };
}

/** A case without figures, and what is missing. */
interface Missing {
  readonly missing: readonly string[];
}

type SingleAsked = Exclude<Asked, { readonly kind: 'sum' | 'follows' }>;

/** Each thing that a question asks of one place; most ask one. */
function waysOf(asks: SingleAsked): readonly SingleAsked[] {
  if (asks.kind === 'ratio') return asks.pairs.map((pair) => ({ ...asks, pairs: [pair] }));
  if (asks.kind === 'growth') return asks.arms.map((arm) => ({ ...asks, arms: [arm] }));
  return [asks];
}

function armsOf(asks: SingleAsked): readonly string[] {
  switch (asks.kind) {
    case 'ratio':
      return asks.pairs.flatMap(({ of, to }) => [of, ...to].map(({ arm }) => arm));
    case 'growth':
      return asks.arms;
    case 'completes':
      return [asks.arm, asks.other];
    default:
      return [asks.arm, ...asks.others];
  }
}

/** A case's title; it names the server where the claim is about it, or where there are several. */
function titleAt(
  { place }: Spot,
  asked: PaperPlace,
  { spots, without }: { readonly spots: readonly Spot[]; readonly without: readonly Dimension[] },
): string {
  const isOne = asked.server === undefined && new Set(spots.map((spot) => spot.place.server)).size === 1;
  const { server: _, ...withoutServer } = place;
  return describePlace(isOne ? withoutServer : place, without);
}

/** What is asked of a spot; nothing where not all of it is there. */
function caseAt(spot: Spot, asks: SingleAsked, source: Source, title: string): Case[] {
  const parts = partsAt(spot, asks, source);
  const complete = parts.filter((part) => part !== undefined);
  if (complete.length < parts.length) return [];
  const spots = complete.flatMap((part) =>
    part.kind === 'product' ? [...part.over, ...part.under].map((each) => each.spot) : [spot],
  );
  return [{ title, spots: [...new Set([spot, ...spots])], parts: complete }];
}

function partsAt(spot: Spot, asks: SingleAsked, source: Source): readonly (CasePart | undefined)[] {
  const at = (cell: PaperCell): ArmAt | undefined => {
    const there = cell.at ? partnerOf(spot, cell.at, source.spots) : spot;
    return there && source.nameOf(there, cell.arm) !== undefined ? { spot: there, arm: cell.arm } : undefined;
  };
  const product = (says: string, figure: PaperFigure, over: readonly PaperCell[], under: readonly PaperCell[]) => {
    const cells = { over: over.map(at), under: under.map(at) };
    const [all, allUnder] = [cells.over.filter(isThere), cells.under.filter(isThere)];
    return all.length < over.length || allUnder.length < under.length
      ? undefined
      : { kind: 'product' as const, says, figure, over: all, under: allUnder };
  };
  const name = (cell: PaperCell) => nameCell(cell, spot, source);
  switch (asks.kind) {
    case 'ratio':
      return asks.pairs.flatMap(({ of, to }) =>
        to.map((other) => product(`${name(of)} against ${name(other)}`, asks.figure, [of], [other])),
      );
    case 'growth':
      return asks.arms.map((arm) => product(name({ arm }), asks.figure, [shifted(arm, asks)], [{ arm }]));
    case 'outgrows':
      return asks.others.map((other) =>
        product(
          `${name({ arm: asks.arm })} against ${name({ arm: other })}`,
          asks.figure,
          [shifted(asks.arm, asks), { arm: other }],
          [{ arm: asks.arm }, shifted(other, asks)],
        ),
      );
    case 'beats':
      return asks.others.map((other) =>
        isThere(at({ arm: asks.arm })) && isThere(at({ arm: other }))
          ? { kind: 'beats', says: `${name({ arm: asks.arm })} against ${name({ arm: other })}`, arm: asks.arm, other }
          : undefined,
      );
    case 'completes':
      return [
        { arm: asks.arm, does: true },
        { arm: asks.other, does: false },
      ].map(({ arm, does }) =>
        isThere(at({ arm })) ? { kind: 'completes', says: name({ arm }), arm, does } : undefined,
      );
  }
}

function isThere(each: ArmAt | undefined): each is ArmAt {
  return each !== undefined;
}

function shifted(arm: string, { dimension, to }: Varying): PaperCell {
  return { arm, at: { [dimension]: to } };
}

/** An arm as our study calls it, and where it is looked at if that is elsewhere. */
function nameCell({ arm, at }: PaperCell, spot: Spot, source: Source): string {
  const name = source.nameOf(spot, arm) ?? arm;
  return at ? `${name} of ${describePlace(at)}` : name;
}

/** All places as one case, as far as there are figures for them. */
function casesTogether(
  where: readonly PaperPlaces[],
  asks: Extract<Asked, { readonly kind: 'sum' | 'follows' }>,
  source: Source,
  paper: Paper,
): Cases {
  const common = commonDimensions(where);
  const places = expandPlaces(where);
  const arms = asks.kind === 'sum' ? [asks.of, asks.to] : asks.arms;
  const unknown = arms.filter((arm) => !source.has(arm)).map((arm) => paper.arms[arm]!.called);
  const found = places.map((place) => ({
    place,
    spots: source.spots.filter(
      (spot) => liesIn(spot, place) && arms.every((arm) => source.nameOf(spot, arm) !== undefined),
    ),
  }));
  const spots = found.flatMap((each) => each.spots);
  const missing = [
    ...unknown,
    ...found.filter((each) => each.spots.length === 0).map(({ place }) => describePlace(place, common)),
  ];
  // Two points always lie on a line.
  const enough = asks.kind === 'sum' ? spots.length > 0 : spots.length >= 3;
  if (!enough) return { cases: [], missing, missingCases: 1 };
  const [first] = spots;
  const name = (arm: string) => source.nameOf(first!, arm)!;
  const measured = found.filter((each) => each.spots.length > 0).length;
  const ofAll = measured < places.length ? ` (${measured} of ${places.length} together)` : '';
  const part: CasePart =
    asks.kind === 'sum'
      ? { ...asks, says: `${name(asks.of)} against ${name(asks.to)}${ofAll}` }
      : { ...asks, says: `correlation with requests less that with bytes${ofAll}` };
  return {
    cases: [{ title: `${measured} of ${places.length} together`, spots, parts: [part] }],
    missing,
    missingCases: 0,
  };
}
