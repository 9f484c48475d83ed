import { type CutShort, slowStartCutShort } from '../findings/slow-start.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords } from '../model/wording.ts';

type Shown = Pick<ConditionSummary, 'arms' | 'features' | 'link'>;

/** Over which links TCP took varying delay for a full queue, and how short that kept its window; undefined where it did over none. */
export function describeSlowStarts(conditions: readonly Shown[]): string | undefined {
  const cut = cutIn(conditions);
  if (cut.length === 0) return undefined;
  const shareOf = ({ windowPackets, heldPackets }: CutShort) => windowPackets / heldPackets;
  const least = cut.reduce((shortest, each) => (shareOf(each) < shareOf(shortest) ? each : shortest));
  const atWorst = cut.length > 1 ? ' at worst' : '';
  const left = `${least.arm} leaves slow start${atWorst} at ${Math.round(least.windowPackets)} of ${least.heldPackets} packets`;
  return `Over ${linksOf(cut)} TCP takes varying delay for a full queue: ${left}. Another TCP setting helps: nginx/README.md.`;
}

/** What to try over these links before another protocol; undefined where there is none. */
export function adviseOnSlowStarts(conditions: readonly Shown[]): string | undefined {
  const cut = cutIn(conditions);
  return cut.length === 0 ? undefined : `Try first: a TCP setting for ${linksOf(cut)}, see nginx/README.md.`;
}

interface CutOverLink extends CutShort {
  readonly link: string;
}

function cutIn(conditions: readonly Shown[]): readonly CutOverLink[] {
  return conditions.flatMap((condition) => {
    const found = slowStartCutShort(condition);
    return found ? [{ ...found, link: titleOfLink(`${condition.link.name}`) }] : [];
  });
}

function linksOf(cut: readonly CutOverLink[]): string {
  return inWords([...new Set(cut.map(({ link }) => link))], 'and');
}
