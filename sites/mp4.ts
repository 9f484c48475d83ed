import { drawBytes } from './bytes.ts';

/*
 * A video that plays: every frame is an H.264 picture by itself, of macroblocks that are not compressed (I_PCM), so
 * that a file of any size takes no more than copying noise.
 *
 *     ftyp │ moov: what there is and where │ mdat: the frames, then bytes that no frame uses
 */

const FRAMES_PER_SECOND = 25;
/** The number of frames where they may be of any size. */
const WISHED_FRAMES = 25;
/** A macroblock is 16 by 16 pixels: lightness in full, colour at half the size. */
const PIXELS = 16;
const PCM_BYTES = 16 * 16 + 2 * 8 * 8;
const LARGEST_SIDE = 45;
/** Smaller files have one grey frame. */
const LEAST_BYTES_WITH_SNOW = 2_000;

/** An MP4 of exactly the given size (1,000 bytes at least), with frames of television snow. */
export function renderVideo(seed: number, bytes: number): Buffer {
  const snow = bytes >= LEAST_BYTES_WITH_SNOW;
  const side = snow ? sideFor(bytes) : 1;
  const render = (frame: number) => {
    const picture = renderPicture(
      frame,
      side,
      snow ? drawBytes(seed, `frame ${frame}`, side * side * PCM_BYTES) : undefined,
    );
    return Buffer.concat([uint32(picture.length), picture]);
  };
  const frameBytes = render(0).length;
  let frames = Math.floor(bytes / frameBytes);
  while (frames > 1 && renderStart(side, frames, frameBytes).length + 8 + frames * frameBytes > bytes) frames -= 1;
  if (!snow) frames = 1;
  const start = renderStart(side, frames, frameBytes);
  const rest = bytes - start.length - 8 - frames * frameBytes;
  if (rest < 0) throw new Error(`a video has at least ${bytes - rest} bytes, asked for ${bytes}`);
  const media = Array.from({ length: frames }, (_, frame) => render(frame));
  return Buffer.concat([start, box('mdat', ...media, drawBytes(seed, 'rest', rest))]);
}

/** How many macroblocks the square picture has on each side. */
function sideFor(bytes: number): number {
  return Math.min(LARGEST_SIDE, Math.max(1, Math.floor(Math.sqrt(bytes / WISHED_FRAMES / PCM_BYTES))));
}

// ---------------------------------------------------------------- H.264 (ITU-T H.264, 7.3)

/** Writes numbers bit by bit. */
interface BitWriter {
  /** Writes a number in this many bits, the highest first. */
  fixed(value: number, bits: number): void;
  /** Writes an Exp-Golomb number. */
  coded(value: number): void;
  /** Ends with a one and zeros up to the next byte. */
  finish(): Buffer;
  /** Writes zeros up to the next byte. */
  align(): Buffer;
}

function openBits(): BitWriter {
  let text = '';
  const fixed = (value: number, bits: number) => {
    text += value.toString(2).padStart(bits, '0');
  };
  const align = () => {
    const whole = text.padEnd(8 * Math.ceil(text.length / 8), '0');
    return Buffer.from(whole.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  };
  return {
    fixed,
    align,
    coded: (value) => fixed(value + 1, 2 * (32 - Math.clz32(value + 1)) - 1),
    finish: () => {
      fixed(1, 1);
      return align();
    },
  };
}

const PROFILE = [66, 0xc0, 40] as const; // Constrained baseline, level 4.

function renderSequenceParameters(side: number): Buffer {
  const bits = openBits();
  for (const value of [0, 0, 2, 0]) bits.coded(value); // Its number, 4 bits for a frame's number, no reordering, no references.
  bits.fixed(0, 1);
  bits.coded(side - 1);
  bits.coded(side - 1);
  bits.fixed(0b110_00, 5); // Whole frames, direct 8x8, no cropping, no more to say.
  return Buffer.concat([Buffer.from([0x67, ...PROFILE]), bits.finish()]);
}

function renderPictureParameters(): Buffer {
  const bits = openBits();
  bits.coded(0);
  bits.coded(0);
  bits.fixed(0, 2); // CAVLC, no fields.
  for (const value of [0, 0, 0]) bits.coded(value);
  bits.fixed(0, 3);
  for (const value of [0, 0, 0]) bits.coded(value);
  bits.fixed(0, 3);
  return Buffer.concat([Buffer.from([0x68]), bits.finish()]);
}

const UNCOMPRESSED = 25; // mb_type I_PCM.
const GREY = 3; // mb_type I_16x16_2_0_0: predicted from its neighbours, of which there are none, and nothing added.

/** One picture that needs no other: of snow, or grey where there is none. */
function renderPicture(frame: number, side: number, snow?: Buffer): Buffer {
  const bits = openBits();
  bits.coded(0); // From the first macroblock.
  bits.coded(7); // All of it intra.
  bits.coded(0);
  bits.fixed(0, 4);
  bits.coded(frame % 2); // Two pictures after each other that need no other differ in this.
  bits.fixed(0, 2);
  bits.coded(0);
  const start = Buffer.from([0x65]);
  if (!snow) {
    for (const value of [GREY, 0, 0, 0]) bits.coded(value);
    return Buffer.concat([start, bits.finish()]);
  }
  bits.coded(UNCOMPRESSED);
  const parts = [start, bits.align()];
  for (let index = 0; index < side * side; index += 1) {
    // After a macroblock the bits are aligned, and the next begins with its type.
    if (index > 0) parts.push(NEXT_MACROBLOCK);
    // No zero among them, so that nothing looks like a start code, which would have to be masked.
    parts.push(Buffer.from(snow.subarray(index * PCM_BYTES, (index + 1) * PCM_BYTES).map((byte) => byte | 0x10)));
  }
  return Buffer.concat([...parts, Buffer.from([0x80])]);
}

const NEXT_MACROBLOCK = (() => {
  const bits = openBits();
  bits.coded(UNCOMPRESSED);
  return bits.align();
})();

// ---------------------------------------------------------------- MP4 (ISO/IEC 14496-12)

/** Everything before the media; all frames have the same number of bytes. */
function renderStart(side: number, frames: number, frameBytes: number): Buffer {
  const type = box('ftyp', 'isom', uint32(512), 'isomavc1');
  // Where the media begins is known once the length of what says so is.
  const length = renderMovie(side, frames, frameBytes, 0).length;
  return Buffer.concat([type, renderMovie(side, frames, frameBytes, type.length + length + 8)]);
}

const TRACK = 1;
const UNITY_MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(uint32));

