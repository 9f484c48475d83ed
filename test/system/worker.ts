/* A program that works in pieces: it says when one begins, and stops after the one in which it is asked to. */
import { stopRequested } from '../../harness/system/stop.ts';

const pieceMs = Number(process.argv[2]);
const stop = stopRequested();
for (let piece = 1; piece <= 20 && !stop.aborted; piece += 1) {
  process.stdout.write(`piece ${piece}\n`);
  await new Promise((resolve) => setTimeout(resolve, pieceMs));
}
process.stdout.write(`stopped, asked: ${stop.aborted}\n`);
process.exitCode = 4;
