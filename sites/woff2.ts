/** A table of a TrueType font: its tag and what is in it. */
export type FontTable = readonly [tag: string, data: Buffer];

const TRUETYPE = 0x00010000;
/** The tables' numbers in WOFF2's list of known tags. */
const KNOWN_TAGS: Readonly<Record<string, number>> = {
  cmap: 0,
  head: 1,
  hhea: 2,
  hmtx: 3,
  maxp: 4,
  name: 5,
  'OS/2': 6,
  post: 7,
  glyf: 10,
  loca: 11,
};
/** The version that keeps `glyf` and `loca` as they are. (For other tables that is version 0.) */
const NOT_TRANSFORMED = 3 << 6;
const HEADER_BYTES = 48;

/** Packs a font's tables as WOFF2, none of them compressed. */
export function packWoff2(tables: readonly FontTable[]): Buffer {
  const directory = tables.flatMap(([tag, data]) => {
    const version = tag === 'glyf' || tag === 'loca' ? NOT_TRANSFORMED : 0;
    return [version | KNOWN_TAGS[tag]!, ...variableLength(data.length)];
  });
  const content = storedBrotli(Buffer.concat(tables.map(([, data]) => data)));
  const end = HEADER_BYTES + directory.length + content.length;
  const file = Buffer.alloc(end + (-end & 3));
  file.write('wOF2', 0, 'latin1');
  file.writeUInt32BE(TRUETYPE, 4);
  file.writeUInt32BE(file.length, 8);
  file.writeUInt16BE(tables.length, 12);
  file.writeUInt32BE(12 + tables.reduce((sum, [, data]) => sum + 16 + data.length + (-data.length & 3), 0), 16);
  file.writeUInt32BE(content.length, 20);
  file.set(directory, HEADER_BYTES);
  content.copy(file, HEADER_BYTES + directory.length);
  return file;
}

/** A number in seven bits a byte, the high bit set on all but the last. */
function variableLength(value: number): number[] {
  const bytes = [value & 127];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(128 | (left & 127));
  return bytes;
}

const LONGEST_BLOCK = 0x10000;

/** Data as a Brotli stream that is not compressed: what a compressor makes of it may differ from one release to the next. */
function storedBrotli(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < data.length; start += LONGEST_BLOCK) {
    const block = data.subarray(start, start + LONGEST_BLOCK);
    parts.push(renderBlockHeader(block.length, start === 0), block);
  }
  return Buffer.concat([...parts, Buffer.from([0b11])]); // The last block, and empty.
}

/** RFC 7932, 9.2, from the lowest bit: not the last block, a length of four nibbles, that length, not compressed. */
function renderBlockHeader(bytes: number, first: boolean): Buffer {
  const header = Buffer.alloc(3);
  const bits = ((bytes - 1) << 3) | (1 << 19);
  header.writeUIntLE(first ? bits << 1 : bits, 0, 3); // Before the first one bit, 0, says how long the window is.
  return header;
}
