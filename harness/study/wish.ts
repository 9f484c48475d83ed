import type { Visit } from '../model/arm.ts';
import type { Rule, Until } from '../model/comparison.ts';
import type { DeviceName } from '../model/device.ts';
import type { TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import type { Offer } from '../model/offer.ts';
import type { Arm, Metric, Study } from '../model/study.ts';
import type { MixWish } from './mix.ts';
import type { FieldPlace } from './place.ts';

/** A grid as it was asked for: what is absent takes its default. */
export interface GridWish {
  readonly sites: readonly string[];
  readonly links: readonly Link[];
  readonly servers?: readonly string[] | undefined;
  readonly visits?: readonly Visit[] | undefined;
  readonly topology?: TopologyName | undefined;
  readonly tabs?: readonly number[] | undefined;
}

/** What a study has as it was asked for, or as it was begun. */
type AsAsked =
  | 'offered'
  | 'timeoutMs'
  | 'repeats'
  | 'places'
  | 'insecure'
  | 'resolve'
  | 'allOrigins'
  | 'thinkTimes'
  | 'har';

/** A study as it was asked for: what is absent takes its default, or what lies below. */
export interface StudyWish extends Pick<Study, AsAsked> {
  readonly name?: string;
  readonly describes?: string;
  readonly grids?: readonly GridWish[] | undefined;
  /** These replace what each of the grids below has. */
  readonly sites?: readonly string[];
  readonly links?: readonly Link[] | undefined;
  readonly servers?: readonly string[] | undefined;
  readonly visits?: readonly Visit[] | undefined;
  readonly topology?: TopologyName | undefined;
  readonly tabs?: readonly number[] | undefined;
  readonly arms?: readonly Arm[];
  /** What servers offer, in place of arms; and how visits are weighed, as shares of 1. */
  readonly offers?: readonly Offer[] | undefined;
  readonly firstVisits?: number;
  readonly withoutUdp?: number | undefined;
  readonly device?: DeviceName | undefined;
  readonly rule?: Rule;
  readonly metric?: Metric;
  readonly blocks?: number | undefined;
  readonly exactly?: number;
  readonly until?: Until;
  readonly served?: string | undefined;
  readonly lighthouse?: number;
  readonly seed?: number;
  readonly budgetMs?: number | undefined;
  readonly mix?: MixWish | undefined;
}

/** A wish, and where each of its keys stands. */
export interface PlacedWish {
  readonly wish: StudyWish;
  readonly place: FieldPlace;
}

/** The keys that a grid consists of. */
export const DIMENSIONS: readonly (keyof StudyWish)[] = ['sites', 'links', 'servers', 'visits', 'topology', 'tabs'];

/** One wish laid over another: what it has replaces what lies below, and what cannot go with it. */
export function lay(below: PlacedWish, above: PlacedWish): PlacedWish {
  const displaced = displacedBy(above.wish);
  const kept = filterKeys(below.wish, (key) => !displaced.includes(key));
  const laid = filterKeys(above.wish, (key) => above.wish[key] !== undefined);
  const dimensions = filterKeys(laid, (key) => DIMENSIONS.includes(key)) as Partial<GridWish>;
  return {
    wish: {
      ...kept,
      ...laid,
      grids: (laid.grids ?? kept.grids)?.map((grid) => ({ ...grid, ...dimensions })),
    },
    place: (path) => (Object.hasOwn(laid, path[0] ?? '') ? above : below).place(path),
  };
}

/**
 * The keys that a wish replaces: blocks are fixed, without an end in time, or end early; there are grids, or one grid's
 * dimensions.
 */
function displacedBy({ grids, exactly, blocks, until, arms, offers }: StudyWish): (keyof StudyWish)[] {
  return [
    ...(grids ? DIMENSIONS : []),
    ...(offers ? (['arms', 'visits'] as const) : []),
    ...(arms ? (['offers', 'firstVisits', 'withoutUdp'] as const) : []),
    ...(exactly === undefined ? [] : (['blocks', 'until', 'budgetMs'] as const)),
    ...(blocks === undefined && until === undefined ? [] : (['exactly'] as const)),
  ];
}

function filterKeys(wish: StudyWish, keeps: (key: keyof StudyWish) => boolean): StudyWish {
  return Object.fromEntries(Object.entries(wish).filter(([key]) => keeps(key as keyof StudyWish)));
}
