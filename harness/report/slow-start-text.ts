import { slowStartCutShort } from '../findings/slow-start.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { titleOfLink } from '../model/link-title.ts';
import { inWords } from '../model/wording.ts';

/** Servers whose QUIC grows its window on, whatever delay does. */
const LOOKS_AT_LOSS_ALONE: readonly string[] = ['nginx', 'haproxy'];

/** Over which links TCP took rising delay for a full queue, and how short that kept its window; undefined where it did over none. */
export function describeSlowStarts(
  conditions: readonly Pick<ConditionSummary, 'arms' | 'features' | 'link' | 'server'>[],
): string | undefined {
  const cut = conditions.flatMap(({ link, ...condition }) => {
    const found = slowStartCutShort(condition);
    return found ? [{ ...found, link: titleOfLink(`${link.name}`) }] : [];
  });
  if (cut.length === 0) return undefined;
  const { arm, link, windowPackets, heldPackets } = cut.reduce((least, each) =>
    each.windowPackets / each.heldPackets < least.windowPackets / least.heldPackets ? each : least,
  );
  const links = [...new Set(cut.map((each) => each.link))];
  const where = links.length > 1 ? ` over ${link}` : '';
  const servers = [...new Set(conditions.map(({ server }) => server))];
  const quic = servers.every((server) => LOOKS_AT_LOSS_ALONE.includes(server))
    ? ` ${inWords(
        servers.map((server) => `${server}'s`),
        'and',
      )} h3 does not look at delay.`
    : '';
  return `Over ${inWords(links, 'and')} TCP takes varying delay for a full queue: ${arm} stops growing at ${Math.round(windowPackets)} packets${where}, of ${heldPackets} that the link holds.${quic}`;
}
