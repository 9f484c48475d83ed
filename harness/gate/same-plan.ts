import { titleOf } from '../model/condition-title.ts';
import type { BeforeAndNow } from '../model/gate.ts';
import type { Arm, Plan } from '../model/study.ts';
import { percentInWords } from '../model/wording.ts';

/**
 * The first thing in which two plans differ so that their times cannot be held against each other; undefined where they
 * can. Seed, pages and the number of blocks may differ: what a change of the page does is what one wants to know, and
 * the intervals fit whatever blocks there are.
 */
export function firstDifference({ before, now }: BeforeAndNow<Plan>): string | undefined {
  const differ = (what: string, partsOf: (plan: Plan) => readonly Part[]) => {
    const [then, today] = [partsOf(before), partsOf(now)];
    const gone = then.find((part) => !today.some((each) => isSame(each, part)));
    const come = today.find((part) => !then.some((each) => isSame(each, part)));
    if (!gone && !come) return undefined;
    if (gone?.name === come?.name) return `${what} ${gone!.name} is another`;
    return [...(gone ? [`it has ${what} ${gone.name}`] : []), ...(come ? [`it lacks ${what} ${come.name}`] : [])].join(
      ', ',
    );
  };
  return (
    differ('metric', ({ metric }) => [{ name: metric }]) ??
    differ('rule', ({ rule }) => [
      { name: `${percentInWords(100 * rule.advantage)} in more than ${percentInWords(100 * rule.share)}` },
    ]) ??
    differ('recorded pages', (plan) => servingOf(plan).map((name) => ({ name }))) ??
    differ('loads', ({ har }) => [{ name: har === 'full' ? 'that were watched' : 'that were not watched' }]) ??
    differ('arm', ({ arms }) => arms.map((arm: Arm) => ({ name: arm.name, is: arm }))) ??
    differ('device', ({ conditions }) => conditions.map(({ device }) => ({ name: device }))) ??
    differ('link', ({ conditions }) =>
      conditions.map(({ link: { name, down, up } }) => ({ name, is: { down, up } })),
    ) ??
    differ('condition', (plan) => plan.conditions.map((each) => ({ name: titleOf(each, plan), is: each.id })))
  );
}

/** What is the same for all conditions, where pages are recorded ones. */
function servingOf({ allOrigins = false, thinkTimes = true }: Plan): readonly string[] {
  return [
    allOrigins ? 'with the arm’s protocol for every origin' : 'with the arm’s protocol for their own server',
    thinkTimes ? 'with think times' : 'without think times',
  ];
}

interface Part {
  readonly name: string;
  /** All that must be the same, beside the name. */
  readonly is?: unknown;
}

function isSame(a: Part, b: Part): boolean {
  return a.name === b.name && JSON.stringify(a.is) === JSON.stringify(b.is);
}
