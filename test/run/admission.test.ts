import { expect, test } from '@jest/globals';
import { admitted, openAdmission } from '../../harness/run/admission.ts';

/** Asks for room in this order, and says who is in after that and after each one that leaves. */
async function insideAfter(cores: number, needs: readonly number[], leaving: readonly number[]): Promise<string[]> {
  const admission = openAdmission(cores);
  const inside = new Map<number, () => void>();
  for (const [index, need] of needs.entries()) void admission.enter(need).then((leave) => inside.set(index, leave));
  const look = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...inside.keys()].join(' ');
  };
  const seen = [await look()];
  for (const index of leaving) {
    inside.get(index)!();
    inside.delete(index);
    seen.push(await look());
  }
  return seen;
}

test.each<[string, number[], number[], string[]]>([
  ['slow links side by side, as far as there is room', [0.3, 0.3, 0.3, 0.3, 0.3], [1], ['0 1 2 3', '0 2 3 4']],
  ['what needs half the room or more is alone', [0.6, 0.6], [0], ['0', '1']],
  ['what nothing is known of is alone', [Number.POSITIVE_INFINITY, 0.1], [0], ['0', '1']],
  ['who comes first is let in first, although others would have room', [0.5, 2, 0.1], [0, 1], ['0', '1', '2']],
])('on two cores %s', async (_, needs, leaving, expected) => {
  expect(await insideAfter(2, needs, leaving)).toEqual(expected);
});

test('whoever fails leaves too', async () => {
  const admission = openAdmission(2);
  await expect(admitted(admission, 2, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await admitted(admission, 2, async () => 'in')).toBe('in');
});
