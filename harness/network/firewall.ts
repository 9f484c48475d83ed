import type { Host } from '../model/lab.ts';
import { run } from '../system/process.ts';

/** What keeps datagrams from servers, as networks do that let nobody but TCP through. */
export interface Firewall {
  set(dropsUdp: boolean): Promise<void>;
}

const TABLE = 'inet photofinish_wall';

/**
 * Where datagrams end: at the far end of the link, which they have passed like all others, so that whoever sent them is not
 * told. Counters come before it; whoever passes packets on to servers elsewhere drops them likewise.
 */
function renderTable(device: string): string {
  const chain = (hook: string) =>
    `chain ${hook} {\n type filter hook ${hook} priority 0;\n iifname "${device}" meta l4proto udp drop\n }`;
  return `table ${TABLE} {\n ${chain('input')}\n ${chain('forward')}\n}`;
}

/** None yet. */
export function openFirewall(hosts: readonly Host[]): Firewall {
  let drops = false;
  return {
    async set(dropsUdp) {
      if (dropsUdp === drops) return;
      for (const { namespace, device } of hosts)
        await run(['nft', dropsUdp ? renderTable(device) : `delete table ${TABLE}`], { namespace });
      drops = dropsUdp;
    },
  };
}
