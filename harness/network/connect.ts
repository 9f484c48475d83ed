/*
 * Opens one TCP connection and says how many milliseconds that took, or `no`:
 *   node connect.ts ADDRESS PORT TIMEOUT_MS
 */
import { connect } from 'node:net';

const [address, port, timeoutMs] = process.argv.slice(2);
const beganMs = performance.now();
const socket = connect(Number(port), address!, () => end(`${performance.now() - beganMs}`));
socket.on('error', () => end('no'));
setTimeout(() => end('no'), Number(timeoutMs));

function end(says: string): void {
  process.stdout.write(says, () => process.exit(0));
}
