import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { PREFIX } from './redis.ts';

/*
 * What is large goes through Redis in chunks, by the digest of its content: what is put there twice is there once, and
 * the reader of it knows that it is whole. What belongs to one job has that job's name as well, so that it can be dropped
 * without a look at all others.
 */

export const CHUNK_BYTES = 4_000_000;
/** Nothing larger is put there or taken: the packets of a block are a tenth of it. */
export const MOST_BLOB_BYTES = 256_000_000;
/** A coordinator may be away for this long, and still find what was finished meanwhile. */
export const KEPT_S = 7 * 24 * 3600;

export const DIGEST = z.string().regex(/^[0-9a-f]{64}$/);
export const BLOB = z.object({
  of: z.string().regex(/^[\w:.-]{1,200}$/),
  digest: DIGEST,
  bytes: z.number().int().min(0).max(MOST_BLOB_BYTES),
});

/** Something that lies in Redis. */
export type Blob = z.infer<typeof BLOB>;

/** Lays something down, unless it is there already. */
export async function putBlob(redis: Redis, of: string, content: Buffer): Promise<Blob> {
  if (content.length > MOST_BLOB_BYTES)
    throw new Error(`${content.length} bytes are more than may go through Redis: ${MOST_BLOB_BYTES}`);
  const blob = { of, digest: digestOf(content), bytes: content.length };
  for (const [place, key] of keysOf(blob).entries()) {
    const chunk = content.subarray(place * CHUNK_BYTES, (place + 1) * CHUNK_BYTES);
    // A chunk of another length is a broken one, which would otherwise stay.
    if ((await redis.strlen(key)) === chunk.length) await redis.expire(key, KEPT_S);
    else await redis.set(key, chunk, 'EX', KEPT_S);
  }
  return blob;
}

/** Says that something is not in Redis that should be there; its coordinator may lay it down again. */
export class MissingBlob extends Error {}

/** Whether all of this is there still, as far as its keys tell. */
export async function hasBlobs(redis: Redis, blobs: readonly Blob[]): Promise<boolean> {
  const keys = blobs.flatMap(keysOf);
  return (await redis.exists(keys)) === keys.length; // A key that two of them have counts twice.
}

/** Takes what was laid down; throws where it is not there, or is something else. */
export async function takeBlob(redis: Redis, blob: Blob): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // However much somebody has laid there.
  for (const key of keysOf(blob)) chunks.push(await redis.getrangeBuffer(key, 0, CHUNK_BYTES - 1));
  const content = Buffer.concat(chunks);
  if (content.length === blob.bytes && digestOf(content) === blob.digest) return content;
  throw new MissingBlob(`what should be in Redis under ${blob.digest.slice(0, 12)} is not there, or is something else`);
}

/** Takes things away. */
export async function dropBlobs(redis: Redis, blobs: readonly Blob[]): Promise<void> {
  const keys = blobs.flatMap(keysOf);
  if (keys.length > 0) await redis.del(...keys);
}

function keysOf({ of, digest, bytes }: Blob): string[] {
  const chunks = Math.max(1, Math.ceil(bytes / CHUNK_BYTES));
  return Array.from({ length: chunks }, (_, place) => `${PREFIX}:blob:${of}:${digest}:${place}`);
}

export function digestOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