function renderMovie(side: number, frames: number, frameBytes: number, mediaAt: number): Buffer {
  const pixels = side * PIXELS;
  const times = [0, 0, FRAMES_PER_SECOND, frames];
  const rate = Buffer.concat([uint32(0x10000), uint16(0x100), Buffer.alloc(10)]);
  const size = [uint32(pixels << 16), uint32(pixels << 16)];
  return box(
    'moov',
    full('mvhd', ...times.map(uint32), rate, UNITY_MATRIX, Buffer.alloc(24), uint32(TRACK + 1)),
    box(
      'trak',
      flagged('tkhd', 3, ...[0, 0, TRACK, 0, frames].map(uint32), Buffer.alloc(16), UNITY_MATRIX, ...size),
      box(
        'mdia',
        full('mdhd', ...times.map(uint32), uint16(0x55c4), uint16(0)), // No language.
        full('hdlr', uint32(0), 'vide', Buffer.alloc(12), 'Video\0'),
        box(
          'minf',
          flagged('vmhd', 1, Buffer.alloc(8)),
          box('dinf', full('dref', uint32(1), flagged('url ', 1))),
          box(
            'stbl',
            full('stsd', uint32(1), renderSampleEntry(side)),
            full('stts', ...[1, frames, 1].map(uint32)),
            full('stsc', ...[1, 1, frames, 1].map(uint32)),
            full('stsz', ...[frameBytes, frames].map(uint32)),
            full('stco', ...[1, mediaAt].map(uint32)),
          ),
        ),
      ),
    ),
  );
}

function renderSampleEntry(side: number): Buffer {
  const [sequence, picture] = [renderSequenceParameters(side), renderPictureParameters()];
  const pixels = side * PIXELS;
  return box(
    'avc1',
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
    Buffer.alloc(16),
    uint16(pixels),
    uint16(pixels),
    uint32(0x480000), // 72 dots an inch, across and down.
    uint32(0x480000),
    uint32(0),
    uint16(1),
    Buffer.alloc(32),
    uint16(24),
    uint16(0xffff),
    box(
      'avcC',
      Buffer.from([1, ...PROFILE, 0xff, 0xe1]), // Lengths of 4 bytes; one set of parameters of each kind.
      uint16(sequence.length),
      sequence,
      Buffer.from([1]),
      uint16(picture.length),
      picture,
    ),
  );
}

type Part = Buffer | string;

function box(type: string, ...parts: readonly Part[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  return Buffer.concat([uint32(8 + content.length), Buffer.from(type, 'latin1'), content]);
}

/** A box with a version and flags, all zero. */
function full(type: string, ...parts: readonly Part[]): Buffer {
  return flagged(type, 0, ...parts);
}

function flagged(type: string, flags: number, ...parts: readonly Part[]): Buffer {
  return box(type, uint32(flags), ...parts);
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value >>> 0);
  return buffer;
}

function uint16(value: number): Buffer {
  return uint32(value).subarray(2);
}
