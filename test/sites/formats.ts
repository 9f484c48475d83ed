import { crc32, inflateSync } from 'node:zlib';

/** Throws unless a buffer is a PNG whose every chunk is whole and whose pixels are all there. */
export function readPng(png: Buffer): { width: number; height: number } {
  if (png.readBigUInt64BE(0) !== 0x89504e470d0a1a0an) throw new Error('no PNG');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    if (crc32(png.subarray(at + 4, at + 8 + length)) !== png.readUInt32BE(at + 8 + length)) throw new Error('checksum');
    chunks.set(png.toString('latin1', at + 4, at + 8), data);
    at += 12 + length;
  }
  if (at !== png.length || [...chunks.keys()].at(-1) !== 'IEND') throw new Error('not whole');
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 4 || header[9] !== 3) throw new Error('not 4 bits with a palette');
  if (chunks.get('PLTE')!.length !== 48) throw new Error('not 16 colours');
  if (inflateSync(chunks.get('IDAT')!).length !== height * (1 + width / 2)) throw new Error('pixels');
  return { width, height };
}

/** Throws unless a buffer is a baseline JPEG of whole segments, one scan, and an end where the file ends. */
export function readJpeg(jpeg: Buffer): { width: number; height: number; commentBytes: number } {
  if (jpeg.readUInt16BE(0) !== 0xffd8) throw new Error('no JPEG');
  let [at, width, height, commentBytes] = [2, 0, 0, 0];
  for (let marker = 0; marker !== 0xda; ) {
    if (jpeg[at] !== 0xff) throw new Error(`no marker at ${at}`);
    marker = jpeg[at + 1]!;
    const length = jpeg.readUInt16BE(at + 2);
    if (marker === 0xc0) [height, width] = [jpeg.readUInt16BE(at + 5), jpeg.readUInt16BE(at + 7)];
    if (marker === 0xfe) commentBytes += 2 + length;
    at += 2 + length;
  }
  // In the scan every 0xff is followed by 0, up to the end of the image.
  while (at < jpeg.length - 2) {
    if (jpeg[at] === 0xff && jpeg[at + 1] !== 0) throw new Error(`a marker in the scan at ${at}`);
    at += jpeg[at] === 0xff ? 2 : 1;
  }
  if (at !== jpeg.length - 2 || jpeg.readUInt16BE(at) !== 0xffd9) throw new Error('no end');
  return { width, height, commentBytes };
}

/** An MP4's boxes: type, where the content begins and ends. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The boxes that fill a part of a buffer; throws where they do not. */
export function readBoxes(buffer: Buffer, start = 0, end = buffer.length): Box[] {
  const boxes: Box[] = [];
  while (start < end) {
    const size = buffer.readUInt32BE(start);
    if (size < 8 || start + size > end) throw new Error(`a box of ${size} bytes at ${start}`);
    boxes.push({ type: buffer.toString('latin1', start + 4, start + 8), start: start + 8, end: start + size });
    start += size;
  }
  return boxes;
}

/** The box at a path of types, each within the one before. */
export function findBox(buffer: Buffer, path: readonly string[]): Box {
  let box: Box = { type: '', start: 0, end: buffer.length };
  for (const type of path) box = readBoxes(buffer, box.start, box.end).find((inner) => inner.type === type)!;
  return box;
}
