import { createCipheriv, createHash } from 'node:crypto';

/** Bytes that a seed and a label determine and that no compression shortens. */
export function drawBytes(seed: number, label: string, count: number): Buffer {
  // AES in counter mode: the same on every machine, some hundred megabytes a second.
  const key = createHash('sha256').update(`${seed} ${label}`).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(count));
}

/** Splits bytes into a given number of parts, each smaller than the one before, the last about a third of the first. */
export function splitBytes(bytes: number, parts: number): number[] {
  const weights = Array.from({ length: parts }, (_, index) => 3 - (2 * index) / Math.max(1, parts - 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => Math.floor((bytes * weight) / total));
  sizes[0]! += bytes - sizes.reduce((sum, size) => sum + size, 0);
  return sizes;
}
