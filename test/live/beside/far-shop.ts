import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openLabNetwork } from '../../../harness/run/lab-network.ts';
import { makeCertificate } from '../../../harness/server/certificate.ts';
import { run, start } from '../../../harness/system/process.ts';
import { FAR_ADDRESSES, PAGE, PORT } from '../../fakes/shop-site.ts';
import { linkOf } from '../../links.ts';

/**
 * Records and verifies the test shop with `photofinish record`, which runs where a lab's link is the only way out; says
 * what the command printed, and with which code it ended.
 */
export async function recordAfar(spec: string, name: string, folder: string) {
  await using network = await openLabNetwork();
  const [{ namespace: here }, { namespace: far }] = [network.clients[0]!, network.servers[0]!];
  const addresses = [...new Set(Object.values(FAR_ADDRESSES))];
  await network.leadOut(addresses);
  for (const address of addresses) await run(['ip', '-n', far, 'addr', 'add', `${address}/32`, 'dev', 'lo']);
  for (const [whose, names] of [['shop', ['*.shop.test']] as const, ['fonts', ['fonts.type.test']] as const]) {
    mkdirSync(`${folder}/${whose}`);
    await makeCertificate(`${folder}/${whose}`, names);
  }
  const node = [process.execPath, '--disable-warning=ExperimentalWarning'] as const;
  await using shop = start([...node, fileURLToPath(new URL('./serve-shop.ts', import.meta.url)), folder], {
    namespace: far,
  });
  const first = await Promise.race([once(shop.stdout, 'data'), shop.ended]);
  if (!Array.isArray(first)) throw new Error(`the shop did not start (${first})`);
  await network.setLink(linkOf(spec));

  const resolve = Object.entries(FAR_ADDRESSES).flatMap(([host, address]) => [
    '--resolve',
    `${host}:${PORT}:${address}`,
  ]);
  const words = ['record', PAGE, name, '--insecure', '--wait', '1', '--verify', '--link', spec, ...resolve];
  // It must make an enclosure of its own, as it does for any user.
  const { PHOTOFINISH_ENCLOSED: _, ...env } = process.env;
  const cli = fileURLToPath(new URL('../../../harness/cli.ts', import.meta.url));
  await using command = start([...node, cli, ...words], { namespace: here, env });
  let printed = '';
  for (const output of [command.stdout, command.stderr]) output.on('data', (chunk: Buffer) => (printed += chunk));
  return { code: await command.ended, printed };
}
