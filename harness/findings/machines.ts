import { CONFIDENCE } from '../comparison/rules.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { Measurement } from '../model/measurement.ts';
import { percentInWords } from '../model/wording.ts';
import { meanOf, median } from '../stats/order.ts';
import { unpairedShift } from '../stats/unpaired-shift.ts';

/*
 * Blocks lie on one machine each, so that a slower one makes all arms of its blocks slower and confounds none. Whether the
 * machines measure the same thing is asked all the same, as in an A/A test: the same arm in the same condition, here and on
 * the other machines.
 */

/** How much longer something takes on a machine than on the others: 1.02 is 2 % longer. */
export interface MachineRatio {
  readonly ratio: number;
  /** Absent where there is too little to tell. */
  readonly interval?: readonly [low: number, high: number] | undefined;
}

/** What an A/A test between machines comes to: whether they differ by more than the margin of the study. */
export type AaVerdict = 'alike' | 'differs' | 'undecided';

/** One of the machines of a study that workers ran. */
export interface MachineSummary {
  readonly name: string;
  readonly is: string;
  readonly loads: number;
  /** Loads of the same arm in the same condition. */
  readonly loadTimes?: MachineRatio | undefined;
  /** Whether these are alike on this machine and on the others. */
  readonly aa: AaVerdict;
  /** How two arms of the same condition compare: only this could mislead an answer. */
  readonly armRatios?: MachineRatio | undefined;
  /** Loads of the same page by the same arm over a link without limits. */
  readonly floor?: number | undefined;
  /** What a reader must know of it, in sentences. */
  readonly says: readonly string[];
}

/** More than this between floors is named; rigs of one kind differ by some percent. */
const FLOOR_SHARE = 0.1;

/** The machines of a study by name; empty where it was measured on the machine that planned it. */
export function compareMachines({ plan, sessions, measurements, references }: FoundStudy): readonly MachineSummary[] {
  const names = new Map(sessions.flatMap(({ number, machine }) => (machine.worker ? [[number, machine.worker]] : [])));
  const loads = measurements.filter((each) => each.status === 'ok');
  const times = loads.map((each): Cell => ({ ...cellOf(each), value: Math.log(each.pltMs) }));
  const served = new Map(
    times.flatMap((each, place) => (loads[place]!.arm === plan.served ? [[each.block, each.value]] : [])),
  );
  const ratios = times.flatMap((each, place): Cell[] => {
    const over = served.get(each.block);
    return loads[place]!.arm === plan.served || over === undefined ? [] : [{ ...each, value: each.value - over }];
  });
  const floors = references.flatMap(({ session, page, arm, watched, pltMs }, block): Cell[] =>
    watched || pltMs === undefined
      ? []
      : [{ machine: names.get(session ?? 0), cell: `${page} ${arm}`, block: `${block}`, value: Math.log(pltMs) }],
  );
  const margin = plan.rule.advantage;
  return [...new Set(names.values())].map((name): MachineSummary => {
    const own = sessions.filter(({ machine }) => machine.worker === name);
    const { cpu, cores, kernel, chromium, link } = own.at(-1)!.machine;
    const loadTimes = ratioOn(name, times);
    const armRatios = ratioOn(name, ratios);
    const floorDifferences = sharedCells(name, floors).map(({ here, there }) => middle(here) - middle(there));
    const floor = floorDifferences.length > 0 ? Math.exp(median(floorDifferences)) : undefined;
    const aa = verdictOn(loadTimes, margin);
    return {
      name,
      is: `${cpu}, ${cores} cores, kernel ${kernel}, Chromium ${chromium}, ${link}`,
      loads: times.filter(({ machine }) => machine === name).length,
      loadTimes,
      aa,
      armRatios,
      floor,
      says: [
        ...new Set(own.flatMap(({ notes }) => notes)),
        ...(aa === 'differs' ? [`its pages take ${compareInWords(loadTimes!)} than on the others`] : []),
        ...(floor !== undefined && Math.abs(floor - 1) > FLOOR_SHARE
          ? [`over a link without limits, its pages take ${compareInWords({ ratio: floor })} than on the others`]
          : []),
        ...(verdictOn(armRatios, margin) === 'differs'
          ? [
              `next to ${plan.served}, its other arms take ${compareInWords(armRatios!)} than on the others: look at its loads before you trust an answer`,
            ]
          : []),
      ],
    };
  });
}

/** A value of a block, and what else it may be held against: values of the same cell. */
interface Cell {
  readonly machine: string | undefined;
  readonly cell: string;
  readonly block: string;
  /** A logarithm. */
  readonly value: number;
}

function cellOf({ machine, condition, arm, block, launch }: Measurement): Omit<Cell, 'value'> {
  return { machine, cell: `${condition} ${arm}`, block: `${condition} ${block} ${launch}` };
}

/** The cells that a machine and the others have. */
function sharedCells(name: string, values: readonly Cell[]) {
  return [...Map.groupBy(values, ({ cell }) => cell).values()].flatMap((all) => {
    const [here, there] = [true, false].map((own) => all.filter(({ machine }) => (machine === name) === own));
    return here!.length > 0 && there!.length > 0 ? [{ here: here!, there: there! }] : [];
  });
}

function middle(values: readonly Cell[]): number {
  return median(values.map(({ value }) => value));
}

/**
 * How a machine's blocks lie to those of the others: each by the mean over its arms, from the middle between what both
 * have of the same cell. What a block does to all of its loads counts once.
 */
function ratioOn(name: string, values: readonly Cell[]): MachineRatio | undefined {
  const centred = sharedCells(name, values).flatMap(({ here, there }) => {
    const between = (middle(here) + middle(there)) / 2;
    return [...here, ...there].map((each) => ({ ...each, value: each.value - between }));
  });
  if (centred.length === 0) return undefined;
  const blocks = [...Map.groupBy(centred, ({ block }) => block).values()];
  const [here, there] = [true, false].map((own) =>
    blocks
      .filter(([first]) => (first!.machine === name) === own)
      .map((loads) => meanOf(loads.map(({ value }) => value))),
  );
  const { estimate, low, high } = unpairedShift({ values: here!, others: there! }, (1 - CONFIDENCE) / 2, 'fixed');
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  return { ratio: Math.exp(estimate), interval: isKnown ? ([Math.exp(low), Math.exp(high)] as const) : undefined };
}

/** Machines differ where that is sure and more than the margin, and are alike where the margin holds all that is likely. */
function verdictOn(found: MachineRatio | undefined, margin: number): AaVerdict {
  if (!found?.interval) return 'undecided';
  const [low, high] = found.interval;
  if (low >= 1 / (1 + margin) && high <= 1 + margin) return 'alike';
  return (low > 1 || high < 1) && Math.abs(found.ratio - 1) > margin ? 'differs' : 'undecided';
}

/** A ratio in percent, and its interval: `12 % longer (8 to 16)`. */
function compareInWords({ ratio, interval }: MachineRatio): string {
  const longer = ratio > 1;
  const percent = (of: number) => percentInWords(100 * (longer ? of - 1 : 1 - of));
  const ends = (longer ? interval : interval?.toReversed())?.map((end) => percent(end).replace(' %', ''));
  return `${percent(ratio)} ${longer ? 'longer' : 'shorter'}${ends ? ` (${ends.join(' to ')})` : ''}`;
}
