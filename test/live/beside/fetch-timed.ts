/*
 * Fetches over TLS and HTTP/1.1, whatever the certificate, and says when what had come, in milliseconds, as JSON:
 *   node fetch-timed.ts https://HOST/PATH ADDRESS
 */
import { request } from 'node:https';

const [url, address] = process.argv.slice(2);
const ask = (at: string) =>
  request(url!, {
    rejectUnauthorized: false,
    // A greeting in one frame: two are one packet until they reach the interface.
    ecdhCurve: 'X25519',
    agent: false, // The connection ends with the answer, and the program with it.
    timeout: 20_000,
    lookup: (_host, _options, found) => found(null, [{ address: at, family: 4 }]),
  });
// First where nothing listens: what a program needs when it connects for the first time is not the link's.
await new Promise((refused) => ask('127.0.0.1').on('error', refused).end());

const beganMs = performance.now();
const tookMs = () => performance.now() - beganMs;
let connectMs = Number.NaN;
let firstByteMs = Number.NaN;
let bytes = 0;
const asked = ask(address!);
asked.on('socket', (socket) => socket.once('connect', () => (connectMs = tookMs())));
asked.on('timeout', () => asked.destroy(new Error('nothing came for 20 s')));
asked.on('response', (answer) => {
  firstByteMs = tookMs();
  answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
  answer.on('end', () => process.stdout.write(JSON.stringify({ connectMs, firstByteMs, totalMs: tookMs(), bytes })));
});
asked.end();
