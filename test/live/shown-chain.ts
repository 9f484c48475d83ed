import { originFor } from '../../harness/model/arm.ts';
import type { Lab } from '../../harness/run/lab.ts';
import { run } from '../../harness/system/process.ts';

/** The lengths of the certificates that a lab's first server shows over TCP, the leaf's first. */
export async function shownChain(lab: Lab): Promise<readonly number[]> {
  const { namespace, routes } = (await lab.describe()).hosts.find((host) => host.namespace.includes('server'))!;
  const [, address] = /src (\S+)/.exec(routes.join('\n'))!;
  const { host, port } = originFor('h2', 'cold');
  const options = { host: address, port, servername: host, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
  return JSON.parse(await run([process.execPath, '-e', SHOW, JSON.stringify(options)], { namespace }));
}

const SHOW = `
  const socket = require('node:tls').connect(JSON.parse(process.argv[1]), () => {
    const lengths = [];
    for (let each = socket.getPeerX509Certificate(); each; each = each.issuerCertificate) lengths.push(each.raw.length);
    console.log(JSON.stringify(lengths));
    socket.destroy();
  });`;
