import { CONFIDENCE } from '../comparison/rules.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { Measurement } from '../model/measurement.ts';
import { median } from '../stats/order.ts';
import { hodgesLehmann } from '../stats/signed-rank.ts';

/*
 * Blocks lie on one machine each, so that a slower one makes all arms of its blocks slower and confounds none. Whether the
 * machines measure the same thing is asked all the same, as in an A/A test: the same arm in the same condition, here and on
 * the other machines.
 */

/** How much longer something takes on a machine than on the others: 1.02 is 2 % longer. */
export interface MachineRatio {
  readonly ratio: number;
  /** Absent where there is too little to tell. */
  readonly interval?: readonly [low: number, high: number];
}

/** One of the machines of a study that workers ran. */
export interface MachineSummary {
  readonly name: string;
  readonly is: string;
  readonly loads: number;
  /** Loads of the same arm in the same condition. */
  readonly loadTimes?: MachineRatio;
  /** How two arms of the same condition compare: only this could mislead an answer. */
  readonly armRatios?: MachineRatio;
  /** Loads of the same page by the same arm over a link without limits. */
  readonly floor?: number;
  /** What a reader must know of it, in sentences. */
  readonly says: readonly string[];
}

/** More than this between floors is named; rigs of one kind differ by some percent. */
const FLOOR_SHARE = 0.1;

/** The machines of a study by name; empty where it was measured on the machine that planned it. */
export function compareMachines({ plan, sessions, measurements, references }: FoundStudy): readonly MachineSummary[] {
  const names = new Map(sessions.flatMap(({ number, machine }) => (machine.worker ? [[number, machine.worker]] : [])));
  const loads = measurements.filter((each) => each.status === 'ok');
  const times = loads.map((each) => ({
    machine: each.machine,
    cell: `${each.condition} ${each.arm}`,
    value: Math.log(each.pltMs),
  }));
  const served = new Map(
    loads.filter(({ arm }) => arm === plan.served).map((each) => [blockOf(each), Math.log(each.pltMs)]),
  );
  const ratios = times.flatMap(({ machine, cell, value }, place) => {
    const { arm } = loads[place]!;
    const over = served.get(blockOf(loads[place]!));
    return arm === plan.served || over === undefined ? [] : [{ machine, cell, value: value - over }];
  });
  const floors = references.flatMap(({ session, page, arm, watched, pltMs }) =>
    watched || pltMs === undefined
      ? []
      : [{ machine: names.get(session ?? 0), cell: `${page} ${arm}`, value: Math.log(pltMs) }],
  );
  return [...new Set(names.values())].map((name): MachineSummary => {
    const own = sessions.filter(({ machine }) => machine.worker === name);
    const { cpu, cores, kernel, chromium, link } = own.at(-1)!.machine;
    const loadTimes = ratioOf(differences(times, name));
    const armRatios = ratioOf(differences(ratios, name));
    const floorDifferences = differences(floors, name);
    const floor = floorDifferences.length > 0 ? Math.exp(median(floorDifferences)) : undefined;
    return {
      name,
      is: `${cpu}, ${cores} cores, kernel ${kernel}, Chromium ${chromium}, ${link}`,
      loads: times.filter(({ machine }) => machine === name).length,
      ...(loadTimes && { loadTimes }),
      ...(armRatios && { armRatios }),
      ...(floor !== undefined && { floor }),
      says: [
        ...new Set(own.flatMap(({ notes }) => notes)),
        ...(floor !== undefined && Math.abs(floor - 1) > FLOOR_SHARE
          ? [`its pages take ${percent(floor)} than on the others, over a link without limits`]
          : []),
        ...(armRatios && differs(armRatios, plan.rule.advantage)
          ? [
              `arms compare otherwise than on the others, by ${percent(armRatios.ratio)}: look at its loads before you trust an answer`,
            ]
          : []),
      ],
    };
  });
}

interface Cell {
  readonly machine: string | undefined;
  readonly cell: string;
  readonly value: number;
}

/** The median here less the median there, for each cell that two machines have. */
function differences(values: readonly Cell[], name: string): readonly number[] {
  return [...Map.groupBy(values, ({ cell }) => cell).values()].flatMap((all) => {
    const [here, there] = [true, false].map((own) =>
      all.filter(({ machine }) => (machine === name) === own).map(({ value }) => value),
    ) as [number[], number[]];
    return here.length > 0 && there.length > 0 ? [median(here) - median(there)] : [];
  });
}

function ratioOf(logs: readonly number[]): MachineRatio | undefined {
  if (logs.length === 0) return undefined;
  const { estimate, low, high } = hodgesLehmann(logs, CONFIDENCE);
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  return { ratio: Math.exp(estimate), ...(isKnown && { interval: [Math.exp(low), Math.exp(high)] as const }) };
}

/** Whether it is sure that there is a difference, and it is larger than what counts as one in the study. */
function differs(
  { ratio, interval: [low, high] = [0, Number.POSITIVE_INFINITY] }: MachineRatio,
  advantage: number,
): boolean {
  return (low > 1 || high < 1) && Math.abs(ratio - 1) > advantage;
}

function percent(ratio: number): string {
  const share = 100 * (ratio - 1);
  return `${Math.abs(share).toFixed(1)} % ${share > 0 ? 'longer' : 'shorter'}`;
}

function blockOf({ condition, block, launch }: Measurement): string {
  return `${condition} ${block} ${launch}`;
}
