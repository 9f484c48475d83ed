import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  type AskedStay,
  admitted,
  fitTogether,
  openAdmission,
  type Stay,
  takeOneTurn,
} from '../../harness/run/admission.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A lab that asks for room at a time, for some loads one after another, and 100 ms after each for the next. */
interface Visits {
  readonly cores: number;
  readonly timed: number;
  /** Absent: all of its cores. */
  readonly pressing?: number;
  readonly seconds: number;
  readonly at?: number;
  readonly loads?: number;
  /** What each really takes, where that is not what it was likely to take. */
  readonly takes?: number;
}

/** When the loads of each lab begin, in seconds, on two cores. */
async function begins(labs: readonly Visits[], untilS = 200): Promise<string[]> {
  const admission = openAdmission(2);
  const began = labs.map((): string[] => []);
  const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const fromMs = performance.now();
  const use = async (
    { cores, timed, pressing = cores, seconds, at = 0, loads = 1, takes = seconds }: Visits,
    lab: number,
  ) => {
    await later(at);
    for (let load = 0; load < loads; load += 1) {
      const leave = await admission.enter({ cores, timed, pressing, forMs: 1000 * seconds, lab });
      began[lab]!.push(`${Math.round((performance.now() - fromMs) / 100) / 10}`);
      await later(takes);
      leave();
      await later(0.1);
    }
  };
  const all = labs.map(use);
  await jest.advanceTimersByTimeAsync(1000 * untilS);
  await Promise.all(all);
  return began.map((own) => own.join(' '));
}

const ALONE = {
  cores: Number.POSITIVE_INFINITY,
  timed: Number.POSITIVE_INFINITY,
  pressing: Number.POSITIVE_INFINITY,
} as const;
const slow = (seconds: number, more: Partial<Visits> = {}): Visits => ({ cores: 0.3, timed: 0.02, seconds, ...more });
const quick = (seconds: number, more: Partial<Visits> = {}): Visits => ({ ...ALONE, seconds, ...more });

test.each<[string, Visits[], string[]]>([
  [
    'slow links load side by side, as far as there is room',
    Array(7).fill(slow(1)),
    ['0', '0', '0', '0', '0', '0', '1'],
  ],
  ['what wants the machine to itself has it', [quick(1), quick(1)], ['0', '1']],
  [
    'a lab that has the machine to itself keeps it where it asks again at once, and the others have it half a second after',
    [quick(1, { loads: 3 }), slow(1)],
    ['0 1.1 2.2', '3.7'],
  ],
  [
    'a quick lab and a slow one take turns, and none of the two waits for longer than the other has had',
    [slow(10, { loads: 3 }), quick(5, { at: 1, loads: 6 })],
    ['0 20.1 40.2', '10 15.1 30.1 35.2 50.2 55.3'],
  ],
  [
    'while a quick one waits, slow ones go on for as long as three loads; it then goes on for as long as it has waited',
    [slow(10, { loads: 5 }), slow(10, { at: 5, loads: 4 }), quick(5, { at: 1, loads: 10 })],
    ['0 10.1 20.2 30.3 70.8', '5 15.1 25.2 70.8', '40.3 45.4 50.5 55.6 60.7 65.8 80.8 85.9 91 96.1'],
  ],
  [
    'slow ones begin beside a quick one that neither of the two disturbs',
    [
      { cores: 0.7, timed: 0.3, seconds: 3, loads: 3 },
      { cores: 0.59, timed: 0.07, pressing: 0.3, seconds: 3, loads: 3, at: 0.5 },
      { cores: 0.59, timed: 0.07, pressing: 0.3, seconds: 3, at: 0.6 },
    ],
    ['0 3.1 6.2', '0.5 6.5 9.6', '3.5'],
  ],
  [
    'and not beside one that they disturb',
    [
      { cores: 1.4, timed: 0.7, seconds: 3, loads: 3 },
      { cores: 0.48, timed: 0.07, seconds: 3, at: 0.5 },
    ],
    ['0 3.1 9.1', '6.1'],
  ],
  [
    'while the last slow ones end, only what ends before them begins',
    [
      slow(10, { loads: 4 }),
      slow(10, { at: 5, loads: 3 }),
      slow(4, { at: 36 }),
      slow(6, { at: 36 }),
      quick(1, { at: 1 }),
    ],
    ['0 10.1 20.2 30.3', '5 15.1 25.2', '36', '41.8', '40.3'],
  ],
])('%s', async (_, labs, expected) => {
  expect(await begins(labs)).toEqual(expected);
});

