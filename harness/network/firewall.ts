import type { Host } from '../model/lab.ts';
import { run } from '../system/process.ts';

/** What keeps datagrams from servers, as networks do that let only TCP through. */
export interface Firewall {
  set(dropsUdp: boolean): Promise<void>;
}

const TABLE = 'inet photofinish_wall';

/**
 * Drops datagrams at the far end of the link, which they have passed like all other packets, so that their sender is
 * not told. They are counted before. Datagrams that are passed on to servers elsewhere are dropped as well.
 */
function renderTable(device: string): string {
  const chain = (hook: string) =>
    `chain ${hook} {\n type filter hook ${hook} priority 0;\n iifname "${device}" meta l4proto udp drop\n }`;
  return `table ${TABLE} {\n ${chain('input')}\n ${chain('forward')}\n}`;
}

/** A firewall that lets everything through until it is set. */
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
