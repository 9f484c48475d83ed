import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { run } from '../system/process.ts';

/** A certificate of the lab's own, and what a browser must be told to accept it. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  /** SHA-256 of the public key, in base64: what Chromium's list of accepted keys holds. */
  readonly spki: string;
}

/** Chromium refuses a longer life over QUIC, even of a certificate that it was told to accept. */
const DAYS = '13';

/** Makes a certificate for every name below `.test` that a lab uses; it never leaves the folder. */
export async function makeCertificate(folder: string, names: readonly string[]): Promise<Certificate> {
  const [certificate, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`];
  const subject = [
    '-subj',
    '/CN=photofinish',
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
  ];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', DAYS];
  await run(['openssl', 'req', '-x509', ...kind, ...subject, '-keyout', key, '-out', certificate]);
  return { certificate, key, spki: spkiOf(new X509Certificate(readFileSync(certificate))) };
}

/** SHA-256 of a certificate's public key, in base64. */
export function spkiOf({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