test('while something takes longer than it was likely to, others begin that take no longer than it is overdue', async () => {
  const late = slow(1, { takes: 60 });
  const labs = [late, quick(1, { at: 2 }), slow(0.1, { at: 8 }), slow(7, { at: 9 }), slow(9, { at: 9 })];
  // After nine seconds it is overdue by eight; the next look is after twelve.
  expect(await begins(labs)).toEqual(['0', '60', '8', '9', '12']);
});

test('the lab that has had least of the processor is next, however often another one asks', async () => {
  const admission = openAdmission(2);
  const turns: number[] = [];
  const take = async (lab: number) => {
    const leave = await admission.enter({ ...ALONE, forMs: 1_000, lab });
    turns.push(lab);
    jest.advanceTimersByTime(lab === 0 ? 3_000 : 1_000);
    leave();
  };
  await Promise.all([0, 0, 0, 1, 1, 1, 1].map(take));
  expect(turns).toEqual([0, 1, 1, 1, 0, 1, 0]);
});

test.each<[string, readonly Pick<Stay, 'timed' | 'forMs'>[], boolean]>([
  [
    'quick ones',
    [
      { timed: 1, forMs: 500 },
      { timed: 0.9, forMs: 600 },
    ],
    true,
  ],
  [
    'slow ones',
    [
      { timed: 0.1, forMs: 5_000 },
      { timed: 0.2, forMs: 3_000 },
    ],
    false,
  ],
  [
    'a quick one and one that is hardly slow',
    [
      { timed: 1, forMs: 500 },
      { timed: 0.2, forMs: 3_000 },
    ],
    true,
  ],
  [
    'a quick one and one of minutes',
    [
      { timed: 1, forMs: 3_000 },
      { timed: 0.01, forMs: 120_000 },
    ],
    false,
  ],
])('a block takes one turn or several: %s', (_, stays, isOne) => {
  expect(takeOneTurn(stays, 2)).toBe(isOne);
});

test('a load has only as many neighbours as it will not wait for', () => {
  const over4g = { cores: 0.24, timed: 0.075, pressing: 0.24, forMs: 3_000 };
  const together = (stays: readonly Stay[], cores = 2) => fitTogether(stays, cores, 0.01);
  const copies = <T>(of: T, count: number) => Array.from({ length: count }, () => ({ ...of }));
  const fits = (count: number, cores = 2) => together(copies(over4g, count), cores);
  expect([fits(1), fits(3), fits(4)]).toEqual([true, true, false]);
  // All of four cores are seldom busy.
  expect([fits(8, 4), fits(12, 4)]).toEqual([true, false]);
  expect(together([over4g, ...copies({ cores: 0.08, timed: 0.01, pressing: 0.08, forMs: 20_000 }, 8)])).toBe(true);
  // A launch is over in a moment; what goes on as long counts in full.
  expect(together([over4g, { cores: 1, timed: 0, pressing: 1, forMs: 800 }])).toBe(true);
  expect(together([over4g, { cores: 1, timed: 0, pressing: 1, forMs: 3_000 }])).toBe(false);
  // A load never waits for a neighbour that gives way.
  expect(together([over4g, { cores: 1, timed: 0, pressing: 0.1, forMs: 3_000 }])).toBe(true);
  expect(together(copies({ ...over4g, pressing: 0.12 }, 6))).toBe(true);
  // A load that often wants both cores is disturbed by hardly anything.
  const overFibre = { cores: 1.3, timed: 1, pressing: 0.8, forMs: 500 };
  const beside = (pressing: number) => together([overFibre, { cores: 0.2, timed: 0, pressing, forMs: 3_000 }]);
  expect([beside(0.03), beside(0.06)]).toEqual([true, false]);
  // All cores are never asked for.
  expect(together(copies({ cores: 0.96, timed: 0, pressing: 0, forMs: 1_000 }, 2))).toBe(false);
});

test('a quick load has more slow neighbours, which it comes before, than it would wait for', () => {
  const quick = { cores: 0.9, timed: 0.7, pressing: 0.6, forMs: 1_000 };
  const slow = { cores: 0.3, timed: 0.1, pressing: 0.2, forMs: 4_000 };
  const behind = { ...slow, pressingQuick: 0.05 };
  expect(fitTogether([quick, slow, slow], 2)).toBe(false);
  expect(fitTogether([quick, behind, behind], 2)).toBe(true);
  // Another quick one is its equal.
  expect(fitTogether([quick, { ...quick, pressingQuick: 0.05 }], 2)).toBe(false);
});

test('a load whose kind differs a lot anyway has more neighbours, and they have no more than before', () => {
  const loads = (...bears: readonly number[]) =>
    bears.map((each) => ({ cores: 0.5, timed: 0.25, pressing: 0.4, bears: each, forMs: 2_000 }));
  expect(fitTogether(loads(1, 1, 1), 2)).toBe(false);
  expect(fitTogether(loads(3, 3, 3), 2)).toBe(true);
  expect(fitTogether(loads(3, 3, 1), 2)).toBe(false);
});

