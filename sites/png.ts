import { crc32, deflateSync } from 'node:zlib';
import type { Random } from '../harness/stats/random.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12;

/** A flag of three random stripes: a PNG that decodes, of exactly so many bytes (260 at least). */
export function renderFlag(random: Random, bytes: number): Buffer {
  const [width, height] = [48, 32];
  const vertical = random() < 0.5;
  const colours = Array.from({ length: 3 }, () => [0, 1, 2].map(() => Math.floor(random() * 256)));
  const rows: number[] = [];
  for (let y = 0; y < height; y += 1) {
    rows.push(0); // Each row begins with its filter: none.
    for (let x = 0; x < width; x += 1)
      rows.push(...colours[Math.floor(vertical ? (3 * x) / width : (3 * y) / height)]!);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, red green blue.
  const start = Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from(rows)))]);
  const end = chunk('IEND', Buffer.alloc(0));
  // A private chunk that decoders skip brings it to its size; random, so that no compression could undo it.
  const padding = bytes - start.length - end.length - CHUNK_BYTES;
  if (padding < 0) throw new Error(`a flag has at least ${bytes - padding} bytes, asked for ${bytes}`);
  return Buffer.concat([start, chunk('paDd', randomBytes(random, padding)), end]);
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(CHUNK_BYTES + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

/** Bytes that a seed determines. */
export function randomBytes(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
}
