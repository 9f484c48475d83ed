import { type CutShort, slowStartCutShort } from '../findings/slow-start.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords } from '../model/wording.ts';

/** Servers whose QUIC, as they are set by default, grows its window whatever delay does. */
const IGNORE_DELAY: readonly string[] = ['nginx', 'haproxy'];

type Shown = Pick<ConditionSummary, 'arms' | 'features' | 'link' | 'server'>;

/** Over which links TCP took varying delay for a full queue, and how short that kept its window; undefined where it did over none. */
export function describeSlowStarts(conditions: readonly Shown[]): string | undefined {
  const cut = conditions.flatMap((condition) => {
    const found = slowStartCutShort(condition);
    return found ? [{ ...found, link: titleOfLink(`${condition.link.name}`) }] : [];
  });
  if (cut.length === 0) return undefined;
  const shareOf = ({ windowPackets, heldPackets }: CutShort) => windowPackets / heldPackets;
  const least = cut.reduce((shortest, each) => (shareOf(each) < shareOf(shortest) ? each : shortest));
  const links = [...new Set(cut.map(({ link }) => link))];
  const where = links.length > 1 ? `over ${least.link} ` : '';
  const left = `${where}${least.arm} leaves slow start at ${Math.round(least.windowPackets)} of ${least.heldPackets} packets that the link holds`;
  return `Over ${inWords(links, 'and')} TCP takes varying delay for a full queue: ${left}.${describeQuic(conditions)}`;
}

/** That HTTP/3 is spared, where it was measured from servers that are known for it. */
function describeQuic(conditions: readonly Shown[]): string {
  const servers = [...new Set(conditions.map(({ server }) => server))];
  const isSpared = conditions[0]!.arms.h3 !== undefined && servers.every((server) => IGNORE_DELAY.includes(server));
  return isSpared ? ` HTTP/3 of ${inWords(servers, 'and')} ignores delay.` : '';
}
