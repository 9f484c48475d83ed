import { describe, expect, test } from '@jest/globals';
import { makeUploadFile, UPLOAD_KINDS } from '../../sites/upload-files.ts';
import { findBox, readBoxes, readJpeg } from './formats.ts';

const SIZES = [1_000, 1_024, 1_999, 2_000, 10_000, 300_001];

describe.each(UPLOAD_KINDS)('%s', (kind) => {
  test.each(SIZES)('of %i bytes has exactly them, the same for the same seed', (bytes) => {
    const [one, again, other] = [1, 1, 2].map((seed) => makeUploadFile(kind, bytes, seed));
    expect(one!.body.length).toBe(bytes);
    expect(one!.name).toBe(`upload-${bytes}.${kind}`);
    expect(again!.body.equals(one!.body)).toBe(true);
    expect(other!.body.equals(one!.body)).toBe(false);
  });

  test('has room for its header', () => {
    expect(() => makeUploadFile(kind, 999, 1)).toThrow('a file to upload has at least 1000 bytes');
  });
});

test.each(SIZES)('a photo of %i bytes decodes', (bytes) => {
  expect(readJpeg(makeUploadFile('jpg', bytes, 1).body).width).toBeGreaterThan(0);
});

test('a text is lines of printable characters', () => {
  const text = makeUploadFile('txt', 5_000, 1).body.toString('latin1');
  expect(text).toMatch(/^[ -~\n]+\n$/);
  expect(text.split('\n').length).toBeGreaterThan(40);
});

describe.each(SIZES)('a video of %i bytes', (bytes) => {
  const { body } = makeUploadFile('mp4', bytes, 1);
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

  test('is made of boxes', () => {
    expect(readBoxes(body).map((box) => box.type)).toEqual(['ftyp', 'moov', 'mdat']);
    const { start, end } = findBox(body, table);
    expect(readBoxes(body, start, end).map((box) => box.type)).toEqual(['stsd', 'stts', 'stsc', 'stsz', 'stco']);
  });

  test('has its frames where it says', () => {
    const sizes = findBox(body, [...table, 'stsz']);
    const [frameBytes, frames] = [body.readUInt32BE(sizes.start + 4), body.readUInt32BE(sizes.start + 8)];
    const media = findBox(body, ['mdat']);
    expect(body.readUInt32BE(findBox(body, [...table, 'stco']).start + 8)).toBe(media.start);
    expect(media.start + frames * frameBytes).toBeLessThanOrEqual(media.end);
    for (let frame = 0; frame < frames; frame += 1) {
      const at = media.start + frame * frameBytes;
      expect(body.readUInt32BE(at)).toBe(frameBytes - 4); // One picture, after its length.
      expect(body[at + 4]).toBe(0x65);
    }
  });
});
