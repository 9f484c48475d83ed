import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { type Header, headerOf } from '../../model/recording.ts';

/** A body that unfolds into more than this is no page's. */
const MOST_BYTES = 500_000_000;

interface Coding {
  readonly decode: (body: Buffer, limit: { readonly maxOutputLength: number }) => Buffer;
  /** At the levels that servers use, the least first. */
  readonly encode: readonly ((body: Buffer) => Buffer)[];
}

const GZIP: Coding = {
  decode: gunzipSync,
  encode: [1, 4, 6, 9].map((level) => (body: Buffer) => gzipSync(body, { level })),
};

const brotli = (quality: number) => (body: Buffer) =>
  brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
const zstd = (level: number) => (body: Buffer) =>
  zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: level } });

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: {
    // Some servers send it without its frame, and browsers take both.
    decode: (body, limit) => ((body[0]! & 15) === 8 ? inflateSync(body, limit) : inflateRawSync(body, limit)),
    encode: [deflateSync, deflateRawSync],
  },
  br: { decode: brotliDecompressSync, encode: [1, 4, 5, 9, 11].map(brotli) },
  zstd: { decode: zstdDecompressSync, encode: [1, 3, 9, 19].map(zstd) },
};

/** The codings of a body, in the order in which they were applied. */
export function codingsOf(headers: readonly Header[]): readonly string[] {
  return (headerOf(headers, 'content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** Whether every coding is known here; those with a dictionary are not. */
export function canDecode(codings: readonly string[]): boolean {
  return codings.every((coding) => Object.hasOwn(CODINGS, coding));
}

/** What a body unfolds into; throws where it is not what its codings say, cut short, or longer than it may be. */
export function decodeBody(body: Buffer, codings: readonly string[], maxOutputLength = MOST_BYTES): Buffer {
  if (body.length === 0) return body;
  return codings.reduceRight((content, coding) => CODINGS[coding]!.decode(content, { maxOutputLength }), body);
}

/** Beyond this the slowest levels take too long. */
const SLOW_BYTES = 2_000_000;
const SLOW_LEVELS = 1;

/** Encodes a body again, at the level that comes nearest to the length it had; a usual one where that is not known. */
export function encodeBody(body: Buffer, codings: readonly string[], wireBytes?: number): Buffer {
  return codings.reduce((content, coding) => {
    const { encode } = CODINGS[coding]!;
    if (wireBytes === undefined) return encode[Math.floor(encode.length / 2)]!(content);
    const levels = content.length > SLOW_BYTES ? encode.slice(0, Math.max(1, encode.length - SLOW_LEVELS)) : encode;
    return levels
      .map((level) => level(content))
      .reduce((a, b) => (Math.abs(b.length - wireBytes) < Math.abs(a.length - wireBytes) ? b : a));
  }, body);
}
