import { type CutShort, slowStartCutShort } from '../findings/slow-start.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords } from '../model/wording.ts';

/**
 * Over which links TCP took varying delay for a full queue, how short that kept its window, and where to read what to do about it;
 * undefined where it did so over none.
 */
export function describeSlowStarts(
  conditions: readonly Pick<ConditionSummary, 'arms' | 'features' | 'link'>[],
): string | undefined {
  const cut = conditions.flatMap((condition) => {
    const found = slowStartCutShort(condition);
    return found ? [{ ...found, link: titleOfLink(`${condition.link.name}`) }] : [];
  });
  if (cut.length === 0) return undefined;
  const shareOf = ({ windowPackets, heldPackets }: CutShort) => windowPackets / heldPackets;
  const least = cut.reduce((shortest, each) => (shareOf(each) < shareOf(shortest) ? each : shortest));
  const links = [...new Set(cut.map(({ link }) => link))];
  const left = `${links.length > 1 ? 'at worst ' : ''}${least.arm} leaves slow start at ${Math.round(least.windowPackets)} of ${least.heldPackets} packets`;
  return `Over ${inWords(links, 'and')} TCP takes jitter for a full queue: ${left}. A setting avoids that: nginx/README.md.`;
}