test('loads have fewer neighbours after disturbed ones, and more again after others', async () => {
  const admission = openAdmission(2);
  const over4g = { cores: 0.24, timed: 0.075, pressing: 0.24, forMs: 3_000 };
  /** How many of five labs are let in at once. */
  const letIn = async () => {
    const leaves: (() => void)[] = [];
    const asked = Array.from({ length: 5 }, (_, lab) => admission.enter({ ...over4g, lab }));
    for (const each of asked) each.then((leave) => leaves.push(leave));
    await jest.advanceTimersByTimeAsync(10);
    const { length } = leaves;
    for (let left = 0; left < 5; left += 1) {
      leaves[left]!();
      await jest.advanceTimersByTimeAsync(1_000);
    }
    return length;
  };
  const before = await letIn();
  for (let load = 0; load < 10; load += 1) admission.learn(true);
  const after = await letIn();
  for (let load = 0; load < 500; load += 1) admission.learn(false);
  const later = await letIn();
  expect(after).toBeLessThan(before);
  expect(later).toBeGreaterThanOrEqual(before);
});

test('what was asked for is counted over time', async () => {
  const admission = openAdmission(2);
  const leave = await admission.enter({ cores: 0.3, timed: 0, pressing: 0.3, forMs: 1_000, lab: 0 });
  jest.advanceTimersByTime(1_000);
  expect(admission.askedCoreMs()).toBeCloseTo(300);
  await admission.enter({ cores: 0.5, timed: 0, pressing: 0.5, forMs: 1_000, lab: 1 });
  jest.advanceTimersByTime(1_000);
  leave();
  jest.advanceTimersByTime(1_000);
  expect(admission.askedCoreMs()).toBeCloseTo(300 + 800 + 500);
});

test('is full as long as something waits', async () => {
  const admission = openAdmission(2);
  const full = [admission.isFull()];
  const leave = await admission.enter({ ...ALONE, forMs: 1_000, lab: 0 });
  full.push(admission.isFull());
  const second = admission.enter({ ...ALONE, forMs: 1_000, lab: 1 });
  full.push(admission.isFull());
  leave();
  await second;
  full.push(admission.isFull());
  expect(full).toEqual([false, false, true, false]);
});

test('no lab has had what was done for all of them', async () => {
  const admission = openAdmission(2);
  const turns: string[] = [];
  const take = async (name: string, lab: number | undefined) => {
    const leave = await admission.enter({ ...ALONE, forMs: 1_000, lab });
    turns.push(name);
    jest.advanceTimersByTime(name === 'for all' ? 10_000 : 1_000);
    leave();
  };
  await Promise.all([take('for all', undefined), take('0', 0), take('1', 1), take('0', 0), take('1', 1)]);
  // It comes before labs that have had anything.
  await Promise.all([take('0', 0), take('1', 1), take('for all', undefined)]);
  expect(turns).toEqual(['for all', '0', '1', '0', '1', '0', 'for all', '1']);
});

test('what is worth most for each core that it takes is next, whatever its lab has had; first what has no worth', async () => {
  const admission = openAdmission(2);
  const turns: string[] = [];
  const take = async (name: string, worth: number | undefined, cores: number) => {
    const leave = await admission.enter({ ...ALONE, cores, worth, forMs: 1_000, lab: 0 });
    turns.push(name);
    jest.advanceTimersByTime(1_000);
    leave();
  };
  await Promise.all([
    take('at once', 0, 1),
    take('0.5 for a core', 0.2, 0.4),
    take('0.3 for a core', 0.6, Number.POSITIVE_INFINITY),
    take('0.6 for a core', 0.6, 1),
    take('without', undefined, 1),
    take('without too', undefined, 2),
  ]);
  expect(turns).toEqual(['at once', 'without', 'without too', '0.6 for a core', '0.5 for a core', '0.3 for a core']);
});

test('what fails leaves too', async () => {
  const admission = openAdmission(2);
  const stay: AskedStay = { ...ALONE, forMs: 1_000, lab: 0 };
  await expect(admitted(admission, stay, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await admitted(admission, stay, async () => 'in')).toBe('in');
});

test('what a load wants while it is timed is what its neighbours may take from it', () => {
  const stay: Stay = { cores: 0.3, timed: 0.1, pressing: 0.3, forMs: 1_000 };
  const besideOthers = (own: Stay) =>
    fitTogether(
      [own, stay, stay, stay].map((each) => ({ ...each })),
      2,
    );
  expect(besideOthers(stay)).toBe(true);
  expect(besideOthers({ ...stay, wanted: 0.5 })).toBe(false);
});
