/*
 * Loads a page in a lab of a machine with one interface, which is its way to everywhere, and says how many packets passed
 * that before and after:
 *   unshare --net node load-by-itself.ts
 */
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseInterface } from '../../../harness/network/counters.ts';
import { openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { run } from '../../../harness/system/process.ts';
import { linkOf } from '../../links.ts';

const ADDRESS = '198.51.100.2';
const GATEWAY = '198.51.100.1';

const ip = (...args: readonly string[]) => run(['ip', ...args]);
const packets = () => {
  const { sent, received } = parseInterface(readFileSync('/proc/self/net/dev', 'utf8'), 'way0');
  return sent.packets + received.packets;
};

await run(['sysctl', '-qw', 'net.ipv6.conf.default.disable_ipv6=1']);
for (const args of [
  ['link', 'set', 'lo', 'up'],
  ['link', 'add', 'way0', 'type', 'veth', 'peer', 'name', 'far0'],
  ['link', 'set', 'way0', 'up'],
  ['link', 'set', 'far0', 'up'],
  ['address', 'add', `${ADDRESS}/24`, 'dev', 'way0'],
  ['route', 'add', 'default', 'via', GATEWAY],
])
  await ip(...args);

const before = packets();
{
  await using lab = await openLab({ sites: [findSite('few-small')] });
  await lab.setLink(linkOf('rtt=20ms'));
  for (const protocol of ['h2', 'h3'] as const) {
    const { browser } = await lab.load({
      site: 'few-small',
      protocol,
      visit: 'cold',
      device: 'desktop',
      timeoutMs: 60_000,
      watched: false,
    });
    if (!browser.timings) throw new Error(`${protocol}: ${browser.ending?.says ?? 'no timings'}`);
  }
}
const after = packets();
// Whatever takes that way is seen: before anything is sent, the kernel asks who the gateway is.
const socket = createSocket('udp4');
await new Promise((resolve) => socket.send('x', 9, '203.0.113.1', resolve));
await setTimeout(100);
socket.close();
process.stdout.write(`${JSON.stringify({ before, after, asked: packets() })}\n`);
