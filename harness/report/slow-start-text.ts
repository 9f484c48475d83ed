import { type CutShort, slowStartCutShort } from '../findings/slow-start.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords } from '../model/wording.ts';

type Shown = Pick<ConditionSummary, 'arms' | 'features' | 'link'>;

/** Over which links TCP took varying delay for a full queue, and how short that kept its window; undefined where it did over none. */
export function describeSlowStarts(conditions: readonly Shown[]): string | undefined {
  const cut = cutIn(conditions);
  const least = shortestOf(cut);
  if (!least) return undefined;
  const atWorst = cut.length > 1 ? ' at worst' : '';
  const early = `with ${least.arm}${atWorst} at ${Math.round(least.windowPackets)} packets, where the link holds ${least.heldPackets}`;
  const links = inWords([...new Set(cut.map(({ condition: { link } }) => titleOfLink(`${link.name}`)))], 'and');
  return `Over ${links} TCP takes varying delay for congestion and slows down early: ${early}. With BBR, another setting of TCP, it does not.`;
}

/** The condition in which it is most worth trying another setting of TCP's, with what is served today, before another protocol. */
export function whereToSetTcp<Condition extends Shown>(
  conditions: readonly Condition[],
  served: string,
): Condition | undefined {
  return shortestOf(cutIn(conditions).filter(({ arm }) => arm === served))?.condition;
}

interface CutIn<Condition> extends CutShort {
  readonly condition: Condition;
}

function cutIn<Condition extends Shown>(conditions: readonly Condition[]): readonly CutIn<Condition>[] {
  return conditions.flatMap((condition) => {
    const found = slowStartCutShort(condition);
    return found ? [{ ...found, condition }] : [];
  });
}

/** The one whose window is the shortest, beside what its link holds; the first of several. */
function shortestOf<Condition>(cut: readonly CutIn<Condition>[]): CutIn<Condition> | undefined {
  const shareOf = ({ windowPackets, heldPackets }: CutShort) => windowPackets / heldPackets;
  return cut.toSorted((a, b) => shareOf(a) - shareOf(b))[0];
}
