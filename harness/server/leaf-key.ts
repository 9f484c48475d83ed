import { connect } from 'node:tls';
import { EnvironmentError } from '../model/errors.ts';
import { spkiOf } from './certificate.ts';

const TIMEOUT_MS = 10_000;

/** The key of the certificate that a server at an address shows for a name, valid or not, as Chromium's list has it. */
export function readLeafKey(host: string, { address, port }: { readonly address: string; readonly port: number }) {
  return new Promise<string>((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new EnvironmentError(`no certificate of ${host} at ${address}:${port}: ${cause.message}`, { cause }));
    const socket = connect({ host: address, port, servername: host, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(spkiOf(certificate));
      else fail(new Error('it shows none'));
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
    socket.on('error', fail);
  });
}
