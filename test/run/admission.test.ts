import { expect, test } from '@jest/globals';
import { type AskedStay, admitted, openAdmission } from '../../harness/run/admission.ts';

/** Asks for room in this order, and says which are in after that and after each one that leaves; the clock stands still. */
async function insideAfter(cores: number, stays: readonly AskedStay[], leaving: readonly number[]): Promise<string[]> {
  const admission = openAdmission(cores, () => 0);
  const inside = new Map<number, () => void>();
  for (const [index, stay] of stays.entries()) void admission.enter(stay).then((leave) => inside.set(index, leave));
  const look = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...inside.keys()].toSorted((a, b) => a - b).join(' ');
  };
  const seen = [await look()];
  for (const index of leaving) {
    inside.get(index)!();
    inside.delete(index);
    seen.push(await look());
  }
  return seen;
}

/** Loads of one second that need this many cores. */
function seconds(...cores: readonly number[]): AskedStay[] {
  return cores.map((each) => ({ cores: each, forMs: 1_000, lab: 0 }));
}

test.each<[string, AskedStay[], number[], string[]]>([
  ['slow links side by side, as far as there is room', seconds(0.3, 0.3, 0.3, 0.3, 0.3), [1], ['0 1 2 3', '0 2 3 4']],
  ['what needs half the room or more is alone', seconds(0.6, 0.6), [0], ['0', '1']],
  ['what nothing is known of is alone', seconds(Number.POSITIVE_INFINITY, 0.1), [0], ['0', '1']],
  ['what comes first is let in first', seconds(0.5, 2, 0.1, 2), [0, 2, 1], ['0 2', '2', '1', '3']],
  [
    'a short load passes one that has to wait for a long one',
    [{ cores: 0.5, forMs: 4_000, lab: 0 }, ...seconds(2, 0.5)],
    [2, 0],
    ['0 2', '0', '1'],
  ],
  [
    'a long load does not, since it would hold that one up',
    [{ cores: 0.5, forMs: 4_000, lab: 0 }, ...seconds(2), { cores: 0.5, forMs: 5_000, lab: 0 }],
    [0, 1],
    ['0', '1', '2'],
  ],
])('on two cores %s', async (_, stays, leaving, expected) => {
  expect(await insideAfter(2, stays, leaving)).toEqual(expected);
});

test('something that takes longer than it was likely to lets nothing else pass the one that waits', async () => {
  let nowMs = 0;
  const admission = openAdmission(2, () => nowMs);
  const entered: string[] = [];
  const enter = async (name: string, stay: AskedStay) => {
    await admission.enter(stay);
    entered.push(name);
  };
  await enter('late', { cores: 0.5, forMs: 1_000, lab: 0 });
  nowMs = 2_000;
  void enter('alone', { cores: 2, forMs: 1_000, lab: 0 });
  void enter('short', { cores: 0.1, forMs: 10, lab: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(entered).toEqual(['late']);
});

test('the lab that has had least of the processor is next, however often another one asks', async () => {
  let nowMs = 0;
  const admission = openAdmission(2, () => nowMs);
  const turns: number[] = [];
  const take = async (lab: number) => {
    const leave = await admission.enter({ cores: 2, forMs: 1_000, lab });
    turns.push(lab);
    nowMs += lab === 0 ? 3_000 : 1_000;
    leave();
  };
  await Promise.all([0, 0, 0, 1, 1, 1, 1].map(take));
  expect(turns).toEqual([0, 1, 1, 1, 0, 1, 0]);
});

test('what fails leaves too', async () => {
  const admission = openAdmission(2);
  const [stay] = seconds(2);
  await expect(admitted(admission, stay!, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await admitted(admission, stay!, async () => 'in')).toBe('in');
});
