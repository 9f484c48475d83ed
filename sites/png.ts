import { crc32 } from 'node:zlib';
import { type Random, shuffled } from '../harness/stats/random.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = [
  0xffffff, 0xd21034, 0x00247d, 0x007a3d, 0xfcd116, 0x000000, 0xff883e, 0x75b2dd, 0x8d1b3d, 0x0038a8,
] as const;
const SHADES = 4;
const KEYWORD = 'Comment\0';
const FILLER = 'A flag that no country flies. ';
/** All of the file but rows of pixels and the comment's text. */
const FIXED_BYTES = 8 + 25 + (12 + 3 * 4 * SHADES) + (12 + 2 + 5 + 4) + (12 + KEYWORD.length) + 12;

/** Which of four colours a flag has at a point, across and down from 0 to 1. */
type Design = (across: number, down: number) => number;

const DESIGNS: readonly Design[] = [
  (_, down) => Math.floor(3 * down),
  (across) => Math.floor(3 * across),
  (across, down) => (Math.abs(across - 0.36) < 0.07 || Math.abs(down - 0.5) < 0.1 ? 1 : 0),
  (across, down) => (2.25 * square(across - 0.5) + square(down - 0.5) < 0.09 ? 1 : 0),
  (across, down) => (across < 0.4 && down < 0.54 ? 2 : Math.floor(7 * down) % 2),
  (across, down) => (across < Math.min(down, 1 - down) ? 2 : down < 0.5 ? 0 : 1),
  (across, down) => (Math.abs(across - down) < 0.12 ? 2 : across < down ? 0 : 1),
  (across, down) => (square(1.5 * across - 0.4) + square(down - 0.5) < 0.04 ? 3 : Math.floor(3 * down)),
];

/** A waving flag: a PNG of exactly the given size (400 to 60,000 bytes); the more bytes, the more pixels. */
export function renderFlag(random: Random, bytes: number): Buffer {
  const width = widestFlag(bytes);
  const height = heightOf(width);
  const comment = bytes - FIXED_BYTES - rowBytes(width) * height;
  if (comment < 0) throw new Error(`a flag has at least ${bytes - comment} bytes, asked for ${bytes}`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8); // 4 bits a pixel, with a palette.
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', renderPalette(random)),
    chunk('tEXt', Buffer.from(KEYWORD + FILLER.repeat(comment).slice(0, comment))),
    chunk('IDAT', storedZlib(renderRows(random, width, height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function widestFlag(bytes: number): number {
  let width = 2;
  while (FIXED_BYTES + rowBytes(width + 2) * heightOf(width + 2) <= bytes) width += 2;
  return width;
}

function heightOf(width: number): number {
  return Math.round((2 * width) / 3);
}

function rowBytes(width: number): number {
  return 1 + width / 2;
}

function renderPalette(random: Random): Buffer {
  const colours = shuffled(COLOURS, random).slice(0, 16 / SHADES);
  return Buffer.from(
    colours.flatMap((colour) =>
      Array.from({ length: SHADES }, (_, shade) =>
        [16, 8, 0].map((shift) => Math.round((((colour >> shift) & 255) * (12 + shade)) / 15)),
      ).flat(),
    ),
  );
}

function renderRows(random: Random, width: number, height: number): Buffer {
  const design = DESIGNS[Math.floor(random() * DESIGNS.length)]!;
  const [waves, slant] = [2 + random(), random()];
  const pixel = (x: number, y: number) => {
    const [across, down] = [x / width, y / height];
    const phase = waves * across + slant * down;
    const shade = Math.floor(SHADES * Math.abs(2 * (phase - Math.floor(phase)) - 1));
    return SHADES * design(across, down) + Math.min(SHADES - 1, shade);
  };
  const rows = Buffer.alloc(rowBytes(width) * height); // Each row begins with its filter, 0: none.
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 2) rows[y * rowBytes(width) + 1 + x / 2] = (pixel(x, y) << 4) | pixel(x + 1, y);
  return rows;
}

/** Data as zlib, not compressed: what a compressor makes of it differs from one machine to the next. */
function storedZlib(data: Buffer): Buffer {
  const head = Buffer.from([0x78, 0x01, 1, 0, 0, 0, 0]); // One last block, stored; RFC 1951, 3.2.4.
  head.writeUInt16LE(data.length, 3);
  head.writeUInt16LE(data.length ^ 0xffff, 5);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(adler32(data));
  return Buffer.concat([head, data, tail]);
}

function adler32(data: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of data) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

function square(value: number): number {
  return value * value;
}
