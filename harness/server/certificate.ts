import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { run } from '../system/process.ts';

/** A certificate of the lab's own, and what a browser must be told to accept it. */
export interface Certificate {
  /** The file of the leaf and, behind it, of the intermediate that signed it. */
  readonly certificate: string;
  readonly key: string;
  /** SHA-256 of the leaf's public key, in base64: what Chromium's list of accepted keys holds. */
  readonly spki: string;
  /** Bytes of both certificates, as a handshake carries them. */
  readonly bytes: number;
}

/** Chromium refuses a longer life over QUIC, even of a certificate that it was told to accept. */
const DAYS = '13';

/** The bytes of a public authority's leaf and intermediate with ECDSA: QUIC counts them before an address is proven. */
const CHAIN_BYTES = 2_800;

/** Stands in for the policies, addresses and proofs of publication of a public leaf; the number is for examples. */
const FILLER = '1.3.6.1.4.1.32473.1';
const FILLER_LEAST_BYTES = 256;

/** Makes a certificate for every name below `.test` that a lab uses; it never leaves the folder. */
export async function makeCertificate(folder: string, names: readonly string[]): Promise<Certificate> {
  const authority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
  const root = await sign(`${folder}/root`, authority);
  const intermediate = await sign(`${folder}/intermediate`, authority, root);
  const signLeaf = (fillerBytes: number) =>
    sign(
      `${folder}/leaf`,
      [
        'basicConstraints=critical,CA:FALSE',
        'keyUsage=critical,digitalSignature',
        'extendedKeyUsage=serverAuth',
        `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
        `${FILLER}=ASN1:FORMAT:HEX,OCTETSTRING:${randomBytes(fillerBytes).toString('hex')}`,
      ],
      intermediate,
    );
  let leaf = await signLeaf(FILLER_LEAST_BYTES);
  const lacking = CHAIN_BYTES - lengthOf(leaf) - lengthOf(intermediate);
  if (lacking > 0) leaf = await signLeaf(FILLER_LEAST_BYTES + lacking);
  const certificate = `${folder}/certificate.pem`;
  writeFileSync(certificate, [leaf, intermediate].map(({ file }) => readFileSync(file, 'utf8')).join(''));
  const bytes = lengthOf(leaf) + lengthOf(intermediate);
  return { certificate, key: leaf.key, spki: spkiOf(leaf.signed), bytes };
}

/** A certificate by itself. */
interface Signed {
  readonly file: string;
  readonly key: string;
  readonly signed: X509Certificate;
}

/** Makes a key, and its certificate with these extensions; without an issuer it signs itself. */
async function sign(path: string, extensions: readonly string[], issuer?: Signed): Promise<Signed> {
  const [file, key, configuration] = [`${path}.pem`, `${path}.key`, `${path}.conf`];
  const name = `photofinish ${basename(path)}`;
  writeFileSync(
    configuration,
    `[req]\nprompt=no\ndistinguished_name=name\n[name]\nCN=${name}\n[extensions]\n${extensions.join('\n')}\n`,
  );
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', DAYS];
  const by = issuer ? ['-CA', issuer.file, '-CAkey', issuer.key] : [];
  const told = ['-config', configuration, '-extensions', 'extensions'];
  await run(['openssl', 'req', '-x509', ...told, ...kind, ...by, '-keyout', key, '-out', file]);
  return { file, key, signed: new X509Certificate(readFileSync(file)) };
}

function lengthOf({ signed }: Signed): number {
  return signed.raw.length;
}

/** SHA-256 of a certificate's public key, in base64. */
export function spkiOf({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
