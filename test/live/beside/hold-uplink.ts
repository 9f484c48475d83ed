/* Opens a lab with an uplink to an address and a port, in an enclosure of its own; says the device's name, and stays. */
import { furnishEnclosure, isEnclosed, runEnclosed } from '../../../harness/system/enclosure.ts';

if (!isEnclosed()) process.exit(await runEnclosed([process.execPath, ...process.argv.slice(1)]));
await furnishEnclosure();
const { openLabNetwork } = await import('../../../harness/run/lab-network.ts');
const { openUplink } = await import('../../../harness/network/uplink.ts');
const [address, port] = process.argv.slice(2);
await using network = await openLabNetwork();
await using uplink = await openUplink(network, [{ address: address!, port: Number(port) }]);
process.stdout.write(`${uplink.device}\n`);
await new Promise((resolve) => setTimeout(resolve, 60_000));
