import { originFor } from '../../harness/model/arm.ts';
import type { Lab } from '../../harness/run/lab.ts';
import { run } from '../../harness/system/process.ts';

export interface Handshake {
  /** The lengths of the certificates in bytes, the leaf's first. */
  readonly chain: readonly number[];
  /** The group that the server chose from those that Chromium offers. */
  readonly group: string;
}

/** What a lab's first server shows in a TLS handshake over TCP. */
export async function handshakeOf(lab: Lab): Promise<Handshake> {
  const { namespace, routes } = (await lab.describe()).hosts.find((host) => host.namespace.includes('server'))!;
  const [, address] = /src (\S+)/.exec(routes.join('\n'))!;
  const { host, port } = originFor('h2', 'cold');
  const options = {
    host: address,
    port,
    servername: host,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    ecdhCurve: GROUPS,
  };
  return JSON.parse(await run([process.execPath, '-e', SHOW, JSON.stringify(options)], { namespace }));
}

/** What Chromium offers, in its order. */
const GROUPS = 'X25519MLKEM768:X25519:P-256:P-384';

const SHOW = `
  const socket = require('node:tls').connect(JSON.parse(process.argv[1]), () => {
    const lengths = [];
    for (let each = socket.getPeerX509Certificate(); each; each = each.issuerCertificate) lengths.push(each.raw.length);
    console.log(JSON.stringify({ chain: lengths, group: String(socket.getEphemeralKeyInfo().name) }));
    socket.destroy();
  });`;
