import type { BlockOutcomes, ConditionRecord } from '../model/comparison.ts';
import { type EstimatedVariance, moderate, type VariancePrior } from '../stats/moderated-variance.ts';
import { meanOf, median, sumOf } from '../stats/order.ts';

/*
 * The machine as a factor, in a study that workers measured. A block's loads stay on one machine: what that machine does
 * to all of them alike is taken off. What it does to one arm and not to the others no number of blocks takes off: it
 * widens what is possible. On one machine there is neither.
 */

/** A load that finished. */
interface Load {
  readonly block: number;
  readonly machine: string;
  readonly arm: string;
  /** The logarithm of its time. */
  readonly log: number;
}

/** The blocks of a condition as if its machines were equally fast; the very same where there is but one. */
export function withoutSpeeds(blocks: readonly BlockOutcomes[]): readonly BlockOutcomes[] {
  if (countsOf(blocks).length < 2) return blocks;
  const slownessOf = slownesses(loadsOf(blocks));
  return blocks.map((block) => {
    const factor = Math.exp(-(slownessOf.get(machineOf(block)) ?? 0));
    const outcomes = Object.entries(block.outcomes).map(([arm, outcome]) => [
      arm,
      outcome === 'failed' ? outcome : factor * outcome,
    ]);
    return { ...block, outcomes: Object.fromEntries(outcomes) };
  });
}

const SWEEPS = 5;

/** How much longer loads take on each machine, as a logarithm: arms and machines in turn (Tukey's median polish). */
function slownesses(loads: readonly Load[]): ReadonlyMap<string, number> {
  const [ofArms, ofMachines] = [Map.groupBy(loads, ({ arm }) => arm), Map.groupBy(loads, ({ machine }) => machine)];
  let machines: ReadonlyMap<string, number> = new Map();
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const arms = mediansOf(ofArms, ({ machine, log }) => log - (machines.get(machine) ?? 0));
    machines = mediansOf(ofMachines, ({ arm, log }) => log - arms.get(arm)!);
  }
  return machines;
}

/** What is known of how machines differ in what they do to an arm before any did: 2 %, as if two of them had told. */
const NOTHING_KNOWN: VariancePrior = { variance: 0.02 ** 2, freedom: 2 };
/** Conditions differ: all of them together tell no more of one than this. */
const MOST_FREEDOM = 6;

/**
 * By condition: the standard deviation of what its machines add to the typical time of an arm, beyond what its blocks
 * show by themselves, which is nothing where each block has a machine of its own. Empty on one machine.
 */
export function doubtsByMachine(records: readonly ConditionRecord[]): ReadonlyMap<string, number> {
  if (countsOf(records.flatMap(({ blocks }) => blocks)).length < 2) return new Map();
  const seen = records.map(({ blocks }) => armsByMachine(blocks));
  const freedom = sumOf(seen.map((each) => each.freedom));
  const sum = sumOf(seen.map((each) => each.freedom * each.variance));
  const all = moderate({ variance: sum / (freedom || 1), freedom }, NOTHING_KNOWN);
  const prior = { variance: Math.max(0, all.variance), freedom: Math.min(MOST_FREEDOM, all.freedom) };
  return new Map(
    records.map(({ condition, blocks }, index) => {
      const squares = sumOf(countsOf(blocks).map((count) => (count / blocks.length) ** 2));
      const beyond = (squares - 1 / blocks.length) * moderate(seen[index]!, prior).variance;
      return [condition, Math.sqrt(Math.max(0, beyond))];
    }),
  );
}

/**
 * The variance of what machines do to an arm and not to the others, by an analysis of variance: the mean square between
 * machines less that within them. It is worth the less the more loads vary by themselves, and may be negative, so that
 * the mean over conditions is right.
 */
function armsByMachine(blocks: readonly BlockOutcomes[]): EstimatedVariance {
  const arms = [...Map.groupBy(betweenArms(loadsOf(blocks)), ({ arm }) => arm).values()];
  let [between, within, machines, others, size] = [0, 0, 0, 0, 0];
  for (const arm of arms) {
    const middle = meanOf(arm.map(({ log }) => log));
    const cells = [...Map.groupBy(arm, ({ machine }) => machine).values()];
    for (const cell of cells) {
      const mean = meanOf(cell.map(({ log }) => log));
      between += cell.length * (mean - middle) ** 2;
      within += sumOf(cell.map(({ log }) => (log - mean) ** 2));
      size -= cell.length ** 2 / arm.length;
    }
    size += arm.length;
    machines += cells.length - 1;
    others += arm.length - cells.length;
  }
  if (arms.length < 2 || machines === 0 || others === 0) return { variance: 0, freedom: 0 };
  // What the blocks do to all arms is taken off, and with it a part of what there is to tell.
  const own = (arms.length - 1) / arms.length;
  const noise = within / (own * others);
  const blocksEach = size / machines;
  const expected = blocksEach * NOTHING_KNOWN.variance;
  return {
    variance: (between / (own * machines) - noise) / blocksEach,
    freedom: (own * machines * expected) / (expected + noise),
  };
}

/** Loads less what their arms take, and less what their blocks add to all arms alike. */
function betweenArms(loads: readonly Load[]): readonly Load[] {
  const arms = mediansOf(
    Map.groupBy(loads, ({ arm }) => arm),
    ({ log }) => log,
  );
  return [...Map.groupBy(loads, ({ block }) => block).values()].flatMap((own) => {
    const shared = meanOf(own.map(({ arm, log }) => log - arms.get(arm)!));
    return own.map((load) => ({ ...load, log: load.log - arms.get(load.arm)! - shared }));
  });
}

function mediansOf(
  groups: ReadonlyMap<string, readonly Load[]>,
  of: (load: Load) => number,
): ReadonlyMap<string, number> {
  return new Map([...groups].map(([name, own]) => [name, median(own.map(of))]));
}

/** How many blocks each machine ran. */
function countsOf(blocks: readonly BlockOutcomes[]): readonly number[] {
  return [...Map.groupBy(blocks, machineOf).values()].map((own) => own.length);
}

/** The study's own machine has no name. */
function machineOf({ machine = '' }: BlockOutcomes): string {
  return machine;
}

function loadsOf(blocks: readonly BlockOutcomes[]): readonly Load[] {
  return blocks.flatMap((block) =>
    Object.entries(block.outcomes).flatMap(([arm, outcome]) =>
      outcome === 'failed' ? [] : { block: block.index, machine: machineOf(block), arm, log: Math.log(outcome) },
    ),
  );
}
